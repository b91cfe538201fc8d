"""Rows of cards as packed words, and how many moves they are from being sorted.

A row is one integer: four bits a position, position 0 lowest, holding the planet minus one. A set of
positions (whose chips lie where) is one integer too, a bit a position, so moving a card moves both with a
few shifts.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

LARGEST_TABLE = 9
"""Longest row whose distances are tabled; longer ones are measured when asked for."""
FAR = 100


@njit(cache=True, nogil=True)
def card_at(row, position):  # type: ignore[no-untyped-def]
    """The card (planet minus one) at ``position``."""
    return (row >> (4 * position)) & 15


@njit(cache=True, nogil=True)
def move_card(row, source, destination):  # type: ignore[no-untyped-def]
    """The row after the card at ``source`` has been taken out and put in at ``destination``."""
    card = (row >> (4 * source)) & 15
    rest = (row & ((1 << (4 * source)) - 1)) | ((row >> (4 * source + 4)) << (4 * source))
    low = rest & ((1 << (4 * destination)) - 1)
    return low | (card << (4 * destination)) | ((rest >> (4 * destination)) << (4 * destination + 4))


@njit(cache=True, nogil=True)
def move_bit(positions, source, destination):  # type: ignore[no-untyped-def]
    """The set of positions after the same move."""
    bit = (positions >> source) & 1
    rest = (positions & ((1 << source) - 1)) | ((positions >> (source + 1)) << source)
    low = rest & ((1 << destination) - 1)
    return low | (bit << destination) | ((rest >> destination) << (destination + 1))


@njit(cache=True, nogil=True)
def move_position(position, source, destination):  # type: ignore[no-untyped-def]
    """Where the card at ``position``, not the moved one, lies after the move."""
    after = position - (source < position)
    return after + (destination <= after)


@njit(cache=True, nogil=True)
def rank_of(row, n):  # type: ignore[no-untyped-def]
    """The row's place among all rows of ``n`` cards in lexicographic order."""
    rank = 0
    left = (1 << n) - 1
    for position in range(n):
        card = (row >> (4 * position)) & 15
        below = left & ((1 << card) - 1)
        below = (below & 0x555) + ((below >> 1) & 0x555)
        below = (below & 0x333) + ((below >> 2) & 0x333)
        rank = rank * (n - position) + (below & 15) + ((below >> 4) & 15) + (below >> 8)
        left &= ~(1 << card)
    return rank


@njit(cache=True, nogil=True)
def row_of(rank, n):  # type: ignore[no-untyped-def]
    """The inverse of ``rank_of``."""
    base = 1
    for size in range(1, n):
        base *= size
    left = (1 << n) - 1
    row = 0
    for position in range(n):
        skip = rank // base
        rank -= skip * base
        if position < n - 1:
            base //= n - 1 - position
        card = 0
        while True:
            if (left >> card) & 1:
                if skip == 0:
                    break
                skip -= 1
            card += 1
        left &= ~(1 << card)
        row |= card << (4 * position)
    return row


@njit(cache=True, nogil=True)
def all_rows(n):  # type: ignore[no-untyped-def]
    """Every row of ``n`` cards, ``(n!,) int64``."""
    count = 1
    for size in range(2, n + 1):
        count *= size
    rows = np.empty(count, np.int64)
    for rank in range(count):
        rows[rank] = row_of(rank, n)
    return rows


@njit(cache=True, nogil=True)
def _fill_tables(n, holes, distance, useful):  # type: ignore[no-untyped-def]
    # Breadth first from the two sorted rows, backwards: a card that went to d (never an end) came from any s.
    queue = np.empty(distance.size, np.int64)
    tail = 0
    for hole in range(holes):
        up = 0
        down = 0
        for position in range(n):
            up |= position << (4 * position)
            down |= (n - 1 - position) << (4 * position)
        for row in (up, down):
            distance[hole, rank_of(row, n)] = 0
            queue[tail] = row * 16 + hole
            tail += 1
    head = 0
    while head < tail:
        hole = queue[head] & 15
        row = queue[head] >> 4
        head += 1
        steps = distance[hole, rank_of(row, n)] + 1
        for d in range(1, n - 1):
            if holes > 1 and d == hole:
                continue
            for s in range(n):
                if s == d:
                    continue
                before = move_card(row, d, s)
                place = move_position(hole, d, s) if holes > 1 else 0
                rank = rank_of(before, n)
                if distance[place, rank] == 100:
                    distance[place, rank] = steps
                    queue[tail] = before * 16 + place
                    tail += 1
                if distance[place, rank] == steps:
                    useful[place, rank] |= 1 << s


def distance_tables(n: int, has_blackhole: bool) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """How far every row is from sorted when all cards are known, and which cards bring it nearer.

    Args:
        n: cards in the row. Above ``LARGEST_TABLE`` the tables are empty and ``distance_of`` measures
            instead.
        has_blackhole: one card, whose position is the first index, never moves itself.

    Returns:
        ``distance`` (h, n!) int8 and ``useful`` (h, n!) int16, a set of positions; h is n with a
        Blackhole, else 1.
    """
    holes = n if has_blackhole else 1
    if n > LARGEST_TABLE:
        return np.zeros((1, 0), np.int8), np.zeros((1, 0), np.int16)
    count = 1
    for size in range(2, n + 1):
        count *= size
    distance = np.full((holes, count), FAR, np.int8)
    useful = np.zeros((holes, count), np.int16)
    _fill_tables(n, holes, distance, useful)
    return distance, useful


@njit(cache=True, nogil=True)
def _longest_kept(row, n, up):  # type: ignore[no-untyped-def]
    # The most cards that can stay, in order. An end card that stays must be the one that belongs there.
    best = np.zeros(16, np.int64)
    longest = 0
    for position in range(n):
        card = (row >> (4 * position)) & 15
        if not up:
            card = n - 1 - card
        if (position == 0 and card != 0) or (position == n - 1 and card != n - 1):
            continue
        length = 1
        for earlier in range(position):
            other = (row >> (4 * earlier)) & 15
            if not up:
                other = n - 1 - other
            if other < card and best[earlier] >= length:
                length = best[earlier] + 1
        best[position] = length
        longest = max(longest, length)
    return longest


@njit(cache=True, nogil=True)
def _sorts(row, source, n):  # type: ignore[no-untyped-def]
    # Whether taking the card at source out leaves the rest in order (1: rising, -1: falling, 0: no).
    rising = True
    falling = True
    last = -1
    for position in range(n):
        if position == source:
            continue
        card = (row >> (4 * position)) & 15
        if last >= 0:
            if card > last:
                falling = False
            else:
                rising = False
        last = card
    card = (row >> (4 * source)) & 15
    inside = card != 0 and card != n - 1
    if not inside:
        return 0
    return 1 if rising else (-1 if falling else 0)


@njit(cache=True, nogil=True)
def distance_of(row, hole, n, distance, useful):  # type: ignore[no-untyped-def]
    """Moves to a sorted row when all cards are known, and the positions whose cards bring it nearer."""
    if n <= LARGEST_TABLE:
        rank = rank_of(row, n)
        place = max(hole, 0)
        return distance[place, rank], useful[place, rank]
    steps = n - max(_longest_kept(row, n, True), _longest_kept(row, n, False))
    sources = (1 << n) - 1
    if steps == 1:
        sources = 0
        for source in range(n):
            if _sorts(row, source, n) != 0:
                sources |= 1 << source
    return steps, sources
