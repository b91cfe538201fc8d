"""A plan improved cell by cell, each change judged by playing out the bins that it touches.

``belief_plan`` assigns cells by an estimate of what a bin is worth. Here a bin is worth the rows that the
team wins from it when it goes on by plan, which is counted. One cell at a time is taken out of its bins and
put where it wins most: for each source, card by card, at the best destination given the cards before it.
"""

import numpy as np
from numba import njit

from unspoken.agents.syzygy.belief_plan import codes_of, sort_keys
from unspoken.agents.syzygy.belief_play import after_move, play_out
from unspoken.agents.syzygy.belief_rows import card_at, move_card

_NOWHERE = -1
"""The action of a row whose cell has been taken out."""
_HOPELESS = -(1 << 30)
"""Instead of a gain. Gains may be negative: more rows in a bin can make it harder to go on from."""


@njit(cache=True, nogil=True)
def _bin_wins(  # type: ignore[no-untyped-def]
    rows, action, bin_, sets, turn, n, turns, values, sizes, distance, useful, sweeps
):
    # Of the rows with this action, how many are won if the team goes on by plan.
    moved = np.empty(rows.shape[0], np.int64)
    count = 0
    for i in range(rows.shape[0]):
        if action[i] == bin_:
            moved[count] = rows[i] if bin_ == n * n else move_card(rows[i], bin_ // n, bin_ % n)
            count += 1
    if count == 0:
        return 0
    child = np.empty((1, sets.shape[0]), np.int64)
    child[0] = after_move(sets, bin_, n, turn % (sets.shape[0] - 1))
    unused = np.empty((1, 1), np.int64)
    won = play_out(
        moved[:count],
        np.array([0, count]),
        child,
        turn + 1,
        n,
        turns,
        values,
        sizes,
        distance,
        useful,
        sweeps,
        False,
        unused,
        unused,
    )
    total = 0
    for i in range(count):
        total += won[i]
    return total


@njit(cache=True, nogil=True)
def _place(  # type: ignore[no-untyped-def]
    cell,
    source,
    least,
    rows,
    action,
    wins,
    sets,
    turn,
    n,
    turns,
    values,
    sizes,
    distance,
    useful,
    sweeps,
):
    """Give the rows ``cell`` (indices), which are nowhere, this source and good destinations.

    Updates ``action`` and ``wins``. Returns the rows gained, or ``_HOPELESS`` once other rows than these
    would have to be won to gain more than ``least``.
    """
    gain = 0
    left = cell.shape[0]
    for first in range(cell.shape[0]):
        if action[cell[first]] != _NOWHERE:
            continue
        if gain + left <= least:
            return _HOPELESS
        card = -1 if source == n else card_at(rows[cell[first]], source)
        group = np.empty(cell.shape[0], np.int64)
        size = 0
        for i in range(first, cell.shape[0]):
            if source == n or card_at(rows[cell[i]], source) == card:
                group[size] = cell[i]
                size += 1
        best_bin = -1
        best_wins = 0
        best_gain = -rows.shape[0] - 1
        for destination in range(1, 2 if source == n else n - 1):
            if destination == source or best_gain >= size:
                continue
            bin_ = n * n if source == n else source * n + destination
            for i in range(size):
                action[group[i]] = bin_
            won = _bin_wins(rows, action, bin_, sets, turn, n, turns, values, sizes, distance, useful, sweeps)
            if won - wins[bin_] > best_gain:
                best_gain = won - wins[bin_]
                best_bin = bin_
                best_wins = won
        for i in range(size):
            action[group[i]] = best_bin
        wins[best_bin] = best_wins
        gain += best_gain
        left -= size
    return gain


@njit(cache=True, nogil=True)
def refine(  # type: ignore[no-untyped-def]
    rows, sets, turn, n, turns, values, sizes, distance, useful, sweeps, times, action
):
    """Improve the plan ``action`` of a turn in place.

    Args:
        rows, sets, turn, n, turns: the node, as for ``belief_play.plan_node``.
        values, sizes, distance, useful, sweeps: what the team goes on by, see there.
        times: how often each cell is looked at; it ends early when nothing changes.
        action: ``(N,) int64``, the plan's action for each row.

    Returns:
        Rows won if the team goes on by plan; never fewer than before.
    """
    players = sets.shape[0] - 1
    chips = sets[turn % players]
    codes = codes_of(rows, chips, n)
    order = np.empty(rows.shape[0], np.int64)
    sort_keys(codes, order)
    wins = np.zeros(n * n + 1, np.int64)
    for bin_ in range(n * n + 1):
        wins[bin_] = _bin_wins(
            rows, action, bin_, sets, turn, n, turns, values, sizes, distance, useful, sweeps
        )
    for _ in range(times):
        changed = False
        start = 0
        while start < rows.shape[0]:
            end = start + 1
            while end < rows.shape[0] and codes[order[end]] == codes[order[start]]:
                end += 1
            cell = order[start:end]
            start = end
            kept = action[cell]
            kept_wins = wins.copy()
            for row in cell:
                action[row] = _NOWHERE
            for bin_ in np.unique(kept):
                wins[bin_] = _bin_wins(
                    rows, action, bin_, sets, turn, n, turns, values, sizes, distance, useful, sweeps
                )
            without = wins.copy()
            best = kept_wins.sum() - without.sum()
            for source in range(n + 1):
                if source < n and ((chips >> source) & 1 or source == sets[players]):
                    continue
                wins[:] = without
                for row in cell:
                    action[row] = _NOWHERE
                gain = _place(
                    cell,
                    source,
                    best,
                    rows,
                    action,
                    wins,
                    sets,
                    turn,
                    n,
                    turns,
                    values,
                    sizes,
                    distance,
                    useful,
                    sweeps,
                )
                if gain > best:
                    best = gain
                    kept = action[cell]
                    kept_wins = wins.copy()
                    changed = True
            action[cell] = kept
            wins[:] = kept_wins
            if wins.sum() == rows.shape[0]:
                return rows.shape[0]
        if not changed:
            break
    return wins.sum()
