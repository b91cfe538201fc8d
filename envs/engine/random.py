"""The random numbers of a game: one small generator per game, kept in the game's own state.

A stream is keyed by (seed, game slot, episode number), so game i of a batch is the same whatever the batch
size, the number of threads or the device. All arithmetic is on ``uint64`` and never overflows, so it gives
the same numbers compiled, on a GPU and as ordinary Python (``NUMBA_DISABLE_JIT=1``).
"""

import secrets
from numbers import Integral

import numpy as np
import numpy.typing as npt
from numba import njit

MAX_SEED = 2**64 - 1

_LOW_32_BITS = np.uint64(0xFFFFFFFF)
_LANE_A = np.uint64(0x9E3779B9)
_LANE_B = np.uint64(0x7F4A7C15)
_MULTIPLIER_A = np.uint64(0x85EBCA6B)
_MULTIPLIER_B = np.uint64(0xC2B2AE35)
_ONE = np.uint64(1)
_7 = np.uint64(7)
_13 = np.uint64(13)
_16 = np.uint64(16)
_17 = np.uint64(17)
_32 = np.uint64(32)


def check_seed(seed: object) -> int:
    """Return ``seed`` as an ``int``, or a fresh random one for ``None``.

    Raises:
        TypeError: ``seed`` is not an integer.
        ValueError: ``seed`` is outside 0 .. 2**64 - 1.
    """
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, Integral):
        raise TypeError(f"seed={seed!r}: must be an integer from 0 to 2**64 - 1, or None")
    if not 0 <= int(seed) <= MAX_SEED:
        raise ValueError(f"seed={seed!r}: must be from 0 to 2**64 - 1")
    return int(seed)


@njit(cache=True, nogil=True)
def _mix(word):  # type: ignore[no-untyped-def]
    """Scramble the low 32 bits (a bijection with full avalanche, the finalizer of MurmurHash3)."""
    word = word & _LOW_32_BITS
    word = word ^ (word >> _16)
    word = (word * _MULTIPLIER_A) & _LOW_32_BITS
    word = word ^ (word >> _13)
    word = (word * _MULTIPLIER_B) & _LOW_32_BITS
    return word ^ (word >> _16)


@njit(cache=True, nogil=True)
def stream(seed, slot, episode):  # type: ignore[no-untyped-def]
    """The generator (a non-zero ``uint64``) of a game slot and episode; all arguments are ``uint64``."""
    a = _mix(_mix(_mix(_mix(_LANE_A ^ seed) ^ (seed >> _32)) ^ slot) ^ episode)
    b = _mix(_mix(_mix(_mix(_LANE_B ^ seed) ^ (seed >> _32)) ^ slot) ^ episode)
    return (a << _32) | b | _ONE


@njit(cache=True, nogil=True)
def advance(generator):  # type: ignore[no-untyped-def]
    """The generator's next value (xorshift64, period 2**64 - 1)."""
    generator = generator ^ (generator << _13)
    generator = generator ^ (generator >> _7)
    return generator ^ (generator << _17)


@njit(cache=True, nogil=True)
def below(generator, bound):  # type: ignore[no-untyped-def]
    """An integer in 0 .. bound - 1 from the generator's value (``bound`` is ``uint64``, up to 2**32)."""
    return ((generator >> _32) * bound) >> _32


def sampling_streams(num_games: int, seed: int) -> npt.NDArray[np.uint64]:
    """``(num_games,)`` generators for drawing actions, apart from the games' own."""
    slots = np.arange(num_games, dtype=np.uint64)
    generators: npt.NDArray[np.uint64] = _sampling_streams(slots, np.uint64(seed))
    return generators


@njit(cache=True, nogil=True)
def _sampling_streams(slots, seed):  # type: ignore[no-untyped-def]
    generators = np.empty(slots.shape[0], np.uint64)
    for slot in range(slots.shape[0]):
        generators[slot] = stream(seed, slots[slot], _LOW_32_BITS)
    return generators
