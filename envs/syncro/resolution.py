"""The end of a round: monsters are resolved, cards turned up, defeat is looked for.

Each function carries out one stage (see ``flow``) once and returns whether somebody has to decide. Where no
other stage can come first it goes on with the next one itself: a processor often guesses wrongly which stage
comes next when it is looked up.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.engine.words import lowest_bit
from unspoken.envs.syncro.flow import (
    DEBT,
    END_ROUND,
    ESTIMATE,
    LEVEL_LOST,
    RESOLVE,
    SETTLE,
    TURN,
    TURN_UP,
    begin,
    go_to,
    offer,
    pop,
    push,
    push_card,
    seat_after,
)
from unspoken.envs.syncro.foes import (
    destroy,
    discard_spell,
    discard_spells,
    find_accessible,
    lowest_spell,
    strength_now,
    turn_spells_up,
    under_attack,
)
from unspoken.envs.syncro.limits import (
    MAX_PLAYERS,
)
from unspoken.envs.syncro.piles import any_spells, discard_from_hand, draw_spells
from unspoken.envs.syncro.state import (
    ABSORBED,
    BACK_CERBERUS,
    BACK_FOG,
    BACK_LIEUTENANT,
    DECIDE_DEBT,
    DRAGON,
    FOG,
    GOLEM,
    LIEUTENANT,
    MAX_PLAYS,
    MUSHROOM,
    NO_MUSHROOM_DRAW,
)


@njit(cache=True, nogil=True)
def resolve_next(params, state):  # type: ignore[no-untyped-def]
    """RESOLVE: turn up and add the spells on the next monster that has any; a Dragon may be owed."""
    keep_apart()
    left = under_attack(params, state) >> np.uint64(state.resolving)
    if left == 0:
        state.resolving = 0
        state.foe = -1
        go_to(state, TURN_UP)
        return turn_up_next(params, state)
    order = int(state.resolving) + lowest_bit(left)
    slot = int(params.resolution_order[np.uint64(state.level), np.uint64(order)])
    state.resolving = order + 1
    state.foe = slot
    state.total = turn_spells_up(state, slot)
    state.needed = strength_now(params, state, slot)
    go_to(state, SETTLE)
    if (
        params.foe_traits[np.uint64(state.horde_card[np.uint64(slot)])] & DRAGON
        and state.total != state.needed
    ):
        state.owed = abs(int(state.total) - int(state.needed))
        push(state, DEBT)
        return False
    return settle(params, state)


@njit(cache=True, nogil=True)
def ask_debt(params, state):  # type: ignore[no-untyped-def]
    """DEBT: the next wizard with spells discards one or stops; the level is lost if all have been asked."""
    if state.owed <= 0:
        state.owed = 0
        pop(state)
        return False
    while state.asked < params.n_players:
        seat = seat_after(params, int(state.leader), int(state.asked))
        size = int(state.hand_size[seat])
        if size > 0:
            offer(state, DECIDE_DEBT, seat)
            discards = (1 << size) - 1
            first = params.discard_action - params.pass_action
            state.offered_others = (discards << first) | (1 << (params.stop_action - params.pass_action))
            return True
        state.asked += 1
    begin(state, LEVEL_LOST)
    return False


@njit(cache=True, nogil=True)
def pay_debt(state, slot):  # type: ignore[no-untyped-def]
    """The seat to act discards a spell for the Dragon."""
    state.owed -= discard_from_hand(state, int(state.seat), slot)
    if state.hand_size[state.seat] == 0:
        state.asked += 1


@njit(cache=True, nogil=True)
def settle(params, state):  # type: ignore[no-untyped-def]
    """SETTLE: the monster that was added up is destroyed, or not; then the next one."""
    keep_apart()
    slot = int(state.foe)
    traits = params.foe_traits[state.horde_card[slot]]
    state.foe = -1
    go_to(state, RESOLVE)
    if state.total >= state.needed:
        if destroy(params, state, slot):
            return False
        excess = int(state.total) - int(state.needed)
        gives_spells = traits & MUSHROOM != 0 and state.rules_in_force & NO_MUSHROOM_DRAW == 0
        if gives_spells and draw_spells(params, state, int(state.leader), excess, True):
            push(state, ESTIMATE)
        return False
    lowest = lowest_spell(state, slot)
    if traits & GOLEM:
        state.table_place[lowest] = ABSORBED
        state.strength[slot] += state.table_value[lowest]
        discard_spells(state, slot, False)
    else:
        discard_spell(state, lowest)
    return False


@njit(cache=True, nogil=True)
def turn_up_next(params, state):  # type: ignore[no-untyped-def]
    """TURN_UP: one card, in the order of resolution, Fog last; its effect comes before the next."""
    keep_apart()
    level = state.level
    waiting = state.accessible & ~state.face_up
    fog = waiting & params.back_slots[level, BACK_FOG]
    hounds = state.present & params.back_slots[level, BACK_CERBERUS]
    others = waiting & ~fog
    if hounds & ~state.accessible:
        others &= ~hounds  # they are turned up together
    if hounds & ~state.face_up:
        others &= ~params.big_boss[level]  # it is turned up with them
    if others != 0:
        slot = _first_in_order(params, state, others)
        bit = 1 << slot
        if hounds & bit:
            bit = hounds | params.big_boss[level]
        state.face_up |= bit
        if params.back_slots[level, BACK_LIEUTENANT] & bit:
            card = LIEUTENANT + int(state.horde_card[slot]) - params.n_monsters
            if params.card_effects[card] > 0:
                push_card(state, int(card), int(state.leader))
    elif fog != 0:
        slot = _first_in_order(params, state, fog)
        state.present &= ~(1 << slot)
        find_accessible(params, state)
        push_card(state, FOG + int(state.horde_card[slot]), int(state.leader))
    else:
        go_to(state, END_ROUND)
        return end_round(params, state)
    return False


@njit(cache=True, nogil=True)
def _first_in_order(params, state, slots):  # type: ignore[no-untyped-def]
    order = 0
    while slots & (1 << int(params.resolution_order[state.level, order])) == 0:
        order += 1
    return int(params.resolution_order[state.level, order])


@njit(cache=True, nogil=True)
def end_round(params, state):  # type: ignore[no-untyped-def]
    """END_ROUND: without a spell in any hand the level is lost; else the leader card goes on clockwise."""
    keep_apart()
    if not any_spells(params, state):
        begin(state, LEVEL_LOST)
        return False
    state.leader = seat_after(params, int(state.leader), 1)
    state.rounds += 1
    begin_round(state)
    go_to(state, TURN)
    return False


@njit(cache=True, nogil=True)
def begin_round(state):  # type: ignore[no-untyped-def]
    """Nobody has decided anything in this round yet."""
    state.position = 0
    state.attacks = 0
    state.passes = 0
    for seat in range(MAX_PLAYERS):
        for play in range(MAX_PLAYS):
            state.play_slot[seat, play] = 0
            state.play_hand[seat, play] = 0
            state.play_value[seat, play] = 0
            state.play_known[seat, play] = 0
