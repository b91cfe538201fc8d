"""One turn's plan: which card the mover takes and where it puts it, for everything the mover may know.

All seats hold the same set of rows that the public record allows. The mover's looks split the set into
*cells* (rows that look alike to it). A plan gives each cell a source, and each value that may be found
there a destination. What the others then see splits the set into *bins*, one for each public move, and the
team goes on with the rows of one bin.

A plan is worth the sum over its rows of the estimated chance to win, ``values[class, size]``: the class
says how far the row is from sorted, the size how many rows of the bin look alike to the next mover (or how
many the bin has). On the last turn but one the sum is exact: the rows that one last move can still win.
Cells are assigned one after another, each to where it adds most, and reassigned until nothing changes.
"""

import numpy as np
from numba import njit

from unspoken.agents.syzygy.belief_cells import class_of, last_moves, place_cell, take_out_cell
from unspoken.agents.syzygy.belief_rows import card_at, move_bit, move_card, move_position

SIZE_STEPS = 4
"""Size classes in a doubling."""
SIZE_CLASSES = 80
_KEY = 1 << 20


@njit(cache=True, nogil=True)
def size_class(count):  # type: ignore[no-untyped-def]
    """The class of a set's size: its binary logarithm in quarters."""
    return min(int(4.0 * np.log2(max(count, 1)) + 1e-9), 79)


@njit(cache=True, nogil=True)
def size_classes(largest):  # type: ignore[no-untyped-def]
    """``size_class`` of 0..largest as a table."""
    table = np.zeros(largest + 1, np.int64)
    for count in range(largest + 1):
        table[count] = size_class(count)
    return table


@njit(cache=True, nogil=True)
def sort_keys(keys, order):  # type: ignore[no-untyped-def]
    """Write into ``order`` the stable ascending order of ``keys``."""
    count = keys.shape[0]
    for i in range(count):
        order[i] = i
    other = np.empty(count, np.int64)
    width = 1
    while width < count:
        start = 0
        while start < count:
            middle = min(start + width, count)
            end = min(middle + width, count)
            a = start
            b = middle
            for i in range(start, end):
                if a < middle and (b >= end or keys[order[a]] <= keys[order[b]]):
                    other[i] = order[a]
                    a += 1
                else:
                    other[i] = order[b]
                    b += 1
            start = end
        for i in range(count):
            order[i] = other[i]
        width *= 2


@njit(cache=True, nogil=True)
def code_of(row, positions, n):  # type: ignore[no-untyped-def]
    """The cards at a set of positions as one number."""
    code = 0
    for position in range(n):
        if (positions >> position) & 1:
            code = code * n + ((row >> (4 * position)) & 15)
    return code


@njit(cache=True, nogil=True)
def codes_of(rows, positions, n):  # type: ignore[no-untyped-def]
    """``code_of`` each row, ``(N,) int64``."""
    codes = np.empty(rows.shape[0], np.int64)
    for i in range(rows.shape[0]):
        codes[i] = code_of(rows[i], positions, n)
    return codes


@njit(cache=True, nogil=True)
def _plan_one(  # type: ignore[no-untyped-def]
    row,
    n,
    hole,
    chips,
    next_chips,
    left,
    values,
    distance,
    useful,
    action,
    kind_out,
    size_out,
):
    # The row is known to all: the best move, a pass if it is as good as any.
    everything = (1 << n) - 1
    kind_out[0] = class_of(row, hole, everything & ~next_chips, left, n, distance, useful)
    size_out[0] = 0
    action[0] = n * n
    best = values[kind_out[0], 0]
    for source in range(n):
        if (chips >> source) & 1 or source == hole:
            continue
        for destination in range(1, n - 1):
            if destination == source:
                continue
            place = move_position(hole, source, destination) if hole >= 0 else hole
            free = everything & ~move_bit(next_chips, source, destination)
            kind = class_of(move_card(row, source, destination), place, free, left, n, distance, useful)
            if values[kind, 0] > best:
                best = values[kind, 0]
                kind_out[0] = kind
                action[0] = source * n + destination
    return best


@njit(cache=True, nogil=True)
def plan_turn(  # type: ignore[no-untyped-def]
    rows,
    n,
    hole,
    known,
    chips,
    next_chips,
    next_known,
    left,
    values,
    sizes,
    distance,
    useful,
    sweeps,
    only,
    action,
    kind_out,
    size_out,
):
    """Plan a turn for all ``rows`` at once.

    Args:
        rows: ``(N,) int64`` packed rows the record allows.
        n, hole: cards in the row; the Blackhole's position or -1.
        known, chips: positions the mover goes by (its looks) and may not take (its chips).
        next_chips, next_known: the same for the seat to move next; ``next_known`` 0 makes the size that of
            the bin.
        left: turns left after this one.
        values: ``(2 left + 2, SIZE_CLASSES)`` chance to win by class and size.
        sizes: ``size_classes`` up to N.
        distance, useful: ``distance_tables``.
        sweeps: how often cells are reassigned.
        only: a source (n: pass) that every cell must take, or -1.
        action: ``(N,) int64`` out: ``source * n + destination``, ``n * n`` for a pass.
        kind_out, size_out: ``(N,)`` out: class and size class of each row after its move.

    Returns:
        The plan's worth, in rows.
    """
    rows_count = rows.shape[0]
    kinds = 2 * left + 2
    bins = n * n + 1
    exact = left == 1
    if rows_count == 1 and only < 0:
        return _plan_one(
            rows[0], n, hole, chips, next_chips, left, values, distance, useful, action, kind_out, size_out
        )
    keys = np.empty(rows_count, np.int64)
    for i in range(rows_count):
        keys[i] = code_of(rows[i], known, n) * _KEY + code_of(rows[i], next_known, n)
    order = np.empty(rows_count, np.int64)
    sort_keys(keys, order)
    # What the next mover sees, numbered.
    alike = np.zeros(rows_count, np.int64)
    groups = 1
    if next_known != 0:
        seen = np.empty(rows_count, np.int64)
        for i in range(rows_count):
            seen[i] = keys[order[i]] % _KEY
        by_seen = np.empty(rows_count, np.int64)
        sort_keys(seen, by_seen)
        groups = 0
        for i in range(rows_count):
            if i == 0 or seen[by_seen[i]] != seen[by_seen[i - 1]]:
                groups += 1
            alike[by_seen[i]] = groups - 1
    starts = np.empty(rows_count + 1, np.int64)
    cells = 0
    for i in range(rows_count):
        if i == 0 or keys[order[i]] // _KEY != keys[order[i - 1]] // _KEY:
            starts[cells] = i
            cells += 1
    starts[cells] = rows_count
    # Every row after every move.
    classes = np.empty((rows_count, bins), np.int8)
    moves = np.zeros((rows_count if exact else 1, bins), np.int32)
    cards = np.empty((rows_count, n), np.int8)
    everything = (1 << n) - 1
    for i in range(rows_count):
        row = rows[order[i]]
        for source in range(n + 1):
            if source < n:
                cards[i, source] = card_at(row, source)
                if (chips >> source) & 1 or source == hole:
                    continue
            for destination in range(1, n - 1 if source < n else 2):
                if destination == source:
                    continue
                bin_ = n * n
                after = row
                free = everything & ~next_chips
                place = hole
                if source < n:
                    bin_ = source * n + destination
                    after = move_card(row, source, destination)
                    free = everything & ~move_bit(next_chips, source, destination)
                    if hole >= 0:
                        place = move_position(hole, source, destination)
                kind = class_of(after, place, free, left, n, distance, useful)
                classes[i, bin_] = kind
                if exact and kind == 1:
                    moves[i, bin_] = last_moves(after, place, free, n, distance, useful)
    slots = bins * groups
    count = np.zeros(slots * kinds, np.int32)
    total = np.zeros(slots, np.int32)
    worth = np.zeros(slots, np.float64)
    head = np.full(slots if exact else 1, -1, np.int64)
    link = np.full(rows_count, -1, np.int64)
    items = np.empty(rows_count, np.int64)
    now = np.empty(rows_count, np.float64)
    then = np.empty(rows_count, np.float64)
    log_slot = np.empty(rows_count, np.int64)
    log_worth = np.empty(rows_count, np.float64)
    delta = np.zeros(n + 1, np.int64)
    tally = np.zeros(320, np.int64)
    chosen = np.zeros(n + 1, np.int64)
    choice = np.zeros((cells, n + 1), np.int64)
    taken = np.zeros(cells, np.int64)
    best_total = -1.0
    best_forced = -1
    # Sweeps -(n+2)..-2 give all cells one source, -1 takes the best of these again, the others reassign.
    for sweep in range(-(n + 2), sweeps):
        forced = n + 2 + sweep
        if sweep == -1:
            forced = best_forced
        elif sweep < -1:
            if forced < n and ((chips >> forced) & 1 or forced == hole):
                continue
            if only >= 0 and forced != only:
                continue
        if sweep < 0:
            count[:] = 0
            total[:] = 0
            worth[:] = 0.0
            head[:] = -1
        changed = False
        plan_total = 0.0
        for cell in range(cells):
            low = 0
            high = n + 1
            best_source = taken[cell]
            if sweep < 0:
                best_source = forced
                high = 0
            else:
                take_out_cell(
                    starts[cell],
                    starts[cell + 1],
                    cell,
                    taken[cell],
                    exact,
                    n,
                    groups,
                    classes,
                    moves,
                    cards,
                    alike,
                    values,
                    sizes,
                    count,
                    total,
                    worth,
                    head,
                    link,
                    items,
                    choice,
                    tally,
                )
                if only >= 0:
                    high = 0
            best = -1e30
            for trial in range(low, high + 1):
                keep = trial == high
                source = best_source if keep else trial
                if not keep and source < n and ((chips >> source) & 1 or source == hole):
                    continue
                gain = place_cell(
                    starts[cell],
                    starts[cell + 1],
                    source,
                    keep,
                    exact,
                    n,
                    groups,
                    classes,
                    moves,
                    cards,
                    alike,
                    values,
                    sizes,
                    count,
                    total,
                    worth,
                    head,
                    link,
                    items,
                    chosen,
                    delta,
                    now,
                    then,
                    log_slot,
                    log_worth,
                    tally,
                )
                if keep:
                    plan_total += gain
                elif gain > best + 1e-9 or (source == taken[cell] and gain > best - 1e-9):
                    best = gain
                    best_source = source
            if sweep >= -1:
                if best_source != taken[cell]:
                    changed = True
                taken[cell] = best_source
                if best_source < n:
                    for i in range(starts[cell], starts[cell + 1]):
                        card = cards[i, best_source]
                        if choice[cell, card] != chosen[card]:
                            changed = True
                        choice[cell, card] = chosen[card]
        if sweep < -1 and plan_total > best_total:
            best_total = plan_total
            best_forced = forced
        if sweep >= 0 and not changed:
            break
    result = 0.0
    for slot in range(slots):
        result += worth[slot]
    for cell in range(cells):
        source = taken[cell]
        for i in range(starts[cell], starts[cell + 1]):
            bin_ = n * n if source == n else source * n + choice[cell, cards[i, source]]
            action[order[i]] = bin_
            kind_out[order[i]] = classes[i, bin_]
            size_out[order[i]] = sizes[total[bin_ * groups + alike[i]]]
    return result
