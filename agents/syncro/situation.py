"""A position of Syncro with all hands face up, as the round planner reads it, and how a round ends in it."""

from typing import Any

import numpy as np
from numba import njit

from unspoken.agents.syncro.view import MOST_VALUES
from unspoken.agents.syncro.worth import worth_destroyed, worth_failed
from unspoken.envs.syncro.limits import MAX_PLAYERS, MAX_SLOTS
from unspoken.envs.syncro.state import DRAGON, GOLEM, MAX_TURNS, MUSHROOM

WIN = 1000.0
"""What a level won is worth, and minus a level lost."""

SITUATION_DTYPE = np.dtype(
    [
        ("players", np.int64),
        ("leader", np.int64),
        ("limit", np.int64),
        ("level", np.int64),
        ("mushrooms_give", np.bool_),
        ("mean", np.float64),  # of a spell drawn
        # The round: the seats of its decisions, and how many of them have been made.
        ("turns", np.int64),
        ("position", np.int64),
        ("turn_seat", np.int64, (MAX_TURNS,)),
        ("attacks", np.int64),
        ("passes", np.int64),
        # Hands, as counts by value.
        ("count", np.int64, (MAX_PLAYERS, MOST_VALUES)),
        ("size", np.int64, (MAX_PLAYERS,)),
        # The horde, by slot.
        ("slots", np.int64),
        ("present", np.int64, (MAX_SLOTS,)),
        ("fog", np.int64, (MAX_SLOTS,)),
        ("open", np.int64, (MAX_SLOTS,)),
        ("strength", np.int64, (MAX_SLOTS,)),
        ("crowd", np.int64, (MAX_SLOTS,)),  # of that for every other card in the horde
        ("traits", np.int64, (MAX_SLOTS,)),
        ("total", np.int64, (MAX_SLOTS,)),  # of the spells on it
        ("spells", np.int64, (MAX_SLOTS,)),
        ("lowest", np.int64, (MAX_SLOTS,)),
        ("top", np.int64, (MAX_SLOTS,)),
    ],
    align=True,
)


def new_situations(number: int) -> "np.recarray[Any, Any]":
    """An array of records to work in."""
    return np.zeros(number, SITUATION_DTYPE).view(np.recarray)


@njit(cache=True, nogil=True)
def lay_out(params, view, hands, values, situation):  # type: ignore[no-untyped-def]
    """Write a situation from a view.

    ``hands``: ``(seats, MAX_HAND)``, the spells in every hand; ``values``: ``(turns,)``, the spells of the
    round's attacks.
    """
    situation.players = view.players
    situation.leader = view.leader
    situation.limit = view.limit
    situation.level = view.level
    situation.mushrooms_give = view.mushrooms_give
    situation.mean = view.mean
    situation.turns = view.turns
    situation.position = view.position
    situation.attacks = 0
    situation.passes = 0
    for seat in range(view.players):
        situation.size[seat] = view.size[seat]
        for value in range(MOST_VALUES):
            situation.count[seat, value] = 0
        for slot in range(view.size[seat]):
            situation.count[seat, hands[seat, slot]] += 1
    situation.slots = view.slots
    for slot in range(view.slots):
        situation.present[slot] = view.present[slot]
        situation.fog[slot] = view.fog[slot]
        situation.open[slot] = view.open[slot]
        situation.strength[slot] = view.strength[slot]
        situation.crowd[slot] = params.foe_crowd[view.foe_card[slot]] if view.foe_card[slot] >= 0 else 0
        situation.traits[slot] = view.traits[slot]
        situation.total[slot] = view.up_sum[slot]
        situation.spells[slot] = view.up[slot]
        situation.lowest[slot] = view.lowest[slot]
        situation.top[slot] = view.top[slot]
    for turn in range(view.turns):
        situation.turn_seat[turn] = view.turn_seat[turn]
        if turn >= view.position:
            continue
        slot = view.turn_foe[turn]
        if slot < 0:
            situation.passes += 1
            continue
        situation.attacks += 1
        if view.turn_hidden[turn]:
            add_spell(situation, slot, values[turn])


@njit(cache=True, nogil=True)
def add_spell(situation, slot, value):  # type: ignore[no-untyped-def]
    """Count a spell that lies on a foe."""
    situation.total[slot] += value
    situation.spells[slot] += 1
    if situation.spells[slot] == 1 or value < situation.lowest[slot]:
        situation.lowest[slot] = value


@njit(cache=True, nogil=True)
def room(situation):  # type: ignore[no-untyped-def]
    """Spells that fit into the hands."""
    places = 0
    for seat in range(situation.players):
        places += max(0, situation.limit - situation.size[seat])
    return places


@njit(cache=True, nogil=True)
def resolve(params, weights, situation):  # type: ignore[no-untyped-def]
    """End the round in a situation, and return what has come of it in points, the hands left out.

    Foes are resolved in their order; a Dragon's debt is paid with the lowest spells that are enough, drawn
    spells are average ones. A level won or lost adds ``WIN`` or takes it away.
    """
    worth = 0.0
    order = params.resolution_order[situation.level]
    left = 0
    for slot in range(situation.slots):
        left += situation.present[slot]
    for index in range(params.level_slots[situation.level]):
        slot = order[index]
        if situation.present[slot] == 0 or situation.spells[slot] == 0:
            continue
        strength = situation.strength[slot]
        total = situation.total[slot]
        if situation.traits[slot] & DRAGON and total != strength:
            paid = _pay(situation, abs(total - strength))
            if not paid:
                return worth - WIN
        if total >= strength:
            left -= 1
            if left == 0:
                return worth + WIN
            worth += worth_destroyed(weights, situation, slot, 0, 0)
            _remove(params, situation, slot)
            if situation.traits[slot] & MUSHROOM and situation.mushrooms_give:
                _draw(situation, total - strength)
            continue
        lowest = situation.lowest[slot]
        worth += worth_failed(weights, situation, slot, total, lowest)
        if situation.traits[slot] & DRAGON:
            worth += weights.debt * (strength - total)  # it has been paid
        if situation.traits[slot] & GOLEM:
            situation.strength[slot] += lowest
            situation.total[slot] = 0
            situation.spells[slot] = 0
        else:
            situation.total[slot] -= lowest
            situation.spells[slot] -= 1
            if situation.spells[slot] == 1:
                situation.lowest[slot] = situation.total[slot]
    spells = 0
    for seat in range(situation.players):
        spells += situation.size[seat]
    return worth - WIN if spells == 0 else worth


@njit(cache=True, nogil=True)
def _pay(situation, owed):  # type: ignore[no-untyped-def]
    """Discard spells worth ``owed`` with little waste; whether there are enough."""
    while owed > 0:
        # A spell that settles it at once, the lowest of such; else the highest.
        best = 0
        for value in range(1, MOST_VALUES):
            for seat in range(situation.players):
                if situation.count[seat, value] > 0 and (best == 0 or best < owed):
                    best = value
        if best == 0:
            return False
        for seat in range(situation.players):
            if situation.count[seat, best] > 0:
                situation.count[seat, best] -= 1
                situation.size[seat] -= 1
                break
        owed -= best
    return True


@njit(cache=True, nogil=True)
def _draw(situation, number):  # type: ignore[no-untyped-def]
    seat = situation.leader
    debt = 0.0
    for _ in range(number):
        for _ in range(situation.players):
            if situation.size[seat] < situation.limit:
                break
            seat = (seat + 1) % situation.players
        if situation.size[seat] >= situation.limit:
            return
        # Whole values whose mean is that of a spell.
        debt += situation.mean
        value = max(1, int(debt + 0.5))
        debt -= value
        situation.count[seat, value] += 1
        situation.size[seat] += 1
        seat = (seat + 1) % situation.players


@njit(cache=True, nogil=True)
def _remove(params, situation, slot):  # type: ignore[no-untyped-def]
    situation.present[slot] = 0
    situation.open[slot] = 0
    situation.total[slot] = 0
    situation.spells[slot] = 0
    for other in range(situation.slots):
        if situation.present[other]:
            situation.strength[other] = max(1, situation.strength[other] - situation.crowd[other])


@njit(cache=True, nogil=True)
def hands_worth(weights, situation):  # type: ignore[no-untyped-def]
    """Points of all spells in hands."""
    worth = 0.0
    for seat in range(situation.players):
        for value in range(1, MOST_VALUES):
            worth += (weights.spell + weights.point * value) * situation.count[seat, value]
    return worth
