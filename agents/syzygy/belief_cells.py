"""The bins of a turn's plan: what it adds to give a cell a source and its finds destinations.

A *slot* is the part of a bin that looks alike to the next mover. Slots keep how many rows of each class
they hold, what they are worth, and on the last turn but one the rows themselves, as linked lists.
"""

from numba import njit

from unspoken.agents.syzygy.belief_rows import distance_of


@njit(cache=True, nogil=True)
def class_of(row, hole, free, left, n, distance, useful):  # type: ignore[no-untyped-def]
    """How far a row is from sorted, given the positions whose cards the next mover may take.

    0: sorted; 2d - 1: d moves away and the next mover can help; 2d: it cannot; 2 left + 1: too far for the
    turns left.
    """
    steps, sources = distance_of(row, hole, n, distance, useful)
    if steps > left:
        return 2 * left + 1
    if steps == 0:
        return 0
    return 2 * steps - 1 if sources & free else 2 * steps


@njit(cache=True, nogil=True)
def last_moves(row, hole, free, n, distance, useful):  # type: ignore[no-untyped-def]
    """The (at most two) last moves that sort a row one move away: source, card and direction, packed."""
    _, sources = distance_of(row, hole, n, distance, useful)
    packed = 0
    for source in range(n):
        if ((sources & free) >> source) & 1:
            first = 1 if source == 0 else 0
            second = first + 1 if first + 1 != source else first + 2
            rising = ((row >> (4 * first)) & 15) < ((row >> (4 * second)) & 15)
            code = 1 + 2 * (source * n + ((row >> (4 * source)) & 15)) + (1 if rising else 0)
            if packed == 0:
                packed = code
            elif packed < 1024:
                packed += 1024 * code
    return packed


@njit(cache=True, nogil=True)
def _last_value(  # type: ignore[no-untyped-def]
    slot,
    bin_,
    head,
    link,
    extra,
    start,
    end,
    classes,
    moves,
    n,
    tally,
):
    # Rows won on the last turn among a slot's rows and extra[start:end], which look alike to the last mover
    # before its look: the best of passing and of each source. A source wins, for each card found there,
    # the rows of one direction.
    won_by_pass = 0
    best = 0
    for undo in range(2):
        row = head[slot]
        i = start
        while True:
            if row >= 0:
                item = row
                row = link[row]
            elif i < end:
                item = extra[i]
                i += 1
            else:
                break
            if classes[item, bin_] == 0:
                won_by_pass += 1 - undo
            elif classes[item, bin_] == 1:
                packed = moves[item, bin_]
                while packed > 0:
                    code = (packed & 1023) - 1
                    total = 288 + code // (2 * n)
                    if undo:
                        tally[code] = 0
                        tally[total] = 0
                    else:
                        tally[code] += 1
                        if tally[code] > tally[code ^ 1]:
                            tally[total] += 1
                            best = max(best, tally[total])
                    packed >>= 10
    return float(max(best, won_by_pass))


@njit(cache=True, nogil=True)
def place_cell(  # type: ignore[no-untyped-def]
    cell_start,
    cell_end,
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
):
    """Give a cell's rows the source and, value by value, the best destinations; return what that adds.

    ``chosen[card]`` is set to the destinations. Unless ``keep``, everything else is left as it was.
    """
    kinds = values.shape[0]
    single_bin = source == n
    # The cell's rows, by the card found, and within that by what the next mover sees.
    if single_bin or cell_end - cell_start == 1:
        for i in range(cell_start, cell_end):
            items[i] = i
    else:
        for card in range(n + 1):
            delta[card] = 0
        for i in range(cell_start, cell_end):
            delta[cards[i, source] + 1] += 1
        for card in range(n):
            delta[card + 1] += delta[card]
        for i in range(cell_start, cell_end):
            card = cards[i, source]
            items[cell_start + delta[card]] = i
            delta[card] += 1
        for card in range(n + 1):
            delta[card] = 0
    gain = 0.0
    logged = 0
    start = cell_start
    while start < cell_end:
        end = start + 1
        card = 0
        if single_bin:
            end = cell_end
        else:
            card = cards[items[start], source]
            while end < cell_end and cards[items[end], source] == card:
                end += 1
        best = -1e30
        best_bin = -1
        for destination in range(1, n - 1):
            bin_ = n * n
            if single_bin:
                if destination > 1:
                    break
            else:
                if destination == source:
                    continue
                bin_ = source * n + destination
            added = 0.0
            runs = 0
            i = start
            while i < end:
                slot = bin_ * groups + alike[items[i]]
                first = i
                while i < end and alike[items[i]] == alike[items[first]]:
                    i += 1
                new = 0.0
                if exact:
                    new = _last_value(slot, bin_, head, link, items, first, i, classes, moves, n, tally)
                else:
                    size = sizes[total[slot] + i - first]
                    if total[slot] > 0:
                        for kind in range(kinds):
                            new += count[slot * kinds + kind] * values[kind, size]
                    for j in range(first, i):
                        new += values[classes[items[j], bin_], size]
                now[runs] = new
                runs += 1
                added += new - worth[slot]
            if added > best:
                best = added
                best_bin = bin_
                for run in range(runs):
                    then[run] = now[run]
        if not single_bin:
            chosen[card] = best_bin - source * n
        gain += best
        run = 0
        i = start
        while i < end:
            slot = best_bin * groups + alike[items[i]]
            log_slot[logged] = slot
            log_worth[logged] = worth[slot]
            logged += 1
            worth[slot] = then[run]
            run += 1
            first = i
            while i < end and alike[items[i]] == alike[items[first]]:
                item = items[i]
                count[slot * kinds + classes[item, best_bin]] += 1
                total[slot] += 1
                if exact:
                    link[item] = head[slot]
                    head[slot] = item
                i += 1
        start = end
    if not keep:
        for i in range(cell_end - 1, cell_start - 1, -1):
            item = items[i]
            bin_ = n * n if single_bin else source * n + chosen[cards[item, source]]
            slot = bin_ * groups + alike[item]
            count[slot * kinds + classes[item, bin_]] -= 1
            total[slot] -= 1
            if exact:
                head[slot] = link[item]
        for i in range(logged - 1, -1, -1):
            worth[log_slot[i]] = log_worth[i]
    return gain


@njit(cache=True, nogil=True)
def take_out_cell(  # type: ignore[no-untyped-def]
    cell_start,
    cell_end,
    cell,
    source,
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
):
    """Take a cell's rows out of their bins again."""
    kinds = values.shape[0]
    for i in range(cell_start, cell_end):
        bin_ = n * n if source == n else source * n + choice[cell, cards[i, source]]
        slot = bin_ * groups + alike[i]
        count[slot * kinds + classes[i, bin_]] -= 1
        total[slot] -= 1
        if exact:
            if head[slot] == i:
                head[slot] = link[i]
            else:
                other = head[slot]
                while link[other] != i:
                    other = link[other]
                link[other] = link[i]
    last_slot = -1
    for i in range(cell_start, cell_end):
        bin_ = n * n if source == n else source * n + choice[cell, cards[i, source]]
        slot = bin_ * groups + alike[i]
        if slot == last_slot:
            continue
        last_slot = slot
        new = 0.0
        if exact:
            new = _last_value(slot, bin_, head, link, items, 0, 0, classes, moves, n, tally)
        elif total[slot] > 0:
            size = sizes[total[slot]]
            for kind in range(kinds):
                new += count[slot * kinds + kind] * values[kind, size]
        worth[slot] = new
