"""Bits and bytes: what is compiled to the processor's own instructions does what the plain function says."""

import numpy as np
import pytest
from numba import njit

from unspoken.envs.engine.words import SEARCHED, find_bytes, nth_bit


@njit
def compiled_nth_bit(bits, skip):  # type: ignore[no-untyped-def]
    return nth_bit(bits, skip)


@njit
def compiled_find_bytes(array, number):  # type: ignore[no-untyped-def]
    return find_bytes(array, number)


@pytest.mark.parametrize("places", [(0,), (63,), (0, 1, 2), (3, 17, 31, 32, 63), tuple(range(64))])
def test_every_set_bit_is_found_by_its_number(places: tuple[int, ...]) -> None:
    bits = np.uint64(sum(1 << place for place in places))
    for number, place in enumerate(places):
        assert nth_bit(bits, number) == place
        assert compiled_nth_bit(bits, number) == place


def test_there_is_no_bit_after_the_last_one() -> None:
    assert nth_bit(np.uint64(5), 2) == 64
    assert compiled_nth_bit(np.uint64(5), 2) == 64


@pytest.mark.parametrize("number", [-1, 0, 5, 127])
def test_every_byte_that_is_the_number_is_found(number: int) -> None:
    array = np.random.default_rng(number + 1).choice([-1, 0, 5, 127], SEARCHED).astype(np.int8)
    expected = sum(1 << index for index in range(SEARCHED) if array[index] == number)
    assert find_bytes(array, number) == expected
    assert compiled_find_bytes(array, number) == expected
