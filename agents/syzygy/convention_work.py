"""How much work is left: the moves a row still needs, as everybody at the table would estimate them.

A row is in order when its cards rise from left to right. The cards of a longest rising chain may stay,
every other card must be moved once, and so must a card nobody has looked at. Three things make it harder.
A card cannot be put at an end of the row: so the leftmost card of the chain must be the 1, or have a card on
its left that is going to leave (and the same on the right). The Blackhole cannot be moved, so the chain must
include it. And a Blackhole that lies at an end stays there.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from unspoken.agents.syzygy.convention_sets import MIDDLE, SIZE, Floats, Ints

NEVER = -100
LARGEST = 16


class Weights(NamedTuple):
    """How the team weighs what it cannot count, in moves.

    Attributes:
        spacing: each place away from the place of the card's number.
        shared: two numbers told by the same place.
        crowd: each further number at that place.
        clash: two numbers told by the same place, times how likely another placed card is one of them.
        pair: two placed cards with the same two possible numbers, so that their order is open.
        lost: a row that can no longer be won.
        lonely: a Blackhole beside an end that holds a card nobody has looked at: looking takes it away.
        look: subtracted for looking at a new card.
        keep: subtracted for passing.
        doubt: each card whose number is not public after the turn.
        spare_doubt: added to ``doubt`` while there are ``spare`` turns more than cards nobody has looked at.
        spare: see ``spare_doubt``.
        hurry: passing while the work left is more than the turns left less ``margin``.
        margin: see ``hurry``.
        alarm: turns that must be left for an alarm.
    """

    spacing: float = 0.03
    shared: float = 1.0
    crowd: float = 1.3
    clash: float = 1.5
    pair: float = 0.5
    lost: float = 2.5
    lonely: float = 2.6
    look: float = 0.06
    keep: float = 0.05
    doubt: float = 0.2
    spare_doubt: float = 0.8
    spare: int = 3
    hurry: float = 1.0
    margin: int = 6
    alarm: int = 3


class Chains(NamedTuple):
    """Room to count in, by index in the row.

    Attributes:
        middle: twice the card's value, or the middle of its values; 0 for a card nobody has looked at.
        left, right: length of the longest chain that ends, and that begins, with this card.
        beyond: length of the longest chain that begins here or further right, for one value.
    """

    middle: Ints
    left: Ints
    right: Ints
    beyond: Ints


def new_chains() -> Chains:
    """Scratch for rows of any length."""
    return Chains(*(np.zeros(LARGEST, np.int64) for _ in Chains._fields))


@njit(cache=True, nogil=True)
def _fill(setting, table, sets, without, excluded, lost_value, chains):  # type: ignore[no-untyped-def]
    """Write ``chains.middle`` for the row without the card at ``without``, values ``excluded`` being taken.

    Returns the number of cards, the Blackhole's index (-1 without one) and the number of other cards.
    """
    length = 0
    blackhole = -1
    for position in range(setting.n):
        if position == without:
            continue
        card = table.row[position]
        if card == setting.blackhole:
            chains.middle[length] = 2 * lost_value
            blackhole = length
        else:
            values = sets[card] & ~excluded
            if values == 0:
                values = sets[card]
            known = table.placed[card] or SIZE[values] == 1
            chains.middle[length] = MIDDLE[values] if known else 0
        length += 1
    return length, blackhole, length - (blackhole >= 0)


@njit(cache=True, nogil=True)
def _grow(length, highest, blackhole, chains):  # type: ignore[no-untyped-def]
    """Write ``chains.left`` and ``chains.right``, and return the length of the longest chain.

    A chain that gets past the Blackhole includes it. ``highest`` is the largest value. The length does not
    count the Blackhole; it is negative if no chain is possible.
    """
    middle, left, right = chains.middle, chains.left, chains.right
    longest = 0
    for index in range(length):
        left[index] = NEVER
        if middle[index] == 0:
            continue
        past = 0 <= blackhole < index
        best = 0 if not past and (index > 0 or middle[index] == 2) else NEVER
        for before in range(blackhole if past else 0, index):
            if middle[before] and middle[before] <= middle[index] and left[before] > best:
                best = left[before]
        left[index] = best + 1
    for index in range(length - 1, -1, -1):
        right[index] = NEVER
        if middle[index] == 0:
            continue
        past = index < blackhole
        best = 0 if not past and (index < length - 1 or middle[index] == 2 * highest) else NEVER
        for after in range(index + 1, blackhole + 1 if past else length):
            if middle[after] and middle[after] >= middle[index] and right[after] > best:
                best = right[after]
        right[index] = best + 1
        if (index > 0 or middle[index] == 2) and right[index] > longest:
            longest = right[index]
    if blackhole >= 0:
        longest = left[blackhole] + right[blackhole] - 2
    return longest


@njit(cache=True, nogil=True)
def _open_pairs(setting, table, sets, without, excluded):  # type: ignore[no-untyped-def]
    """Number of pairs of placed cards that have the same two values."""
    pairs = 0
    for position in range(setting.n):
        card = table.row[position]
        values = sets[card] & ~excluded
        if position == without or not table.placed[card] or SIZE[values] != 2:
            continue
        for later in range(position + 1, setting.n):
            other = table.row[later]
            pairs += later != without and table.placed[other] and sets[other] & ~excluded == values
    return pairs


@njit(cache=True, nogil=True)
def work_now(setting, weights, table, sets, chains):  # type: ignore[no-untyped-def]
    """Moves that the row as it stands still needs, if the cards' values are as in ``sets``."""
    n = setting.n
    has_blackhole = setting.blackhole >= 0
    blackhole_values = sets[setting.blackhole] if has_blackhole else 1
    total = 0.0
    for value in range(n + 1):
        if not blackhole_values >> value & 1:
            continue
        excluded = 1 << value if has_blackhole else 0
        length, index, cards = _fill(setting, table, sets, -1, excluded, value, chains)
        longest = _grow(length, n, index, chains)
        total += cards - longest if longest >= 0 else cards + weights.lost
        total += weights.pair * _open_pairs(setting, table, sets, -1, excluded)
        if (index == 1 and value != 1 and not table.placed[table.row[0]]) or (
            index == n - 2 and value != n and not table.placed[table.row[n - 1]]
        ):
            total += weights.lonely
    return total / SIZE[blackhole_values]


@njit(cache=True, nogil=True)
def work_after(setting, weights, table, sets, source, chains, work):  # type: ignore[no-untyped-def]
    """Write into ``work[value, d]`` the moves still needed once the card at ``source``, a ``value``, is at d.

    For every value of the card's set and every d between the ends.
    """
    n = setting.n
    has_blackhole = setting.blackhole >= 0
    blackhole_values = sets[setting.blackhole] if has_blackhole else 1
    mine = sets[table.row[source]]
    work[: n + 1, :n] = 0.0
    # A value that no known card shares changes nothing about the others: count their chains only once.
    shared = 0
    for position in range(n):
        card = table.row[position]
        if position == source or card == setting.blackhole:
            continue
        size = SIZE[sets[card]]
        if size > 1 if table.placed[card] else size <= 2 + has_blackhole:
            shared |= sets[card]
    first = table.row[1 if source == 0 else 0]
    last = table.row[n - 2 if source == n - 1 else n - 1]
    for lost_value in range(n + 1):
        if not blackhole_values >> lost_value & 1:
            continue
        taken = 1 << lost_value if has_blackhole else 0
        ready = False
        length, index, cards, longest, pairs = 0, -1, 0, 0, 0
        for value in range(1, n + 1):
            bit = 1 << value
            if not mine & bit or (has_blackhole and taken == bit and blackhole_values != bit):
                continue
            if not ready or shared & bit:
                excluded = taken | (shared & bit)
                length, index, cards = _fill(setting, table, sets, source, excluded, lost_value, chains)
                longest = _grow(length, n, index, chains)
                pairs = _open_pairs(setting, table, sets, source, excluded)
                ready = not shared & bit
            lonely_left = index == 1 and lost_value != 1 and not table.placed[first]
            lonely_right = index == length - 2 and lost_value != n and not table.placed[last]
            best = 0
            for after in range(length - 1, 0, -1):
                if after == index:
                    best = NEVER
                if chains.middle[after] >= 2 * value and chains.right[after] > best:
                    best = chains.right[after]
                chains.beyond[after] = best
            best = 0
            for d in range(1, n - 1):
                before = d - 1
                if before == index:
                    best = NEVER
                if 0 < chains.middle[before] <= 2 * value and chains.left[before] > best:
                    best = chains.left[before]
                stay = max(best + chains.beyond[d] + (0 if has_blackhole else 1), longest)
                work[value, d] += cards + 1 - stay if stay >= 0 else cards + 1 + weights.lost
                work[value, d] += weights.pair * pairs
                if (lonely_left and d > 1) or (lonely_right and d <= index):
                    work[value, d] += weights.lonely
    for value in range(1, n + 1):
        cases = SIZE[blackhole_values]
        if has_blackhole and cases > 1:
            cases -= blackhole_values >> value & 1
        for d in range(1, n - 1):
            work[value, d] = work[value, d] / cases + weights.spacing * abs(d - (value - 1))


def new_work() -> Floats:
    """A table for ``work_after``."""
    return np.zeros((LARGEST, LARGEST))
