"""The forms that some of ``words`` have on a GPU.

A GPU reads and writes a word only at an address that is a multiple of the word's size. A word that may lie
anywhere is therefore put together from the two aligned ones that it lies across, and written by writing those
two again. What lies beside it in them must belong to the same game: records, and rows of observations, begin
and end at multiples of eight bytes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic

from unspoken.envs.engine.words import (
    BITS,
    BLOCK,
    BYTES,
    SEARCHED,
    copy_block,
    find_bytes,
    load_bytes,
    lowest_bit,
    nth_bit,
    spread_bits,
    spread_lanes,
    spread_two_bits,
    store_bytes,
)

_ONE = np.uint64(1)
_FOUR = np.uint64(4)
_SEVEN = np.uint64(7)
_EIGHT = np.uint64(8)
_SIXTEEN = np.uint64(16)
_HALF = np.uint64(32)
_BYTE = np.uint64(0xFF)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_LOW_BITS_OF_BYTES = np.uint64(0x7F7F7F7F7F7F7F7F)
_OTHER_LANES = np.uint64(0x0F0F0F0F0F0F0F0F)
_OTHER_BYTES = np.uint64(0x00FF00FF00FF00FF)
_OTHER_PAIRS = np.uint64(0x0000FFFF0000FFFF)
_DIAGONAL = np.uint64(0x8040201008040201)
_GATHER = np.uint64(0x0102040810204080)
_TOP_BYTE = np.uint64(56)

_WORD = ir.IntType(64)


def _aligned_places(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> tuple[Any, ...]:
    """The two aligned words that the word from ``array[start]`` on lies across (one and the same if it is
    aligned), and how many bits of the first lie before it."""
    data = context.make_array(array_type)(context, builder, array).data
    place = builder.gep(data, [start])
    before = builder.and_(builder.ptrtoint(place, _WORD), _WORD(BYTES - 1))
    # Counted from the array's own address, which tells the compiler what kind of memory it is.
    low = builder.gep(place, [builder.neg(before)])
    aligned = builder.icmp_unsigned("==", before, _WORD(0))
    high = builder.gep(low, [builder.select(aligned, _WORD(0), _WORD(BYTES))])
    pointer = _WORD.as_pointer()
    return builder.bitcast(low, pointer), builder.bitcast(high, pointer), builder.shl(before, _WORD(3))


@intrinsic
def _load_across(typing_context: Any, array: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        low_at, high_at, bits = _aligned_places(context, builder, signature.args[0], *arguments)
        low = builder.lshr(builder.load(low_at, align=BYTES), bits)
        # By two shifts: one by all 64 bits is not defined.
        high = builder.shl(builder.load(high_at, align=BYTES), _WORD(1))
        return builder.or_(low, builder.shl(high, builder.xor(bits, _WORD(63))))

    return types.uint64(array, types.int64), generate


@intrinsic
def _store_across(typing_context: Any, word: Any, out: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, out, start = arguments
        low_at, high_at, bits = _aligned_places(context, builder, signature.args[1], out, start)
        before = builder.sub(builder.shl(_WORD(1), bits), _WORD(1))
        rest = builder.lshr(builder.lshr(word, _WORD(1)), builder.xor(bits, _WORD(63)))
        low = builder.and_(builder.load(low_at, align=BYTES), before)
        high = builder.and_(builder.load(high_at, align=BYTES), builder.not_(before))
        # The second one first: where both are one and the same, the other is what must stay.
        builder.store(builder.or_(high, rest), high_at, align=BYTES)
        builder.store(builder.or_(low, builder.shl(word, bits)), low_at, align=BYTES)
        return context.get_dummy_value()

    return types.void(types.uint64, out, types.int64), generate


@njit
def load_word(array, start):  # type: ignore[no-untyped-def]
    """``words.load_bytes``, by loads of aligned words."""
    return _load_across(array, start)  # type: ignore[call-arg]


@njit
def store_word(word, out, start):  # type: ignore[no-untyped-def]
    """``words.store_bytes``, by loads and stores of aligned words."""
    _store_across(word, out, start)  # type: ignore[call-arg]


@njit
def copy_words(source, first, out, start):  # type: ignore[no-untyped-def]
    """``words.copy_block``, a word at a time."""
    for offset in range(0, BLOCK, BYTES):
        store_word(load_word(source, np.int64(first) + offset), out, np.int64(start) + offset)


@njit
def find_in_words(array, number):  # type: ignore[no-untyped-def]
    """``words.find_bytes``, a word at a time."""
    wanted = (np.uint64(number) & _BYTE) * _EVERY_BYTE
    found = np.uint64(0)
    for index in range(SEARCHED // BYTES):
        differs = load_word(array, BYTES * index) ^ wanted
        equal = ~(((differs & _LOW_BITS_OF_BYTES) + _LOW_BITS_OF_BYTES) | differs | _LOW_BITS_OF_BYTES)
        # The highest bits of all bytes, side by side: the multiplication brings each into the last byte.
        found |= (((equal >> _SEVEN) * _GATHER) >> _TOP_BYTE) << np.uint64(BYTES * index)
    return found


@njit
def skip_bits(bits, skip):  # type: ignore[no-untyped-def]
    """``words.nth_bit``, a bit at a time."""
    for _ in range(skip):
        bits = bits & (bits - _ONE)
    return lowest_bit(bits)


@njit
def _lanes_as_bytes(lanes):  # type: ignore[no-untyped-def]
    """The lowest eight lanes, each in a byte of its own."""
    pairs = (lanes | (lanes << _SIXTEEN)) & _OTHER_PAIRS
    two = (pairs | (pairs << _EIGHT)) & _OTHER_BYTES
    return (two | (two << _FOUR)) & _OTHER_LANES


@njit
def _bits_as_bytes(bits):  # type: ignore[no-untyped-def]
    """The lowest eight bits, each in a byte of its own."""
    apart = ((bits & _BYTE) * _EVERY_BYTE) & _DIAGONAL
    return ((apart + _LOW_BITS_OF_BYTES) >> _SEVEN) & _EVERY_BYTE


@njit
def write_lanes(word, out, start):  # type: ignore[no-untyped-def]
    """``words.spread_lanes``, a word at a time."""
    store_word(_lanes_as_bytes(word & np.uint64(0xFFFFFFFF)), out, np.int64(start))
    store_word(_lanes_as_bytes(word >> _HALF), out, np.int64(start) + BYTES)


@njit
def write_bits(word, out, start):  # type: ignore[no-untyped-def]
    """``words.spread_bits``, a word at a time."""
    for offset in range(0, BITS, BYTES):
        store_word(_bits_as_bytes(word >> np.uint64(offset)), out, np.int64(start) + offset)


@njit
def write_two_bits(low, high, out, start):  # type: ignore[no-untyped-def]
    """``words.spread_two_bits``, a word at a time."""
    for offset in range(0, BITS, BYTES):
        ones = _bits_as_bytes(low >> np.uint64(offset))
        twos = _bits_as_bytes(high >> np.uint64(offset))
        store_word(ones + twos + twos, out, np.int64(start) + offset)


def register() -> None:
    """Tell numba-cuda that these are the forms to compile for a GPU."""
    import numba.cuda.extending

    extending: Any = numba.cuda.extending
    overload = extending.overload

    @overload(load_bytes)
    def _(array, start):  # type: ignore[no-untyped-def]
        return lambda array, start: load_word(array, np.int64(start))

    @overload(store_bytes)
    def _(word, out, start):  # type: ignore[no-untyped-def]
        return lambda word, out, start: store_word(word, out, np.int64(start))

    @overload(copy_block)
    def _(source, first, out, start):  # type: ignore[no-untyped-def]
        return lambda source, first, out, start: copy_words(source, first, out, start)

    @overload(find_bytes)
    def _(array, number):  # type: ignore[no-untyped-def]
        return lambda array, number: find_in_words(array, number)

    @overload(nth_bit)
    def _(bits, skip):  # type: ignore[no-untyped-def]
        return lambda bits, skip: skip_bits(bits, skip)

    @overload(spread_lanes)
    def _(word, out, start):  # type: ignore[no-untyped-def]
        return lambda word, out, start: write_lanes(word, out, start)

    @overload(spread_bits)
    def _(word, out, start):  # type: ignore[no-untyped-def]
        return lambda word, out, start: write_bits(word, out, start)

    @overload(spread_two_bits)
    def _(low, high, out, start):  # type: ignore[no-untyped-def]
        return lambda low, high, out, start: write_two_bits(low, high, out, start)
