"""Whole games by plan: the nodes that a plan leads to, and every row played out to the end."""

import numpy as np
from numba import njit

from unspoken.agents.syzygy.belief_plan import plan_turn, sort_keys
from unspoken.agents.syzygy.belief_rows import distance_of, move_bit, move_card, move_position


@njit(cache=True, nogil=True)
def after_move(sets, action, n, mover):  # type: ignore[no-untyped-def]
    """The position sets (chips of each seat, then the Blackhole's position) after a public move."""
    result = sets.copy()
    if action == n * n:
        return result
    source = action // n
    destination = action % n
    last = sets.shape[0] - 1
    for seat in range(last):
        result[seat] = move_bit(sets[seat], source, destination)
    result[mover] |= 1 << destination
    if sets[last] >= 0:
        result[last] = move_position(sets[last], source, destination)
    return result


@njit(cache=True, nogil=True)
def plan_node(  # type: ignore[no-untyped-def]
    rows,
    sets,
    turn,
    n,
    turns,
    values,
    sizes,
    distance,
    useful,
    sweeps,
    only,
    action,
    kind,
    size,
):
    """``plan_turn`` for the node of the tree where ``rows`` are possible and ``sets`` says where the chips
    lie.

    ``values`` is ``(turns, kinds, sizes)`` by turns left.
    """
    players = sets.shape[0] - 1
    mover = turn % players
    left = turns - 1 - turn
    chips = sets[mover]
    next_chips = sets[(mover + 1) % players]
    next_known = next_chips if left == 1 else 0
    return plan_turn(
        rows,
        n,
        sets[players],
        chips,
        chips,
        next_chips,
        next_known,
        left,
        values[left, : 2 * left + 2],
        sizes,
        distance,
        useful,
        sweeps,
        only,
        action,
        kind,
        size,
    )


@njit(cache=True, nogil=True)
def split(rows, sets, action, n, mover):  # type: ignore[no-untyped-def]
    """The nodes a plan leads to.

    Returns:
        For each child its action, where its rows start (one more than children), its position sets; the
        moved rows, child by child, and which row of ``rows`` each was.
    """
    count = rows.shape[0]
    order = np.empty(count, np.int64)
    sort_keys(action, order)
    actions = np.empty(count, np.int64)
    starts = np.empty(count + 1, np.int64)
    moved = np.empty(count, np.int64)
    children = 0
    for i in range(count):
        bin_ = action[order[i]]
        if i == 0 or bin_ != actions[children - 1]:
            actions[children] = bin_
            starts[children] = i
            children += 1
        row = rows[order[i]]
        moved[i] = row if bin_ == n * n else move_card(row, bin_ // n, bin_ % n)
    starts[children] = count
    child_sets = np.empty((children, sets.shape[0]), np.int64)
    for child in range(children):
        child_sets[child] = after_move(sets, actions[child], n, mover)
    return actions[:children].copy(), starts[: children + 1].copy(), child_sets, moved, order


@njit(cache=True, nogil=True)
def play_out(  # type: ignore[no-untyped-def]
    rows,
    starts,
    sets,
    turn,
    n,
    turns,
    values,
    sizes,
    distance,
    useful,
    sweeps,
    record,
    kinds,
    size_classes,
):
    """Play all nodes to the end by plan, without search.

    Args:
        rows: the nodes' rows, node by node; node i has ``rows[starts[i]:starts[i + 1]]`` and ``sets[i]``.
        record: whether to write ``kinds[t]`` and ``size_classes[t]``, by row of the input, at every turn.

    Returns:
        ``(N,) bool``: which rows are won, in the order of the input.
    """
    count = rows.shape[0]
    place = np.arange(count)
    action = np.empty(count, np.int64)
    kind = np.empty(count, np.int64)
    size = np.empty(count, np.int64)
    players = sets.shape[1] - 1
    while turn < turns:
        new_rows = np.empty(count, np.int64)
        new_place = np.empty(count, np.int64)
        new_starts = np.empty(count + 1, np.int64)
        new_sets = np.empty((count, players + 1), np.int64)
        nodes = 0
        for node in range(starts.shape[0] - 1):
            a = starts[node]
            b = starts[node + 1]
            plan_node(
                rows[a:b],
                sets[node],
                turn,
                n,
                turns,
                values,
                sizes,
                distance,
                useful,
                sweeps,
                -1,
                action[a:b],
                kind[a:b],
                size[a:b],
            )
            _, child_starts, child_sets, moved, order = split(
                rows[a:b], sets[node], action[a:b], n, turn % players
            )
            for i in range(b - a):
                new_rows[a + i] = moved[i]
                new_place[a + i] = place[a + order[i]]
            for child in range(child_sets.shape[0]):
                new_starts[nodes] = a + child_starts[child]
                new_sets[nodes] = child_sets[child]
                nodes += 1
        if record:
            for i in range(count):
                kinds[turn, place[i]] = kind[i]
                size_classes[turn, place[i]] = size[i]
        new_starts[nodes] = count
        rows = new_rows
        place = new_place
        starts = new_starts[: nodes + 1].copy()
        sets = new_sets[:nodes].copy()
        turn += 1
    won = np.zeros(count, np.bool_)
    for node in range(starts.shape[0] - 1):
        for i in range(starts[node], starts[node + 1]):
            won[place[i]] = distance_of(rows[i], sets[node, players], n, distance, useful)[0] == 0
    return won
