"""The games of a block of threads in the memory on a GPU's chip: a row of words a game, one thread a game.

A thread writes its own row wherever it likes, byte by byte; between the row and the large memory the threads
of a block together move words, neighbouring threads neighbouring ones, which is what that memory is fast at.
Rows are an odd number of words apart, so that the threads of a warp do not wait for one another's words.
"""

from collections.abc import Callable
from typing import Any

from numba import config, cuda, types, uint64
from numba.extending import intrinsic, overload

if not config.ENABLE_CUDASIM:  # type: ignore[attr-defined]
    # What is simulated runs as ordinary Python.
    import unspoken.envs.engine.cuda_words  # noqa: F401

WORD = 8
"""Bytes of a word."""
THREADS = 64
"""Games of a block, if their rows fit. In a small block few games wait for the longest one."""
BLOCK_BYTES = 48 * 1024
"""Memory on the chip that every device grants a block."""

# What the games do in one call of the loop over them.
DEAL, VIEW, PLAY, DRAW = range(4)


def block(words: int) -> tuple[int, int]:
    """(threads, bytes on the chip) of a block whose games have rows of ``words``."""
    row = (words | 1) * WORD
    threads = THREADS
    while threads * row > BLOCK_BYTES:
        threads //= 2
    return threads, threads * row if words else 0


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def fetch_rows(source, width, games, rows, length):  # type: ignore[no-untyped-def]
    """Read the first ``width`` words of every row of the block from ``source``, rows of ``width`` words."""
    first = uint64(cuda.blockIdx.x) * uint64(cuda.blockDim.x)
    stop = min(uint64(cuda.blockDim.x), uint64(games) - first) * uint64(width)
    index = uint64(cuda.threadIdx.x)
    row = uint64(0)
    column = index
    while index < stop:
        while column >= uint64(width):
            column -= uint64(width)
            row += uint64(1)
        rows[row * uint64(length) + column] = source[first * uint64(width) + index]
        index += uint64(cuda.blockDim.x)
        column += uint64(cuda.blockDim.x)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def store_rows(rows, length, offset, width, games, out):  # type: ignore[no-untyped-def]
    """Write ``width`` words from word ``offset`` of every row of the block on to ``out``, rows of ``width``
    words."""
    first = uint64(cuda.blockIdx.x) * uint64(cuda.blockDim.x)
    stop = min(uint64(cuda.blockDim.x), uint64(games) - first) * uint64(width)
    index = uint64(cuda.threadIdx.x)
    row = uint64(0)
    column = index
    while index < stop:
        while column >= uint64(width):
            column -= uint64(width)
            row += uint64(1)
        out[first * uint64(width) + index] = rows[row * uint64(length) + uint64(offset) + column]
        index += uint64(cuda.blockDim.x)
        column += uint64(cuda.blockDim.x)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def copy_row(rows, at, width, out, row):  # type: ignore[no-untyped-def]
    """Write ``width`` words from ``rows[at]`` on to row ``row`` of ``out``, by one thread."""
    for column in range(uint64(width)):
        out[uint64(row) * uint64(width) + column] = rows[uint64(at) + column]


def record_at(rows: Any, start: int, records: Any) -> Any:
    """The record, of the type of ``records``, that lies from byte ``rows[start]`` on (not a copy)."""
    return rows[start : start + records.dtype.itemsize].view(records.dtype).view(type(records[0]))[0]


@intrinsic
def _record_at(typing_context: Any, rows: Any, start: Any, records: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        return builder.bitcast(place, context.get_value_type(signature.return_type))

    return records.dtype(rows, types.int64, records), generate


@overload(record_at)
def _compile_record_at(rows, start, records):  # type: ignore[no-untyped-def]
    return lambda rows, start, records: _record_at(rows, start, records)  # type: ignore[call-arg]
