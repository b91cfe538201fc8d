"""The list of attacks that all wizards of the convention work out alike, and what a decision by it tells."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.chances import MOST_SUM, add_spell, normalize
from unspoken.agents.syncro.thumbs import highest_common, read_thumb, tilt_of_sum
from unspoken.agents.syncro.view import MOST_VALUES, is_dragon
from unspoken.agents.syncro.worth import worth_destroyed, worth_failed
from unspoken.envs.syncro.limits import MAX_PLAYERS, MAX_SLOTS

NEVER = -(10.0**9)


class Trust(NamedTuple):
    """How far wizards rely on each other.

    Attributes:
        begun, fresh: how surely somebody does what it can for a foe, if it is begun or not.
        waste: what help costs more than what is needed.
        forced: how much it counts that otherwise the last wizard may have to attack in vain.
        rival: what it costs to begin a foe while others are begun that still need help, for each of them.
        last: what it is worth besides to destroy the last foe of all.
        bar: what a pass is worth.
        doubt: what it costs that an attack can be taken for one with another spell, for each point.
    """

    begun: float = 0.85
    fresh: float = 0.5
    waste: float = 2.5
    forced: float = 0.47
    rival: float = 0.66
    doubt: float = 0.28
    last: float = 10.0
    bar: float = -0.11


class Common(NamedTuple):
    """What is worked out, and room for it.

    Attributes:
        card: ``(MAX_PLAYERS, MOST_VALUES)``, how likely a spell in a seat's hand has each value.
        size: ``(MAX_PLAYERS,)``, spells in the hands at the decision looked at.
        total: ``(MAX_SLOTS, MOST_SUM)``, how likely the spells on a foe have each sum, as everybody knows.
        mine: the same with what the reader alone knows.
        spells, lowest, top: ``(MAX_SLOTS,)``, number and lowest of these spells, seat of the last one.
        helped: ``(2, 2, MOST_SUM)``, how likely the decisions to come add each sum, at least or exactly; and
            the same with a spell of the seat to decide on top.
        gain: ``(MAX_SLOTS, MOST_VALUES)``, the list: what an attack is worth.
        list_foe, list_spell, list_chance: ``(MOST_VALUES,)``, the list in order: foe, spell, and how likely
            that attack is made. listed: ``(MOST_VALUES,)``, 1 for the spells on it.
        played: ``(MOST_VALUES,)``, how likely a spell played has each value.
    """

    card: npt.NDArray[np.float64]
    size: npt.NDArray[np.int64]
    total: npt.NDArray[np.float64]
    mine: npt.NDArray[np.float64]
    spells: npt.NDArray[np.int64]
    lowest: npt.NDArray[np.int64]
    top: npt.NDArray[np.int64]
    helped: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    list_foe: npt.NDArray[np.int64]
    list_spell: npt.NDArray[np.int64]
    list_chance: npt.NDArray[np.float64]
    listed: npt.NDArray[np.int64]
    played: npt.NDArray[np.float64]


def new_common() -> Common:
    """Room for one caller."""
    return Common(
        np.zeros((MAX_PLAYERS, MOST_VALUES)),
        np.zeros(MAX_PLAYERS, np.int64),
        np.zeros((MAX_SLOTS, MOST_SUM)),
        np.zeros((MAX_SLOTS, MOST_SUM)),
        np.zeros(MAX_SLOTS, np.int64),
        np.zeros(MAX_SLOTS, np.int64),
        np.zeros(MAX_SLOTS, np.int64),
        np.zeros((2, 2, MOST_SUM)),
        np.zeros((MAX_SLOTS, MOST_VALUES)),
        np.zeros(MOST_VALUES, np.int64),
        np.zeros(MOST_VALUES, np.int64),
        np.zeros(MOST_VALUES),
        np.zeros(MOST_VALUES, np.int64),
        np.zeros(MOST_VALUES),
    )


@njit(cache=True, nogil=True)
def read_round(params, weights, trust, view, common):  # type: ignore[no-untyped-def]
    """Go through the decisions of the round up to now, and write into ``common`` what they tell."""
    _begin(params, trust, view, common)
    for turn in range(view.position):
        seat = view.turn_seat[turn]
        foe = view.turn_foe[turn]
        passing = rank_attacks(weights, trust, view, turn, common.total, common)
        length = make_list(trust, view, seat, passing, common)
        if foe < 0:
            _read_pass(seat, length, common)
            continue
        _read_attack(seat, foe, length, common)
        common.size[seat] -= 1
        if view.turn_hidden[turn] == 0:
            continue
        add_spell(common.total[foe], common.played)
        if view.turn_value[turn] > 0:
            common.played[:] = 0.0
            common.played[view.turn_value[turn]] = 1.0
        add_spell(common.mine[foe], common.played)
        common.spells[foe] += 1
        common.top[foe] = seat


@njit(cache=True, nogil=True)
def _begin(params, trust, view, common):  # type: ignore[no-untyped-def]
    """The round as everybody saw it begin."""
    unseen = common.played
    count = 0.0
    summed = 0.0
    for value in range(1, MOST_VALUES):
        unseen[value] = view.public[value]
        count += unseen[value]
        summed += value * unseen[value]
    mean = summed / count if count > 0.0 else 2.5
    for seat in range(view.players):
        common.size[seat] = view.size[seat]
        tilt = 0.0
        if view.said_sum[seat] > 0:
            tilt = tilt_of_sum(view, seat, mean)
        for value in range(1, MOST_VALUES):
            common.card[seat, value] = unseen[value] * np.exp(tilt * (value - mean))
        normalize(common.card[seat])
        if view.estimate[seat] > 0 and view.said_sum[seat] == 0:
            read_thumb(view, seat, highest_common(params, view), common.card[seat])
    for turn in range(view.position):
        if view.turn_foe[turn] >= 0:
            common.size[view.turn_seat[turn]] += 1
    for slot in range(view.slots):
        common.total[slot] = 0.0
        common.mine[slot] = 0.0
        base = min(MOST_SUM - 1, view.up_sum[slot])
        common.total[slot, base] = 1.0
        common.mine[slot, base] = 1.0
        common.spells[slot] = view.up[slot]
        common.lowest[slot] = view.lowest[slot] if view.up[slot] > 0 else 2
        common.top[slot] = view.top[slot] if view.hidden[slot] == 0 else -1


@njit(cache=True, nogil=True)
def make_list(trust, view, seat, passing, common):  # type: ignore[no-untyped-def]
    """Put the attacks worth more than a pass in order, one for each spell; returns how many there are.

    A spell's attack is the best one with it, unless it could be taken for one higher up on the same foe.
    """
    card = common.card[seat]
    size = common.size[seat]
    common.listed[:] = 0
    lacks = 1.0
    length = 0
    while length < MOST_VALUES - 1:
        best = passing
        chosen = -1
        spell = 0
        for value in range(1, MOST_VALUES):
            if common.listed[value]:
                continue
            for slot in range(view.slots):
                if not view.open[slot] or (view.players <= 3 and common.top[slot] == seat):
                    continue
                gain = common.gain[slot, value]
                if gain <= best:
                    continue
                for earlier in range(length):
                    if common.list_foe[earlier] == slot:
                        apart = abs(common.list_spell[earlier] - value)
                        gain -= trust.doubt * common.list_chance[earlier] * min(apart, 3)
                if gain > best:
                    best = gain
                    chosen = slot
                    spell = value
        if chosen < 0:
            break
        common.listed[spell] = 1
        common.list_foe[length] = chosen
        common.list_spell[length] = spell
        still = max(0.0, lacks - card[spell])
        common.list_chance[length] = lacks**size - still**size
        lacks = still
        length += 1
    return length


@njit(cache=True, nogil=True)
def _read_pass(seat, length, common):  # type: ignore[no-untyped-def]
    """The seat holds no spell of the list."""
    for entry in range(length):
        common.card[seat, common.list_spell[entry]] *= 0.05
    normalize(common.card[seat])


@njit(cache=True, nogil=True)
def _read_attack(seat, foe, length, common):  # type: ignore[no-untyped-def]
    """How likely the attack on a foe was made with each spell; the seat holds none that are better."""
    card = common.card[seat]
    common.played[:] = 0.0
    whole = 0.0
    for entry in range(length):
        if common.list_foe[entry] == foe:
            common.played[common.list_spell[entry]] = common.list_chance[entry]
            whole += common.list_chance[entry]
    if whole <= 0.0:
        # Not by the list: any spell.
        for value in range(1, MOST_VALUES):
            common.played[value] = card[value]
        return
    left = 1.0
    for entry in range(length):
        spell = common.list_spell[entry]
        if common.list_foe[entry] == foe:
            common.played[spell] /= whole
            left -= common.played[spell]
        else:
            # It was not played, so if what was played comes later, the seat does not hold it.
            card[spell] *= max(0.05, 1.0 - left)
    normalize(card)


@njit(cache=True, nogil=True)
def _guess_help(view, turn, common):  # type: ignore[no-untyped-def]
    """How likely the decisions after ``turn`` add each sum."""
    helped = common.helped
    helped[:] = 0.0
    helped[:, :, 0] = 1.0
    mover = view.turn_seat[turn]
    for later in range(view.turns - 1, turn, -1):
        seat = view.turn_seat[later]
        size = common.size[seat]
        if seat == mover:
            size -= 1
        if size <= 0:
            continue
        card = common.card[seat]
        for need in range(MOST_SUM - 1, 0, -1):
            # The highest spell if that is not enough, else one that is.
            lower = 0.0
            below = 0.0
            some = 0.0
            for value in range(1, MOST_VALUES):
                lower += card[value]
                upto = lower**size
                some += (upto - below) * helped[0, 0, max(0, need - value)]
                below = upto
            same = 0.0
            if need < MOST_VALUES:
                same = 1.0 - (1.0 - card[need]) ** size
            exact = same + (1.0 - same) * helped[1, 0, need]
            helped[0, 0, need] = some
            helped[1, 0, need] = exact
            if seat != mover:
                helped[0, 1, need] = some
                helped[1, 1, need] = exact


@njit(cache=True, nogil=True)
def _worth_of_foe(weights, trust, view, slot, added, room, own, total, common):  # type: ignore[no-untyped-def]
    """What a foe will be worth at the end of the round if ``added`` (0: nothing) is added now."""
    worth = 0.0
    strength = view.strength[slot]
    begun = common.spells[slot] > 0 or added > 0
    reliance = trust.begun if begun else trust.fresh
    lowest = common.lowest[slot]
    if added > 0:
        lowest = min(lowest, added) if common.spells[slot] > 0 else added
    dragon = is_dragon(view, slot)
    last = trust.last if view.n_present == 1 else 0.0
    for summed in range(MOST_SUM):
        likely = total[slot, summed]
        if likely < 1e-6:
            continue
        sum_now = summed + added
        if sum_now >= strength:
            worth += likely * (worth_destroyed(weights, view, slot, sum_now - strength, room) + last)
            continue
        need = strength - sum_now
        chance = reliance * common.helped[0, own, min(MOST_SUM - 1, need)]
        done = worth_destroyed(weights, view, slot, 0, room) - need - trust.waste + last
        if dragon:
            exact = reliance * common.helped[1, own, min(MOST_SUM - 1, need)]
            done -= weights.debt * 1.5 * (1.0 - exact / max(chance, 1e-9) if exact < chance else 0.0)
        failed = worth_failed(weights, view, slot, sum_now, min(lowest, sum_now))
        worth += likely * (chance * done + (1.0 - chance) * failed if done > failed else failed)
    return worth


@njit(cache=True, nogil=True)
def rank_attacks(weights, trust, view, turn, total, common):  # type: ignore[no-untyped-def]
    """Write the list of ``turn`` into ``common.gain``; returns what a pass is worth.

    ``total``: how likely the spells on a foe have each sum.
    """
    _guess_help(view, turn, common)
    seat = view.turn_seat[turn]
    room = 0
    for other in range(view.players):
        room += max(0, view.limit - common.size[other])
    attacks = 0
    for earlier in range(turn):
        attacks += view.turn_foe[earlier] >= 0
    rivals = 0
    for slot in range(view.slots):
        if view.open[slot] and common.spells[slot] > 0:
            likely = 0.0
            for summed in range(min(MOST_SUM, view.strength[slot])):
                likely += total[slot, summed]
            rivals += likely > 0.3
    forced = NEVER
    for slot in range(view.slots):
        if not view.open[slot]:
            continue
        own = int(common.top[slot] == seat)
        before = _worth_of_foe(weights, trust, view, slot, 0, room, own, total, common)
        for value in range(1, MOST_VALUES):
            after = _worth_of_foe(weights, trust, view, slot, value, room + 1, 1, total, common)
            if common.spells[slot] == 0 and value < view.strength[slot]:
                after -= trust.rival * rivals
            common.gain[slot, value] = after - before - weights.spell - weights.point * value
        alone = view.up_sum[slot] + 2
        if alone >= view.strength[slot]:
            forced = 0.0
        else:
            forced = max(forced, worth_failed(weights, view, slot, alone, 2) - 2.0)
    return (trust.forced * forced if attacks == 0 and forced > NEVER else 0.0) + trust.bar
