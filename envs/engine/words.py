"""Short rows of small numbers packed into one 64-bit word: sixteen lanes of four bits, lane 0 lowest.

A card row, the chips on it and the turns of a seat fit into a word each. Moving a card is then a handful of
shifts without a branch, and a game's state is small, which is what makes stepping fast on a CPU and on a GPU.

``spread_lanes``, ``spread_bits`` and ``spread_two_bits`` write lanes or bits into an array of bytes;
``load_bytes``, ``store_bytes`` and ``copy_block`` move several bytes of arrays at once, and ``find_bytes``
compares them. These, the counting and the finding of bits stand here twice: a plain function says what is
done, and its compiled form is the processor's own instruction, which LLVM does not find by itself (numba
leaves its pass for straight-line code off).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic, overload

LANES = 16
"""Lanes of a word, and bytes that ``spread_lanes`` writes."""
BITS = 32
"""Bytes that ``spread_bits`` writes."""
BYTES = 8
"""Bytes of a word."""
BLOCK = 32
"""Bytes that ``copy_block`` copies."""
SEARCHED = 64
"""Bytes that ``find_bytes`` compares."""

_ONE = np.uint64(1)
_LANE = np.uint64(0xF)
_LANE_BITS = np.uint64(4)
_LOW_BITS_OF_BYTES = np.uint64(0x7F7F7F7F7F7F7F7F)
_BYTE = np.uint64(0xFF)
_SEVEN = np.uint64(7)
_BITS_OF_A_BYTE = np.uint64(8)


@njit(cache=True, nogil=True)
def lane(word, index):  # type: ignore[no-untyped-def]
    """The number in a lane, as an ``int``."""
    return int((word >> (_LANE_BITS * np.uint64(index))) & _LANE)


@njit(cache=True, nogil=True)
def lanes(word, first, count):  # type: ignore[no-untyped-def]
    """The word of ``count`` lanes from lane ``first`` on (fewer than 16 of them)."""
    return (word >> (_LANE_BITS * np.uint64(first))) & ((_ONE << (_LANE_BITS * np.uint64(count))) - _ONE)


@njit(cache=True, nogil=True)
def with_lane(word, index, number):  # type: ignore[no-untyped-def]
    """The word with ``number`` (0 .. 15) in a lane."""
    shift = _LANE_BITS * np.uint64(index)
    return (word & ~(_LANE << shift)) | (np.uint64(number) << shift)


@njit(cache=True, nogil=True)
def move_lane(word, source, destination):  # type: ignore[no-untyped-def]
    """Take the number in lane ``source`` out, close up, and put it back so that it is in ``destination``."""
    source_shift = _LANE_BITS * np.uint64(source)
    destination_shift = _LANE_BITS * np.uint64(destination)
    number = (word >> source_shift) & _LANE
    below_source = (_ONE << source_shift) - _ONE
    closed = (word & below_source) | ((word >> _LANE_BITS) & ~below_source)
    below_destination = (_ONE << destination_shift) - _ONE
    return (
        (closed & below_destination)
        | ((closed & ~below_destination) << _LANE_BITS)
        | (number << destination_shift)
    )


@njit(cache=True, nogil=True)
def occupied(word):  # type: ignore[no-untyped-def]
    """Bit i set for each lane i that is not 0."""
    word = word | (word >> np.uint64(2))
    word = (word | (word >> _ONE)) & np.uint64(0x1111111111111111)
    word = (word | (word >> np.uint64(3))) & np.uint64(0x0303030303030303)
    word = (word | (word >> np.uint64(6))) & np.uint64(0x000F000F000F000F)
    word = (word | (word >> np.uint64(12))) & np.uint64(0x000000FF000000FF)
    return (word | (word >> np.uint64(24))) & np.uint64(0xFFFF)


@njit(cache=True, nogil=True)
def keep_occupied(word, marks):  # type: ignore[no-untyped-def]
    """The word with every lane set to 0 where the lane of ``marks`` is 0."""
    marks = marks | (marks >> np.uint64(2))
    marks = (marks | (marks >> _ONE)) & np.uint64(0x1111111111111111)
    marks = marks | (marks << _ONE)
    return word & (marks | (marks << np.uint64(2)))


@njit(cache=True, nogil=True)
def without_byte(word, index):  # type: ignore[no-untyped-def]
    """The word with byte ``index`` taken out; those after it close up, and the last one becomes 0."""
    below = (_ONE << (_BITS_OF_A_BYTE * np.uint64(index))) - _ONE
    return (word & below) | ((word >> _BITS_OF_A_BYTE) & ~below)


@njit(cache=True, nogil=True)
def bytes_in_use(word):  # type: ignore[no-untyped-def]
    """All bits set in every byte of a word that is not 0, none in the others."""
    high = ((word & _LOW_BITS_OF_BYTES) + _LOW_BITS_OF_BYTES) | word
    return ((high & ~_LOW_BITS_OF_BYTES) >> _SEVEN) * _BYTE


@njit(cache=True, nogil=True)
def count_above(word, number):  # type: ignore[no-untyped-def]
    """How many lanes hold more than ``number``, as an ``int``."""
    threshold = (np.uint64(number) + _ONE) * np.uint64(0x0101010101010101)
    high = np.uint64(0x8080808080808080)
    even = (((word & np.uint64(0x0F0F0F0F0F0F0F0F)) | high) - threshold) & high
    odd = ((((word >> _LANE_BITS) & np.uint64(0x0F0F0F0F0F0F0F0F)) | high) - threshold) & high
    return count_bits(even | (odd >> _ONE))


def count_bits(bits: np.uint64) -> int:
    """Number of set bits."""
    return int(bits).bit_count()


def lowest_bit(bits: np.uint64) -> int:
    """Position of the lowest set bit; 64 if there is none."""
    return (int(bits) & -int(bits)).bit_length() - 1 if bits else 64


def nth_bit(bits: np.uint64, skip: int | np.integer[Any]) -> int:
    """Position of the lowest set bit after skipping ``skip`` of them; 64 if there are not so many."""
    for _ in range(int(skip)):
        bits = bits & (bits - _ONE)
    return lowest_bit(bits)


def spread_lanes(word: np.uint64, out: npt.NDArray[np.int8], start: int) -> None:
    """Write the sixteen numbers of a word to ``out[start : start + 16]``."""
    for index in range(LANES):
        out[start + index] = (int(word) >> (4 * index)) & 15


def spread_bits(word: np.uint64, out: npt.NDArray[np.int8], start: int) -> None:
    """Write the lowest 32 bits of a word, as 0 or 1, to ``out[start : start + 32]``."""
    for index in range(BITS):
        out[start + index] = (int(word) >> index) & 1


def spread_two_bits(low: np.uint64, high: np.uint64, out: npt.NDArray[np.int8], start: int) -> None:
    """Write the lowest 32 bits of two words, as numbers from 0 to 3, to ``out[start : start + 32]``."""
    for index in range(BITS):
        out[start + index] = (int(low) >> index & 1) | (int(high) >> index & 1) << 1


def load_bytes(array: npt.NDArray[np.int8], start: int | np.uint64) -> np.uint64:
    """Eight entries from ``start`` on (rows counted through) as the bytes of a word, the first one lowest."""
    return np.uint64(array.reshape(-1)[int(start) : int(start) + BYTES].view(np.uint64)[0])


def store_bytes(word: np.uint64, out: npt.NDArray[np.int8], start: int | np.uint64) -> None:
    """Write the eight bytes of a word to the entries from ``start`` on (rows counted through)."""
    out.reshape(-1)[int(start) : int(start) + BYTES] = np.array([word], np.uint64).view(np.int8)


def copy_block(
    source: npt.NDArray[np.int8], first: int, out: npt.NDArray[np.int8], start: int | np.uint64
) -> None:
    """Copy ``source[first : first + 32]`` to ``out[start : start + 32]``."""
    out[int(start) : int(start) + BLOCK] = source[int(first) : int(first) + BLOCK]


def find_bytes(array: npt.NDArray[np.int8], number: int) -> np.uint64:
    """Bit i set for each i below 64 for which ``array[i]`` is ``number``."""
    return np.uint64(sum(1 << index for index in range(SEARCHED) if array[index] == number))


def _load(context: Any, builder: Any, array_type: Any, source: Any, start: Any, kind: Any) -> Any:
    """Load a number or vector from ``source[start]`` on, which need not be aligned."""
    data = context.make_array(array_type)(context, builder, source).data
    place = builder.bitcast(builder.gep(data, [start]), kind.as_pointer())
    return builder.load(place, align=1)


def _store(context: Any, builder: Any, array_type: Any, out: Any, start: Any, lanes: Any) -> None:
    """Store a number or vector of bytes from ``out[start]`` on, which need not be aligned."""
    data = context.make_array(array_type)(context, builder, out).data
    target = builder.bitcast(builder.gep(data, [start]), lanes.type.as_pointer())
    builder.store(lanes, target, align=1)


@intrinsic
def _spread_lanes(typing_context: Any, word: Any, out: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, out, start = arguments
        half = ir.VectorType(ir.IntType(8), LANES // 2)
        pairs = builder.bitcast(word, half)
        low = builder.and_(pairs, ir.Constant(half, [15] * (LANES // 2)))
        high = builder.lshr(pairs, ir.Constant(half, [4] * (LANES // 2)))
        order = [index // 2 + (index % 2) * (LANES // 2) for index in range(LANES)]
        interleaved = builder.shuffle_vector(
            low, high, ir.Constant(ir.VectorType(ir.IntType(32), LANES), order)
        )
        _store(context, builder, signature.args[1], out, start, interleaved)
        return context.get_dummy_value()

    return types.void(types.uint64, out, types.int64), generate


def _bits_as_bytes(builder: Any, word: Any) -> Any:
    """The lowest 32 bits of a word as a vector of bytes."""
    bits = builder.bitcast(builder.trunc(word, ir.IntType(BITS)), ir.VectorType(ir.IntType(1), BITS))
    return builder.zext(bits, ir.VectorType(ir.IntType(8), BITS))


@intrinsic
def _spread_bits(typing_context: Any, word: Any, out: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, out, start = arguments
        _store(context, builder, signature.args[1], out, start, _bits_as_bytes(builder, word))
        return context.get_dummy_value()

    return types.void(types.uint64, out, types.int64), generate


@intrinsic
def _spread_two_bits(
    typing_context: Any, low: Any, high: Any, out: Any, start: Any
) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        low, high, out, start = arguments
        ones, twos = _bits_as_bytes(builder, low), _bits_as_bytes(builder, high)
        numbers = builder.add(ones, builder.add(twos, twos))
        _store(context, builder, signature.args[2], out, start, numbers)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64, out, types.int64), generate


@intrinsic
def _load_bytes(typing_context: Any, array: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, start = arguments
        return _load(context, builder, signature.args[0], array, start, ir.IntType(64))

    return types.uint64(array, types.int64), generate


@intrinsic
def _store_bytes(typing_context: Any, word: Any, out: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, out, start = arguments
        _store(context, builder, signature.args[1], out, start, word)
        return context.get_dummy_value()

    return types.void(types.uint64, out, types.int64), generate


@intrinsic
def _copy_block(
    typing_context: Any, source: Any, first: Any, out: Any, start: Any
) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, first, out, start = arguments
        kind = ir.VectorType(ir.IntType(8), BLOCK)
        block = _load(context, builder, signature.args[0], source, first, kind)
        _store(context, builder, signature.args[2], out, start, block)
        return context.get_dummy_value()

    return types.void(source, types.int64, out, types.int64), generate


@overload(spread_two_bits)
def _compile_spread_two_bits(low, high, out, start):  # type: ignore[no-untyped-def]
    return lambda low, high, out, start: _spread_two_bits(low, high, out, start)  # type: ignore[call-arg]


@overload(load_bytes)
def _compile_load_bytes(array, start):  # type: ignore[no-untyped-def]
    return lambda array, start: _load_bytes(array, start)  # type: ignore[call-arg]


@overload(store_bytes)
def _compile_store_bytes(word, out, start):  # type: ignore[no-untyped-def]
    return lambda word, out, start: _store_bytes(word, out, start)  # type: ignore[call-arg]


@overload(copy_block)
def _compile_copy_block(source, first, out, start):  # type: ignore[no-untyped-def]
    return lambda source, first, out, start: _copy_block(source, first, out, start)  # type: ignore[call-arg]


@overload(spread_lanes)
def _compile_spread_lanes(word, out, start):  # type: ignore[no-untyped-def]
    return lambda word, out, start: _spread_lanes(word, out, start)  # type: ignore[call-arg]


@overload(spread_bits)
def _compile_spread_bits(word, out, start):  # type: ignore[no-untyped-def]
    return lambda word, out, start: _spread_bits(word, out, start)  # type: ignore[call-arg]


@intrinsic
def _count_bits(typing_context: Any, bits: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _lowest_bit(typing_context: Any, bits: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


_SLOW_TO_DEPOSIT = ("bdver4", "znver1", "znver2")
"""Processors that have the instruction ``pdep`` but take longer for it than for a loop."""


def _deposits(context: Any) -> bool:
    """Whether code is compiled for a processor on which ``pdep`` is fast."""
    _, name, features = context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and name not in _SLOW_TO_DEPOSIT


@intrinsic
def _nth_bit(typing_context: Any, bits: Any, skip: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits, skip = arguments
        word, never = ir.IntType(64), ir.Constant(ir.IntType(1), 0)
        if _deposits(context):
            # The bit of that number, put where the set bit of that number is.
            kind = ir.FunctionType(word, [word, word])
            name = "llvm.x86.bmi.pdep.64"
            deposit = get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
            bits = builder.call(deposit, [builder.shl(ir.Constant(word, 1), skip), bits])
            return builder.cttz(bits, never)
        return context.compile_internal(builder, _skip_bits, signature, arguments)

    return types.int64(types.uint64, types.int64), generate


def _skip_bits(bits, skip):  # type: ignore[no-untyped-def]
    for _ in range(skip):
        bits = bits & (bits - _ONE)
    return lowest_bit(bits)


@intrinsic
def _find_bytes(typing_context: Any, array: Any, number: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, number = arguments
        byte = ir.IntType(8)
        kind = ir.VectorType(byte, SEARCHED)
        block = _load(context, builder, signature.args[0], array, ir.Constant(ir.IntType(64), 0), kind)
        undefined = ir.Constant(kind, ir.Undefined)
        first = builder.insert_element(undefined, builder.trunc(number, byte), ir.IntType(32)(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), SEARCHED), [0] * SEARCHED)
        everywhere = builder.shuffle_vector(first, undefined, order)
        return builder.bitcast(builder.icmp_signed("==", block, everywhere), ir.IntType(SEARCHED))

    return types.uint64(array, types.int64), generate


@overload(nth_bit)
def _compile_nth_bit(bits, skip):  # type: ignore[no-untyped-def]
    return lambda bits, skip: _nth_bit(bits, skip)  # type: ignore[call-arg]


@overload(find_bytes)
def _compile_find_bytes(array, number):  # type: ignore[no-untyped-def]
    return lambda array, number: _find_bytes(array, number)  # type: ignore[call-arg]


@overload(count_bits)
def _compile_count_bits(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _count_bits(bits)  # type: ignore[call-arg]


@overload(lowest_bit)
def _compile_lowest_bit(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _lowest_bit(bits)  # type: ignore[call-arg]
