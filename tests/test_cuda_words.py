"""The forms that words have on a GPU do what the plain functions say; compiled for the CPU here."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import config

from unspoken.envs.engine import cuda_words, words

pytestmark = pytest.mark.skipif(
    bool(config.DISABLE_JIT),  # type: ignore[attr-defined]
    reason="without the compiler there is no other form",
)

WORDS = [np.uint64(word) for word in (0, 1, 2**64 - 1, 0x0123456789ABCDEF, 0xFEDCBA9876543210)]


def some_bytes(size: int = 96) -> npt.NDArray[np.int8]:
    """Random bytes whose memory begins at a multiple of eight."""
    return np.random.default_rng(size).integers(-128, 128, size).astype(np.int8).view(np.int8)


@pytest.mark.parametrize("start", range(16))
def test_a_word_is_read_from_anywhere(start: int) -> None:
    array = some_bytes()
    assert cuda_words.load_word(array, start) == words.load_bytes(array, start)


def test_a_word_is_read_from_the_very_end() -> None:
    array = some_bytes(64)
    assert cuda_words.load_word(array, 56) == words.load_bytes(array, 56)


@pytest.mark.parametrize(
    ("form", "plain", "arguments"),
    [
        (cuda_words.store_word, words.store_bytes, 1),
        (cuda_words.write_lanes, words.spread_lanes, 1),
        (cuda_words.write_bits, words.spread_bits, 1),
        (cuda_words.write_two_bits, words.spread_two_bits, 2),
    ],
)
@pytest.mark.parametrize("start", [0, 1, 5, 8, 15, 23])
def test_what_is_written_lies_where_it_should_and_nothing_else_changes(
    form: Callable[..., Any], plain: Callable[..., Any], arguments: int, start: int
) -> None:
    for word in WORDS:
        given = (word, WORDS[3] ^ word)[:arguments]
        written, expected = some_bytes(), some_bytes()
        form(*given, written, start)
        plain(*given, expected, start)
        np.testing.assert_array_equal(written, expected)


@pytest.mark.parametrize(("first", "start"), [(0, 0), (3, 17), (8, 5), (31, 64)])
def test_a_block_is_copied_from_anywhere_to_anywhere(first: int, start: int) -> None:
    source = some_bytes(64)
    copied, expected = some_bytes(), some_bytes()
    cuda_words.copy_words(source, first, copied, start)
    words.copy_block(source, first, expected, start)
    np.testing.assert_array_equal(copied, expected)


@pytest.mark.parametrize("number", [-128, -1, 0, 5, 127])
def test_every_byte_that_is_the_number_is_found(number: int) -> None:
    array = np.random.default_rng(0).choice([-128, -1, 0, 1, 5, 127], words.SEARCHED).astype(np.int8)
    for moved in range(8):
        assert cuda_words.find_in_words(np.roll(array, moved), number) == words.find_bytes(
            np.roll(array, moved), number
        )


@pytest.mark.parametrize("places", [(0,), (63,), (0, 1, 2), (3, 17, 31, 32, 63), tuple(range(64))])
def test_every_set_bit_is_found_by_its_number(places: tuple[int, ...]) -> None:
    bits = np.uint64(sum(1 << place for place in places))
    assert tuple(cuda_words.skip_bits(bits, number) for number in range(len(places))) == places
