"""Splitting a batch of games over threads.

Games are independent, so a batch is cut into equal parts, one a thread. The compiled loops release the
interpreter's lock and the threads are ordinary ones that sleep while they wait. Nothing spins: when another
process holds a core, a batch on t threads is at worst as slow as on t - 1 (loops that spin at a barrier, as
OpenMP's do, were seen to become 30 times slower). That is why the default can use the cores there are.
"""

import os
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from numbers import Integral
from threading import Lock, Thread
from typing import Any
from weakref import finalize

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


class _Helper:
    """A thread that runs one piece of work at a time, handed over in half the time a pool takes."""

    def __init__(self) -> None:
        self._given = Lock()
        self._given.acquire()
        self._finished = Lock()
        self._finished.acquire()
        self._work: Callable[[], Any] | None = None
        self._error: BaseException | None = None
        Thread(target=self._serve, name="unspoken", daemon=True).start()

    def start(self, work: Callable[[], Any] | None) -> None:
        """Begin ``work``; ``None`` ends the thread."""
        self._work = work
        self._given.release()

    def wait(self) -> None:
        """Return when the work is done, and raise what it raised."""
        self._finished.acquire()
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def _serve(self) -> None:
        while True:
            self._given.acquire()
            work, self._work = self._work, None
            if work is None:
                return
            try:
                work()
            except BaseException as error:
                self._error = error
            del work
            self._finished.release()


class Team:
    """A fixed number of threads that share the games of a batch."""

    def __init__(self, threads: int, num_games: int) -> None:
        """``threads`` parts of ``num_games`` games; the calling thread takes the first."""
        bounds = [num_games * part // threads for part in range(threads + 1)]
        self._parts = list(pairwise(bounds))
        self._helpers = [_Helper() for _ in range(threads - 1)]
        # The threads hold their helpers, not the team: a team that nobody holds lets its threads go.
        self._release = finalize(self, _end, self._helpers)

    def run(self, work: Callable[[int, int], Any]) -> None:
        """Call ``work(start, stop)`` for every part, and return when all are done."""
        for helper, part in zip(self._helpers, self._parts[1:], strict=True):
            helper.start(partial(work, *part))
        work(*self._parts[0])
        for helper in self._helpers:
            helper.wait()

    def close(self) -> None:
        """Let the threads go; a closed team runs nothing any more."""
        self._release()


def _end(helpers: list[_Helper]) -> None:
    for helper in helpers:
        helper.start(None)
