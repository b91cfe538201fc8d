"""The games of a block of threads in the memory on a GPU's chip: a row of words a game, one thread a game.

A thread writes its own row wherever it likes, byte by byte; between the row and the large memory the threads
of a block together move words, neighbouring threads neighbouring ones, which is what that memory is fast at.
Rows are an odd number of words apart, so that the threads of a warp do not wait for one another's words.
"""

from collections.abc import Callable
from typing import Any

import numba.cuda
import numpy as np
from numba import config, njit, types
from numba.extending import intrinsic, overload

from unspoken.envs.engine import cuda_words

cuda: Any = numba.cuda
"""Numba's module, which has no types."""

WORD = 8
"""Bytes of a word."""
THREADS = 64
"""Games of a block, if their rows fit. In a small block few games wait for the longest one."""
BLOCK_BYTES = 48 * 1024
"""Memory on the chip that every device grants a block."""
MAX_REGISTERS = 128
"""Registers of a thread: as many as leave room for 512 threads on a multiprocessor of 65,536."""

# What the games do in one call of the loop over them.
DEAL, VIEW, PLAY, DRAW = range(4)

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)

if config.ENABLE_CUDASIM:  # type: ignore[attr-defined]
    # What numba simulates runs as ordinary Python.
    kernel = cuda.jit
else:
    cuda_words.register()
    # Without optimisation at link time: what is loaded is what the offline compiler was seen to make.
    kernel = cuda.jit(cache=True, lto=False, max_registers=MAX_REGISTERS)


def block(words: int) -> tuple[int, int]:
    """(threads, bytes on the chip) of a block whose games have rows of ``words``."""
    row = (words | 1) * WORD
    threads = THREADS
    while threads * row > BLOCK_BYTES:
        threads //= 2
    return threads, threads * row if words else 0


@njit
def fetch_rows(source, width, first, games, thread, threads, rows, length):  # type: ignore[no-untyped-def]
    """Thread ``thread`` of ``threads`` reads its part of rows ``first`` .. of ``source``, ``width`` words
    each, one for each of ``games``, into the first words of ``rows``. All arguments are ``uint64``."""
    index = thread
    row = _NOTHING
    column = thread
    while index < games * width:
        while column >= width:
            column -= width
            row += _ONE
        rows[row * length + column] = source[first * width + index]
        index += threads
        column += threads


@njit
def store_rows(rows, length, offset, width, first, games, thread, threads, out):  # type: ignore[no-untyped-def]
    """The other way: from word ``offset`` of ``rows`` on to rows ``first`` .. of ``out``."""
    index = thread
    row = _NOTHING
    column = thread
    while index < games * width:
        while column >= width:
            column -= width
            row += _ONE
        out[first * width + index] = rows[row * length + offset + column]
        index += threads
        column += threads


@njit
def copy_row(rows, at, width, out, row):  # type: ignore[no-untyped-def]
    """Write ``width`` words from ``rows[at]`` on to row ``row`` of ``out``, by one thread."""
    for column in range(width):
        out[row * width + column] = rows[at + column]


def record_at(rows: Any, start: int | np.integer[Any], records: Any) -> Any:
    """The record, of the type of ``records``, that lies from byte ``rows[start]`` on (not a copy)."""
    return rows[start : start + records.dtype.itemsize].view(records.dtype).view(np.recarray)[0]


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
