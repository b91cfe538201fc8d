"""What everybody at the table can say about every card: sets of values, and the drawing of conclusions.

A set of values is an integer with bit v for value v. Arrays of sets are by physical card (initial position).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.envs.syzygy.config import MAX_PLANETS

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Table(NamedTuple):
    """What is public, decoded from the record of the moves.

    Attributes:
        row: ``(n,)``, the card at each position.
        sets: ``(n,)``, by card, the values it may have.
        placed: ``(n,)``, by card, 1 once it has been moved.
        chips: ``(n,)``, by card, bit s if seat s has a chip on it.
    """

    row: Ints
    sets: Ints
    placed: Ints
    chips: Ints


class Setting(NamedTuple):
    """The configuration, as the compiled functions read it."""

    n: int
    blackhole: int
    players: int
    emotions: int
    remembers: bool


def _tables() -> tuple[Ints, Ints]:
    sizes = np.zeros(1 << (MAX_PLANETS + 1), np.int64)
    spans = np.zeros_like(sizes)
    for members in range(1, len(sizes)):
        bits = [value for value in range(MAX_PLANETS + 1) if members >> value & 1]
        sizes[members] = len(bits)
        spans[members] = bits[0] + bits[-1]
    return sizes, spans


SIZE, MIDDLE = _tables()
"""By set: the number of its values, and twice the middle between its lowest and highest."""


def new_table(n: int) -> Table:
    """The table before the first turn."""
    return Table(np.arange(n), np.full(n, (2 << n) - 2), np.zeros(n, np.int64), np.zeros(n, np.int64))


@njit(cache=True, nogil=True)
def conclude(sets: Any, n: Any) -> None:
    """Each value belongs to one card: strike out what that excludes, until nothing changes.

    A card with one value takes it from the others; two cards with the same two values take both from the
    others; a value that only one card may have is that card's.
    """
    changed = True
    while changed:
        changed = False
        once = 0
        twice = 0
        for card in range(n):
            mine = sets[card]
            size = SIZE[mine]
            partner = card
            if size == 2:
                for other in range(card + 1, n):
                    if sets[other] == mine:
                        partner = other
            if size == 1 or partner != card:
                for other in range(n):
                    if other not in (card, partner) and sets[other] & mine and sets[other] != mine:
                        sets[other] &= ~mine
                        changed = True
        for card in range(n):
            twice |= once & sets[card]
            once |= sets[card]
        single = once & ~twice
        for card in range(n):
            only = sets[card] & single
            if only and sets[card] != only and SIZE[only] == 1:
                sets[card] = only
                changed = True


@njit(cache=True, nogil=True)
def move_card(row: Any, source: Any, destination: Any) -> None:
    """Take the card at ``source`` out of the row and put it back so that it lies at ``destination``."""
    card = row[source]
    step = 1 if destination > source else -1
    for position in range(source, destination, step):
        row[position] = row[position + step]
    row[destination] = card
