"""Planning the rest of a round together, in a situation where all hands lie open.

The plan says for each decision left which foe is attacked with which spell. First every foe is looked at on
its own: for each set of decisions, the best spells to attack it in them. Then foes and sets are put together,
and the most promising plans are carried out and valued as a whole.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.situation import WIN, add_spell, hands_worth, new_situations, resolve, room
from unspoken.agents.syncro.view import MOST_VALUES
from unspoken.agents.syncro.worth import worth_destroyed, worth_failed
from unspoken.envs.syncro.limits import MAX_SLOTS
from unspoken.envs.syncro.state import MAX_TURNS

SETS = 1 << MAX_TURNS
"""Sets of decisions, as bits."""
MOST_PLANS = 16
"""Plans that are carried out."""
NEVER = -(10.0**9)


class Planner(NamedTuple):
    """Room to work in, and the plans found.

    Attributes:
        worth: ``(MAX_SLOTS, SETS)``, the most that attacking a foe in these decisions brings.
        spells: ``(MAX_SLOTS, SETS, MAX_TURNS)``, the spells for it.
        most: ``(MAX_SLOTS + 1,)``, the most that the foes from this one on can bring.
        now, old: ``(MAX_TURNS,)``, ``(MAX_TURNS, 4)``, spells being tried on a foe, and how it was before.
        used, free, so_far: ``(MAX_SLOTS + 1,)``, sets being tried, decisions left, and what that brings.
        foes: ``(MAX_SLOTS,)``, the foes looked at.
        found: ``(MOST_PLANS,)``, estimated worth of the plans, best first.
        plan_foe, plan_spell: ``(MOST_PLANS, MAX_TURNS)``, the foe (-1: pass) and spell of each decision.
        after: situations to carry out plans in.
    """

    worth: npt.NDArray[np.float64]
    spells: npt.NDArray[np.int64]
    most: npt.NDArray[np.float64]
    now: npt.NDArray[np.int64]
    old: npt.NDArray[np.int64]
    used: npt.NDArray[np.int64]
    free: npt.NDArray[np.int64]
    so_far: npt.NDArray[np.float64]
    foes: npt.NDArray[np.int64]
    found: npt.NDArray[np.float64]
    plan_foe: npt.NDArray[np.int64]
    plan_spell: npt.NDArray[np.int64]
    after: "np.recarray[Any, Any]"


def new_planner() -> Planner:
    """Room for one caller."""
    return Planner(
        np.zeros((MAX_SLOTS, SETS)),
        np.zeros((MAX_SLOTS, SETS, MAX_TURNS), np.int64),
        np.zeros(MAX_SLOTS + 1),
        np.zeros(MAX_TURNS, np.int64),
        np.zeros((MAX_TURNS, 4), np.int64),
        np.zeros(MAX_SLOTS + 1, np.int64),
        np.zeros(MAX_SLOTS + 1, np.int64),
        np.zeros(MAX_SLOTS + 1),
        np.zeros(MAX_SLOTS, np.int64),
        np.zeros(MOST_PLANS),
        np.zeros((MOST_PLANS, MAX_TURNS), np.int64),
        np.zeros((MOST_PLANS, MAX_TURNS), np.int64),
        new_situations(2),
    )


@njit(cache=True, nogil=True)
def find_plans(weights, situation, must_attack, planner):  # type: ignore[no-untyped-def]
    """Fill ``planner`` with the most promising plans for the rest of the round; returns how many there are.

    ``must_attack``: the next decision may not be a pass.
    """
    count = 0
    left = 0
    for slot in range(situation.slots):
        left += situation.present[slot]
        if situation.open[slot]:
            planner.foes[count] = slot
            count += 1
    last = left == 1
    for index in range(count):
        slot = planner.foes[index]
        for chosen in range(SETS):
            planner.worth[slot, chosen] = NEVER
        planner.worth[slot, 0] = 0.0
        _try_foe(weights, situation, planner, slot, last)
    planner.most[count] = 0.0
    for index in range(count - 1, -1, -1):
        best = 0.0
        for chosen in range(SETS):
            best = max(best, planner.worth[planner.foes[index], chosen])
        planner.most[index] = planner.most[index + 1] + best
    for plan in range(MOST_PLANS):
        planner.found[plan] = NEVER
    _combine(situation, planner, count, must_attack)
    plans = 0
    while plans < MOST_PLANS and planner.found[plans] > NEVER:
        plans += 1
    return plans


@njit(cache=True, nogil=True)
def _foe_worth(weights, situation, slot, attacks, last):  # type: ignore[no-untyped-def]
    """What a foe, perhaps the last, is worth as the round would end now; Mushrooms' spells at their mean."""
    if situation.spells[slot] == 0:
        return 0.0
    excess = situation.total[slot] - situation.strength[slot]
    if excess >= 0:
        destroyed = worth_destroyed(weights, situation, slot, excess, room(situation) + attacks)
        return destroyed + WIN if last else destroyed
    return worth_failed(weights, situation, slot, situation.total[slot], situation.lowest[slot])


# Loops with stacks of their own, for numba cannot load a function that calls itself from its cache.


@njit(cache=True, nogil=True)
def _try_foe(weights, situation, planner, slot, last):  # type: ignore[no-untyped-def]
    """Try all spells on a foe in all decisions left."""
    now, old = planner.now, planner.old
    before = _foe_worth(weights, situation, slot, 0, last)
    first = situation.position
    turn = first
    now[turn] = -1
    while turn >= first:
        if turn == situation.turns:
            _note_attack(weights, situation, planner, slot, last, before)
            turn -= 1
            continue
        seat = situation.turn_seat[turn]
        if now[turn] > 0:
            situation.count[seat, now[turn]] += 1
            situation.total[slot] = old[turn, 0]
            situation.spells[slot] = old[turn, 1]
            situation.lowest[slot] = old[turn, 2]
            situation.top[slot] = old[turn, 3]
        now[turn] += 1
        if now[turn] > 0 and situation.players <= 3 and situation.top[slot] == seat:
            now[turn] = MOST_VALUES
        while 0 < now[turn] < MOST_VALUES and situation.count[seat, now[turn]] == 0:
            now[turn] += 1
        if now[turn] == MOST_VALUES:
            now[turn] = 0
            turn -= 1
            continue
        if now[turn] > 0:
            old[turn, 0] = situation.total[slot]
            old[turn, 1] = situation.spells[slot]
            old[turn, 2] = situation.lowest[slot]
            old[turn, 3] = situation.top[slot]
            situation.count[seat, now[turn]] -= 1
            add_spell(situation, slot, now[turn])
            situation.top[slot] = seat
        turn += 1
        if turn < situation.turns:
            now[turn] = -1


@njit(cache=True, nogil=True)
def _note_attack(weights, situation, planner, slot, last, before):  # type: ignore[no-untyped-def]
    """Enter the spells being tried on a foe, if there are none as good for the same decisions."""
    chosen = 0
    attacks = 0
    cost = 0.0
    for turn in range(situation.position, situation.turns):
        if planner.now[turn] > 0:
            chosen |= 1 << turn
            attacks += 1
            cost += weights.spell + weights.point * planner.now[turn]
    if chosen == 0:
        return
    worth = _foe_worth(weights, situation, slot, attacks, last) - before - cost
    if worth > planner.worth[slot, chosen]:
        planner.worth[slot, chosen] = worth
        for turn in range(situation.position, situation.turns):
            planner.spells[slot, chosen, turn] = planner.now[turn]


@njit(cache=True, nogil=True)
def _combine(situation, planner, count, must_attack):  # type: ignore[no-untyped-def]
    """Give the foes sets of the free decisions, in all ways that may be among the best."""
    everything = ((1 << situation.turns) - 1) >> situation.position << situation.position
    needs_attack = situation.attacks == 0 and _can_attack(situation)
    needs_pass = situation.players == 5 and situation.passes == 0
    used, free, worth = planner.used, planner.free, planner.so_far
    free[0] = everything
    worth[0] = 0.0
    used[0] = -1
    index = 0
    while index >= 0:
        if index == count:
            left = free[index]
            illegal = (needs_attack and left == everything) or (needs_pass and left == 0)
            illegal = illegal or (must_attack and (left >> situation.position) & 1 != 0)
            if not illegal:
                _keep(situation, planner, count, worth[index])
            index -= 1
            continue
        # The sets of the free decisions, from all of them down to none.
        if used[index] == 0:
            index -= 1
            continue
        used[index] = free[index] if used[index] < 0 else (used[index] - 1) & free[index]
        gain = planner.worth[planner.foes[index], used[index]]
        if gain == NEVER or worth[index] + gain + planner.most[index + 1] <= planner.found[MOST_PLANS - 1]:
            continue
        worth[index + 1] = worth[index] + gain
        free[index + 1] = free[index] & ~used[index]
        index += 1
        if index < count:
            used[index] = -1


@njit(cache=True, nogil=True)
def _can_attack(situation):  # type: ignore[no-untyped-def]
    """Whether a wizard still to decide has a spell."""
    for turn in range(situation.position, situation.turns):
        if situation.size[situation.turn_seat[turn]] > 0:
            return True
    return False


@njit(cache=True, nogil=True)
def _keep(situation, planner, count, worth):  # type: ignore[no-untyped-def]
    """Enter the plan being tried among the best, if the hands have all its spells."""
    place = MOST_PLANS - 1
    while place > 0 and planner.found[place - 1] < worth:
        planner.found[place] = planner.found[place - 1]
        for turn in range(MAX_TURNS):
            planner.plan_foe[place, turn] = planner.plan_foe[place - 1, turn]
            planner.plan_spell[place, turn] = planner.plan_spell[place - 1, turn]
        place -= 1
    planner.found[place] = worth
    for turn in range(MAX_TURNS):
        planner.plan_foe[place, turn] = -1
        planner.plan_spell[place, turn] = 0
    for index in range(count):
        slot = planner.foes[index]
        chosen = planner.used[index]
        for turn in range(situation.turns):
            if (chosen >> turn) & 1:
                planner.plan_foe[place, turn] = slot
                planner.plan_spell[place, turn] = planner.spells[slot, chosen, turn]


@njit(cache=True, nogil=True)
def carry_out(params, weights, situation, planner, plan, after):  # type: ignore[no-untyped-def]
    """Play a plan and end the round in ``after``, a copy of the situation; returns its worth."""
    for turn in range(situation.position, situation.turns):
        slot = planner.plan_foe[plan, turn]
        if slot < 0:
            continue
        seat = situation.turn_seat[turn]
        value = planner.plan_spell[plan, turn]
        if after.count[seat, value] == 0:
            return NEVER
        after.count[seat, value] -= 1
        after.size[seat] -= 1
        add_spell(after, slot, value)
        after.top[slot] = seat
    return resolve(params, weights, after)


@njit(cache=True, nogil=True)
def best_plan(params, weights, situations, must_attack, planner):  # type: ignore[no-untyped-def]
    """The best plan for ``situations[0]``: (its number, its worth); (-1, worth) if there is none."""
    situation = situations[0]
    plans = find_plans(weights, situation, must_attack, planner)
    best = NEVER
    chosen = -1
    for plan in range(plans):
        planner.after[0] = situation
        worth = carry_out(params, weights, situation, planner, plan, planner.after[0])
        if worth > -WIN / 2:
            worth += hands_worth(weights, planner.after[0])
        if worth > best:
            best = worth
            chosen = plan
    return chosen, best
