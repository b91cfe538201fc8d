"""Splitting a batch of games over threads.

Games are independent, so a batch is cut into equal parts, one a thread. The compiled loops release the interpreter's lock
and the threads are ordinary ones that sleep while they wait. Nothing spins: when another process holds a core, a batch on
t threads is at worst as slow as on t - 1 (loops that spin at a barrier, as OpenMP's do, were seen to become 30 times slower).
That is why the default can use the cores there are.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from numbers import Integral
from typing import Any

import numpy as np

GAMES_PER_THREAD = 1024
"""Fewest games that make a further thread worth its hand-over (about 20 microseconds a step)."""


def available_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def choose_threads(threads: object, num_games: int) -> int:
    """Check ``threads``; ``None`` chooses one for every ``GAMES_PER_THREAD`` games, at most one a core.

    Raises:
        TypeError, ValueError: ``threads`` is not a positive integer.
    """
    if threads is None:
        return max(1, min(available_cores(), num_games // GAMES_PER_THREAD))
    if isinstance(threads, (bool, np.bool_)) or not isinstance(threads, Integral):
        raise TypeError(f"threads={threads!r}: must be a positive integer or None")
    if threads < 1:
        raise ValueError(f"threads={threads!r}: must be 1 or more, or None")
    return min(int(threads), num_games)


class Team:
    """A fixed number of threads that share the games of a batch."""

    def __init__(self, threads: int, num_games: int) -> None:
        """``threads`` parts of ``num_games`` games; the calling thread takes the first."""
        bounds = [num_games * part // threads for part in range(threads + 1)]
        self._parts = list(zip(bounds[:-1], bounds[1:], strict=True))
        self._pool = ThreadPoolExecutor(threads - 1, "unspoken") if threads > 1 else None

    def run(self, work: Callable[[int, int], Any]) -> None:
        """Call ``work(start, stop)`` for every part, and return when all are done."""
        if self._pool is None:
            work(*self._parts[0])
            return
        others = [self._pool.submit(work, *part) for part in self._parts[1:]]
        work(*self._parts[0])
        for other in others:
            other.result()

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
