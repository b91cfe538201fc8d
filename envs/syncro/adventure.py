"""From level to level: laying out and dealing, what happens when a level is won or lost, hands kept or not.

Each of the stages here (see ``flow``) is carried out once by a call, which returns whether somebody has to
decide.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.engine.random import advance, below, stream
from unspoken.envs.syncro.flow import ESTIMATE, KEEP, SET_UP, TURN, begin, end_game, offer, push, seat_after
from unspoken.envs.syncro.foes import find_accessible
from unspoken.envs.syncro.limits import (
    MAX_HAND,
    MAX_VALUE,
)
from unspoken.envs.syncro.piles import (
    discard_fog,
    draw_reward,
    draw_spells,
    forget_statements,
    shuffle,
    take_fog,
    take_from_box,
    take_lieutenant,
)
from unspoken.envs.syncro.resolution import begin_round
from unspoken.envs.syncro.state import (
    BACK_FOG,
    BACK_LIEUTENANT,
    BACK_MONSTER,
    DECIDE_KEEP,
    FOG,
    LEVEL_POTENTIAL,
    REWARD,
)

_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def begin_game(params, state):  # type: ignore[no-untyped-def]
    """The next game of the state's random stream, before its first level is laid out."""
    keep_apart()
    state.generator = stream(state.seed, state.slot, state.episode)
    state.episode = state.episode + _ONE
    state.finished = False
    state.won = False
    state.truncated = False
    state.decisions = 0
    state.level = params.first_level
    state.levels_won = 0
    state.tries = 1
    state.all_tries = 1
    state.n_slots = 0
    state.curses_size = 0
    for seat in range(params.n_players):
        _drop_hand(state, seat)
        state.reward[seat] = 0
    state.generator = advance(state.generator)
    state.leader = int(below(state.generator, np.uint64(params.n_players)))
    _fill_decks(params, state)
    begin(state, SET_UP)


@njit(cache=True, nogil=True)
def _fill_decks(params, state):  # type: ignore[no-untyped-def]
    """Shuffle the decks that are carried on from level to level."""
    size = 0
    for kind in range(params.n_fog):
        for _ in range(params.fog_copies[kind]):
            state.fog_deck[size] = FOG + kind
            size += 1
    shuffle(state, state.fog_deck, size)
    state.fog_deck_size = size
    state.fog_discards_size = 0
    state.fog_shown[:] = 0
    size = 0
    for kind in range(params.n_rewards):
        for _ in range(params.reward_copies[kind]):
            state.reward_deck[size] = REWARD + kind
            size += 1
    shuffle(state, state.reward_deck, size)
    state.reward_deck_size = size
    state.reward_discards_size = 0
    size = 0
    for kind in range(params.n_lieutenants):
        for _ in range(params.lieutenant_copies[kind]):
            state.lieutenant_deck[size] = kind
            size += 1
    shuffle(state, state.lieutenant_deck, size)
    state.lieutenant_deck_size = size
    state.lieutenant_box_size = 0


@njit(cache=True, nogil=True)
def set_up(params, state):  # type: ignore[no-untyped-def]
    """SET_UP: spells are shuffled and dealt, the horde is laid out; then the first round, after an estimate.

    A new try has the lieutenants of the last one. On a new try, and where a game begins in chapter II, every
    wizard without a Reward draws one.
    """
    keep_apart()
    again = state.tries > 1
    if again:
        for seat in range(params.n_players):
            _drop_hand(state, seat)
    state.rules_in_force = 0
    state.limit_change = 0
    _shuffle_spells(params, state)
    draw_spells(params, state, int(state.leader), params.n_players * params.hand_limit, True)
    _lay_out(params, state, again)
    if params.rewards_unlocked[state.level] != 0 and (again or state.all_tries == 1):
        for _ in range(params.n_players):
            draw_reward(params, state)
    forget_statements(params, state)
    state.rounds = 0
    state.resolving = 0
    state.foe = -1
    state.total = 0
    state.needed = 0
    state.owed = 0
    begin_round(state)
    begin(state, TURN)
    push(state, ESTIMATE)
    return False


@njit(cache=True, nogil=True)
def _drop_hand(state, seat):  # type: ignore[no-untyped-def]
    for slot in range(MAX_HAND):
        state.hand[seat, slot] = 0
        state.hand_known[seat, slot] = 0
    state.hand_size[seat] = 0


@njit(cache=True, nogil=True)
def _shuffle_spells(params, state):  # type: ignore[no-untyped-def]
    """Every spell of the level that is not in a hand goes into the deck."""
    state.table_size = 0
    size = 0
    for value in range(1, MAX_VALUE + 1):
        state.spell_discards[value] = 0
        copies = params.spell_copies[state.level, value]
        for seat in range(params.n_players):
            for slot in range(state.hand_size[seat]):
                copies -= state.hand[seat, slot] == value
        for _ in range(copies):
            state.spell_deck[size] = value
            size += 1
    shuffle(state, state.spell_deck, size)
    state.spell_deck_size = size


@njit(cache=True, nogil=True)
def _lay_out(params, state, again):  # type: ignore[no-untyped-def]
    level = state.level
    size = 0
    for kind in range(params.n_monsters):
        for _ in range(params.monster_copies[level, kind]):
            state.monster_deck[size] = kind
            size += 1
    shuffle(state, state.monster_deck, size)
    lieutenants = params.back_slots[level, BACK_LIEUTENANT]
    state.remembered = (state.remembered | (state.face_up & lieutenants)) if again else 0
    state.n_slots = params.level_slots[level]
    state.present = (1 << params.level_slots[level]) - 1
    state.face_up = params.slot_face_up[level]
    find_accessible(params, state)
    total = 0
    for slot in range(state.n_slots):
        back = params.slot_back[level, slot]
        if back == BACK_MONSTER:
            size -= 1
            state.horde_card[slot] = state.monster_deck[size]
        elif back == BACK_FOG:
            state.horde_card[slot] = take_fog(state)
        elif back == BACK_LIEUTENANT:
            if again:
                take_from_box(state, state.horde_card[slot] - params.n_monsters)
            else:
                state.horde_card[slot] = params.n_monsters + take_lieutenant(state)
        else:
            state.horde_card[slot] = params.slot_foe[level, slot]
        strength = 0 if back == BACK_FOG else params.foe_strength[state.horde_card[slot]]
        state.strength[slot] = strength
        state.printed[slot] = strength
        total += strength
    state.monster_deck_size = size
    state.horde_total = total
    state.destroyed = 0
    state.potential = LEVEL_POTENTIAL * int(state.levels_won)


@njit(cache=True, nogil=True)
def _put_level_away(params, state):  # type: ignore[no-untyped-def]
    """Fog that was not turned up and curses lying aside go to the Fog discards."""
    for slot in range(state.n_slots):
        if state.present & params.back_slots[state.level, BACK_FOG] & (1 << slot):
            discard_fog(state, int(state.horde_card[slot]), False)
    for index in range(state.curses_size):
        discard_fog(state, int(state.curses[index]), True)
    state.curses_size = 0
    state.rules_in_force = 0
    state.limit_change = 0


@njit(cache=True, nogil=True)
def win_level(params, state):  # type: ignore[no-untyped-def]
    """LEVEL_WON: the leader card goes on; after the last level the game is won."""
    keep_apart()
    _put_level_away(params, state)
    state.n_slots = 0
    state.present = 0
    state.accessible = 0
    state.levels_won += 1
    state.potential = LEVEL_POTENTIAL * int(state.levels_won)
    state.leader = seat_after(params, int(state.leader), 1)
    if state.level == params.last_level:
        state.won = True
        end_game(state)
        return True
    begin(state, KEEP)
    return False


@njit(cache=True, nogil=True)
def lose_level(params, state):  # type: ignore[no-untyped-def]
    """LEVEL_LOST: the same level once more, while there are tries left."""
    keep_apart()
    if state.tries == params.max_tries:
        end_game(state)
        return True
    _put_level_away(params, state)
    state.tries += 1
    state.all_tries += 1
    begin(state, SET_UP)
    return False


@njit(cache=True, nogil=True)
def ask_keep(params, state):  # type: ignore[no-untyped-def]
    """KEEP: every wizard with spells keeps its hand or drops it; no choice is seen before all are made."""
    while state.asked < params.n_players:
        seat = seat_after(params, int(state.leader), int(state.asked))
        if state.hand_size[seat] > 0:
            offer(state, DECIDE_KEEP, seat)
            first = params.keep_action - params.pass_action
            state.offered_others = 3 << first
            return True
        state.asked += 1
    for seat in range(params.n_players):
        if state.hand_size[seat] > 0 and state.answers[seat] == params.drop_action - params.keep_action:
            _drop_hand(state, seat)
    state.level += 1
    state.tries = 1
    state.all_tries += 1
    begin(state, SET_UP)
    return False
