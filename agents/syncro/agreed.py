"""The list of attacks that all wizards of the convention work out alike, and what a decision by it tells."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.view import MOST_VALUES, is_dragon
from unspoken.agents.syncro.worth import worth_destroyed, worth_failed
from unspoken.envs.syncro.limits import MAX_PLAYERS, MAX_SLOTS
from unspoken.envs.syncro.state import BAD, GOOD

MOST_SUM = 64
"""Room for the sums of spells on a foe."""
NEVER = -(10.0**9)


class Trust(NamedTuple):
    """How far wizards rely on each other.

    Attributes:
        begun, fresh: how surely somebody does what it can for a foe, if it is begun or not.
        waste: what help costs more than what is needed.
        forced: how much it counts that otherwise the last wizard may have to attack in vain.
        tilt: by how much a point more makes a spell likelier in a good hand, and less likely in a bad one.
    """

    begun: float = 0.85
    fresh: float = 0.3
    waste: float = 0.6
    forced: float = 0.5
    tilt: float = 0.35


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
        best, foe: ``(MOST_VALUES,)``, the best attack with each spell.
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
    best: npt.NDArray[np.float64]
    foe: npt.NDArray[np.int64]
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
        _find_best(view, seat, common)
        if foe < 0:
            for value in range(1, MOST_VALUES):
                if common.best[value] > passing:
                    common.card[seat, value] *= 0.05
            _normalize(common.card[seat])
            continue
        _read_attack(view, seat, foe, passing, common)
        common.size[seat] -= 1
        if view.turn_hidden[turn] == 0:
            continue
        _add(common.total[foe], common.played)
        if view.turn_value[turn] > 0:
            common.played[:] = 0.0
            common.played[view.turn_value[turn]] = 1.0
        _add(common.mine[foe], common.played)
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
        if view.estimate[seat] == GOOD:
            tilt = trust.tilt
        elif view.estimate[seat] == BAD:
            tilt = -trust.tilt
        for value in range(1, MOST_VALUES):
            common.card[seat, value] = unseen[value] * np.exp(tilt * (value - mean))
        _normalize(common.card[seat])
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
def _normalize(card):  # type: ignore[no-untyped-def]
    whole = 0.0
    for value in range(1, MOST_VALUES):
        whole += card[value]
    for value in range(1, MOST_VALUES):
        card[value] = card[value] / whole if whole > 0.0 else 1.0 / (MOST_VALUES - 1)


@njit(cache=True, nogil=True)
def _add(total, card):  # type: ignore[no-untyped-def]
    """Add a spell of which it is known how likely each value is."""
    for summed in range(MOST_SUM - 1, -1, -1):
        likely = 0.0
        for value in range(1, min(MOST_VALUES, summed + 1)):
            likely += total[summed - value] * card[value]
        total[summed] = likely


@njit(cache=True, nogil=True)
def _find_best(view, seat, common):  # type: ignore[no-untyped-def]
    """For each spell the best attack that the seat can make with it."""
    for value in range(1, MOST_VALUES):
        common.best[value] = NEVER
        common.foe[value] = -1
        for slot in range(view.slots):
            if not view.open[slot] or (view.players <= 3 and common.top[slot] == seat):
                continue
            if common.gain[slot, value] > common.best[value]:
                common.best[value] = common.gain[slot, value]
                common.foe[value] = slot


@njit(cache=True, nogil=True)
def _read_attack(view, seat, foe, passing, common):  # type: ignore[no-untyped-def]
    """How likely the attack on a foe was made with each spell; the seat holds none that are better."""
    card = common.card[seat]
    size = common.size[seat]
    common.played[:] = 0.0
    whole = 0.0
    for value in range(1, MOST_VALUES):
        if common.foe[value] != foe or common.best[value] <= passing:
            continue
        better = 0.0
        for other in range(1, MOST_VALUES):
            if common.best[other] > common.best[value]:
                better += card[other]
        lacks = max(0.0, 1.0 - better)
        common.played[value] = lacks**size - max(0.0, lacks - card[value]) ** size
        whole += common.played[value]
    if whole <= 0.0:
        # Not by the list: any spell.
        for value in range(1, MOST_VALUES):
            common.played[value] = card[value]
        return
    for value in range(1, MOST_VALUES):
        common.played[value] /= whole
    # The likeliest spell is taken for the one played: the wizard holds none of those that come before it.
    likeliest = 1
    for value in range(2, MOST_VALUES):
        if common.played[value] > common.played[likeliest]:
            likeliest = value
    for other in range(1, MOST_VALUES):
        if common.best[other] > common.best[likeliest]:
            card[other] *= 1.0 - common.played[likeliest]
    _normalize(card)


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
    for summed in range(MOST_SUM):
        likely = total[slot, summed]
        if likely < 1e-6:
            continue
        sum_now = summed + added
        if sum_now >= strength:
            worth += likely * worth_destroyed(weights, view, slot, sum_now - strength, room)
            continue
        need = strength - sum_now
        chance = reliance * common.helped[0, own, min(MOST_SUM - 1, need)]
        done = worth_destroyed(weights, view, slot, 0, room) - need - trust.waste
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
    forced = NEVER
    for slot in range(view.slots):
        if not view.open[slot]:
            continue
        own = int(common.top[slot] == seat)
        before = _worth_of_foe(weights, trust, view, slot, 0, room, own, total, common)
        for value in range(1, MOST_VALUES):
            after = _worth_of_foe(weights, trust, view, slot, value, room + 1, 1, total, common)
            common.gain[slot, value] = after - before - value
        alone = view.up_sum[slot] + 2
        if alone >= view.strength[slot]:
            forced = 0.0
        else:
            forced = max(forced, worth_failed(weights, view, slot, alone, 2) - 2.0)
    return trust.forced * forced if attacks == 0 and forced > NEVER else 0.0
