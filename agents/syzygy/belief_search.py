"""Plans chosen by playing them out over every row."""

import numpy as np
from numba import njit

from unspoken.agents.syzygy.belief_play import plan_node, play_out, split
from unspoken.agents.syzygy.belief_refine import refine


@njit(cache=True, nogil=True)
def search_node(  # type: ignore[no-untyped-def]
    rows,
    sets,
    turn,
    n,
    turns,
    portfolio,
    sizes,
    distance,
    useful,
    sweeps,
    refinements,
    action,
):
    """The plan, of many, that wins most rows when it is followed by plans without search.

    Candidates: with each table of values in ``portfolio``, the free plan, the plan that starts from each
    one source, and the plan that keeps to it. The best of them is refined cell by cell (``belief_refine``),
    each cell at most ``refinements`` times.
    Ends early when every row is won.

    Returns:
        Rows won. ``action`` holds the plan.
    """
    count = rows.shape[0]
    players = sets.shape[0] - 1
    mover = turn % players
    trial = np.empty(count, np.int64)
    kind = np.empty(count, np.int64)
    size = np.empty(count, np.int64)
    unused = np.empty((1, 1), np.int64)
    tried = np.empty(portfolio.shape[0] * (n + 2), np.int64)
    number = 0
    best = -1
    for only in range(-1, n + 1):
        if only >= 0 and only < n and ((sets[mover] >> only) & 1 or only == sets[players]):
            continue
        for table in range(portfolio.shape[0]):
            plan_node(
                rows,
                sets,
                turn,
                n,
                turns,
                portfolio[table],
                sizes,
                distance,
                useful,
                sweeps,
                only,
                trial,
                kind,
                size,
            )
            mark = 0
            for i in range(count):
                mark = (mark * 1000003 + trial[i] + 1) & 0xFFFFFFFFFFF
            known = False
            for i in range(number):
                known |= tried[i] == mark
            if known:
                continue
            tried[number] = mark
            number += 1
            _, starts, child_sets, moved, _ = split(rows, sets, trial, n, mover)
            won = play_out(
                moved,
                starts,
                child_sets,
                turn + 1,
                n,
                turns,
                portfolio[0],
                sizes,
                distance,
                useful,
                sweeps,
                False,
                unused,
                unused,
            )
            wins = 0
            for i in range(count):
                wins += won[i]
            if wins > best:
                best = wins
                action[:] = trial
                if best == count:
                    return best
    return refine(
        rows, sets, turn, n, turns, portfolio[0], sizes, distance, useful, sweeps, refinements, action
    )
