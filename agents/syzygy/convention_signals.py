"""The convention itself: which place says which number, which card to take, what a move or a pass tells.

``left`` is the number of turns left, the one being played included. Nothing is said on the last turn.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from unspoken.agents.syzygy.convention_sets import SIZE, Floats, Ints, Table, conclude, move_card
from unspoken.agents.syzygy.convention_work import (
    LARGEST,
    Chains,
    new_chains,
    new_work,
    work_after,
    work_now,
)

IMPOSSIBLE = 1e9
MOST_KNOWN = 3


class Scratch(NamedTuple):
    """Room to work in.

    Attributes:
        chains: for ``work_now`` and ``work_after``.
        said: work by value and place, as the public sets have it.
        meant: work by value and place, as the mover's own sets have it.
        place, word: by value, the place and the emotion that say it.
        best, group: tables of ``agree``.
        mine: ``(n,)`` sets as one player has them.
        keep: ``(n,)`` sets that are left after a pass.
    """

    chains: Chains
    said: Floats
    meant: Floats
    place: Ints
    word: Ints
    best: Floats
    group: Ints
    mine: Ints
    keep: Ints


def new_scratch(n: int) -> Scratch:
    """Room for rows of n cards."""
    return Scratch(
        new_chains(),
        new_work(),
        new_work(),
        np.zeros(LARGEST, np.int64),
        np.zeros(LARGEST, np.int64),
        new_work(),
        np.zeros((LARGEST, LARGEST), np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )


@njit(cache=True, nogil=True)
def forget_contradictions(sets: Any, n: Any) -> Any:
    """If some card can have no value, somebody does not play the convention: forget all, and return True."""
    for card in range(n):
        if sets[card] == 0:
            sets[:] = (2 << n) - 2
            return True
    return False


@njit(cache=True, nogil=True)
def agree(setting, weights, table, source, scratch):  # type: ignore[no-untyped-def]
    """Which place (and which emotion) says which number, for the card at ``source``.

    Numbers go to places in rising order so that the work left is least in total. Neighbouring numbers may
    share a place; the emotion then tells them apart, as far as there are emotions.
    """
    n = setting.n
    card = table.row[source]
    values = table.sets[card]
    work_after(setting, weights, table, table.sets, source, scratch.chains, scratch.said)
    said, best, group = scratch.said, scratch.best, scratch.group
    listed = np.zeros(LARGEST, np.int64)
    clash = np.zeros(LARGEST)
    count = 0
    for value in range(1, n + 1):
        if values >> value & 1:
            listed[count] = value
            if count > 0:
                both = 1 << value | 1 << listed[count - 1]
                for other in range(n):
                    if (
                        other != card
                        and (table.placed[other] or other == setting.blackhole)
                        and table.sets[other] & both == both
                    ):
                        clash[count] += 2.0 / SIZE[table.sets[other]]
            count += 1
    # best[k, d]: least cost of the first k numbers at places up to d; group[k, d]: how many of them share d.
    best[0, :] = 0.0
    best[1 : count + 1, 0] = IMPOSSIBLE
    for d in range(1, n - 1):
        for told in range(1, count + 1):
            best[told, d] = best[told, d - 1]
            group[told, d] = 0
            if d == source:
                continue
            cost = 0.0
            for size in range(1, told + 1):
                cost += said[listed[told - size], d]
                if size > setting.emotions:
                    cost += weights.shared + weights.clash * clash[told - size + 1]
                    cost += weights.crowd * (size - setting.emotions - 1)
                if best[told - size, d - 1] + cost < best[told, d] - 1e-9:
                    best[told, d] = best[told - size, d - 1] + cost
                    group[told, d] = size
    told = count
    d = n - 2
    while told > 0:
        for member in range(group[told, d]):
            value = listed[told - 1 - member]
            scratch.place[value] = d
            scratch.word[value] = member % setting.emotions
        told -= group[told, d]
        d -= 1


@njit(cache=True, nogil=True)
def _the_only_doubt(sets, mine, n):  # type: ignore[no-untyped-def]
    """The two values of the only two cards in public doubt, if ``mine`` knows which is which; else 0."""
    doubt = 0
    for card in range(n):
        if SIZE[sets[card]] > 1:
            if SIZE[sets[card]] > 2 or SIZE[mine[card]] > 1 or doubt not in (0, sets[card]):
                return 0
            doubt = sets[card]
    return doubt


@njit(cache=True, nogil=True)
def choose_source(setting, weights, table, mine, seat, left, scratch):  # type: ignore[no-untyped-def]
    """The position of the card to take, -1 to pass: whichever leaves the least work and doubt."""
    n = setting.n
    sets = table.sets
    new = n - (setting.blackhole >= 0)
    for card in range(n):
        new -= table.placed[card] != 0 and card != setting.blackhole
    doubt = 0.0
    if left > 1:
        doubt = weights.doubt + (weights.spare_doubt if left - new >= weights.spare else 0.0)
    # On the last turn a card that has not been looked at is in its place or not, like any other.
    placed = table.placed if left > 1 else np.ones(n, np.int64)
    view = Table(table.row, sets, placed, table.chips)
    work = work_now(setting, weights, view, mine, scratch.chains)
    cost = work - weights.keep + (weights.hurry if work > left - weights.margin else 0.0)
    for card in range(n):
        open_to_all = SIZE[sets[card]] > 1
        told_by_passing = setting.remembers and SIZE[sets[card]] == 2 and SIZE[mine[card]] == 1
        cost += doubt * (open_to_all and not told_by_passing)
    private = False
    for card in range(n):
        private = private or mine[card] != sets[card]
    chosen = -1
    for position in range(n):
        card = table.row[position]
        if card == setting.blackhole or table.chips[card] >> seat & 1:
            continue
        after = _work_of_taking(setting, weights, view, mine, private, position, left, doubt, scratch)
        if not placed[card]:
            after -= weights.look
        if after < cost - 1e-9:
            cost = after
            chosen = position
    may_alarm = setting.remembers and left >= weights.alarm
    if chosen < 0 and may_alarm and work > 0.99 and _the_only_doubt(sets, mine, n):
        return _alarm(setting, weights, view, mine, seat, scratch)
    return chosen


@njit(cache=True, nogil=True)
def _work_of_taking(setting, weights, table, mine, private, source, left, doubt, scratch):  # type: ignore[no-untyped-def]
    """Expected work and doubt after taking the card at ``source``, over the values it has in ``mine``.

    ``private``: whether ``mine`` differs from the public sets.
    """
    n = setting.n
    card = table.row[source]
    speaks = SIZE[table.sets[card]] > 1 and left > 1
    if speaks:
        agree(setting, weights, table, source, scratch)
    meant, place, word = scratch.said, scratch.place, scratch.word
    if private or not speaks:
        meant = scratch.meant
        work_after(setting, weights, table, mine, source, scratch.chains, meant)
    total = 0.0
    for value in range(1, n + 1):
        if not mine[card] >> value & 1:
            continue
        if not speaks:
            total += meant[value, _best_place(meant, value, source, n)]
        else:
            total += meant[value, place[value]]
            alone = True
            for other in range(1, n + 1):
                if table.sets[card] >> other & 1 and other != value and place[other] == place[value]:
                    alone = alone and word[other] != word[value]
            total += doubt * (not alone)
        for other in range(n):
            if other != card or not speaks:
                struck = 1 << value if speaks else 0
                total += doubt * (SIZE[table.sets[other] & ~struck] > 1)
    return total / SIZE[mine[card]]


@njit(cache=True, nogil=True)
def _best_place(work, value, source, n):  # type: ignore[no-untyped-def]
    chosen = 0
    for d in range(1, n - 1):
        if d != source and (chosen == 0 or work[value, d] < work[value, chosen] - 1e-9):
            chosen = d
    return chosen


@njit(cache=True, nogil=True)
def _alarm(setting, weights, table, mine, seat, scratch):  # type: ignore[no-untyped-def]
    """The card whose removal does least harm, among those everybody knows; -1 if there is none."""
    n = setting.n
    chosen = -1
    least = IMPOSSIBLE
    for position in range(n):
        card = table.row[position]
        if card == setting.blackhole or table.chips[card] >> seat & 1 or SIZE[table.sets[card]] > 1:
            continue
        work_after(setting, weights, table, mine, position, scratch.chains, scratch.meant)
        for value in range(1, n + 1):
            if table.sets[card] >> value & 1:
                harm = scratch.meant[value, _best_place(scratch.meant, value, position, n)]
                if harm < least - 1e-9:
                    least = harm
                    chosen = position
    return chosen


@njit(cache=True, nogil=True)
def choose_destination(setting, weights, table, mine, source, value, left, scratch):  # type: ignore[no-untyped-def]
    """Where to put the card at ``source``, which is ``value``, and with which emotion."""
    card = table.row[source]
    if SIZE[table.sets[card]] > 1 and left > 1 and table.sets[card] >> value & 1:
        agree(setting, weights, table, source, scratch)
        return scratch.place[value], scratch.word[value]
    work_after(setting, weights, table, mine, source, scratch.chains, scratch.meant)
    return _best_place(scratch.meant, value, source, setting.n), 0


@njit(cache=True, nogil=True)
def read_move(setting, weights, table, seat, source, destination, word, left, scratch):  # type: ignore[no-untyped-def]
    """Play a move on the public table and write down what it says."""
    n = setting.n
    card = table.row[source]
    if SIZE[table.sets[card]] > 1:
        agree(setting, weights, table, source, scratch)
        told = 0
        for value in range(1, n + 1):
            if scratch.place[value] == destination and scratch.word[value] == word:
                told |= 1 << value
        if told & table.sets[card]:
            table.sets[card] &= told
            table.placed[card] = 1
            conclude(table.sets, n)
    elif setting.remembers and left >= weights.alarm:
        _read_alarm(setting, weights, table, seat, source, destination, scratch)
    forget_contradictions(table.sets, n)
    table.placed[card] = 1
    table.chips[card] |= 1 << seat
    move_card(table.row, source, destination)


@njit(cache=True, nogil=True)
def _read_alarm(setting, weights, table, seat, source, destination, scratch):  # type: ignore[no-untyped-def]
    """Somebody who knows the one thing in doubt makes work for the others: it is the other way round."""
    n = setting.n
    sets, mine = table.sets, scratch.mine
    mine[:] = sets
    for card in range(n):
        if table.chips[card] >> seat & 1 and SIZE[sets[card]] == 2:
            mine[card] = sets[card] & -sets[card]
    conclude(mine, n)
    doubt = _the_only_doubt(sets, mine, n)
    if doubt == 0:
        return
    before = work_now(setting, weights, table, sets, scratch.chains)
    work_after(setting, weights, table, sets, source, scratch.chains, scratch.said)
    value = 0
    while not sets[table.row[source]] >> value & 1:
        value += 1
    after = scratch.said[value, destination] - weights.spacing * abs(destination - (value - 1))
    if after > before + 0.4:
        low = doubt & -doubt
        told = doubt & ~low
        for position in range(n):
            if sets[table.row[position]] == doubt:
                sets[table.row[position]] = told
                told = low


@njit(cache=True, nogil=True)
def read_pass(setting, weights, table, seat, left, scratch):  # type: ignore[no-untyped-def]
    """Strike out what the player at ``seat``, having looked, would have acted on instead of passing."""
    n = setting.n
    sets, mine, keep = table.sets, scratch.mine, scratch.keep
    known = np.zeros(MOST_KNOWN, np.int64)
    count = 0
    for card in range(n):
        if table.chips[card] >> seat & 1 and SIZE[sets[card]] == 2 and count < MOST_KNOWN:
            known[count] = card
            count += 1
    if count == 0:
        return
    keep[:] = 0
    for case in range(1 << count):
        mine[:] = sets
        for index in range(count):
            low = sets[known[index]] & -sets[known[index]]
            mine[known[index]] = sets[known[index]] & ~low if case >> index & 1 else low
        possible = True
        for index in range(count):
            for other in range(index):
                possible = possible and mine[known[index]] != mine[known[other]]
        if possible:
            conclude(mine, n)
            for card in range(n):
                possible = possible and mine[card] != 0
        if possible and choose_source(setting, weights, table, mine, seat, left, scratch) < 0:
            for card in range(n):
                keep[card] |= mine[card]
    if keep[known[0]] != 0:
        for card in range(n):
            sets[card] &= keep[card]
        conclude(sets, n)
        forget_contradictions(sets, n)
