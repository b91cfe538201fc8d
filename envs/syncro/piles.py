"""Decks, discard piles and hands. A deck's top card is its last one.

An empty deck is made anew of its discard pile, when a card is needed.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.engine.random import advance, below
from unspoken.envs.engine.words import load_bytes, store_bytes, without_byte
from unspoken.envs.syncro.flow import seat_after
from unspoken.envs.syncro.limits import MAX_HAND, MAX_VALUE
from unspoken.envs.syncro.state import (
    FOG,
    HIGHEST,
    LEFTMOST,
    LIEUTENANT,
    LOWEST,
    REWARD,
)


@njit(cache=True, nogil=True)
def shuffle(state, pile, size):  # type: ignore[no-untyped-def]
    """Shuffle the first ``size`` cards of an array."""
    keep_apart()
    generator = state.generator
    for last in range(size - 1, 0, -1):
        generator = advance(generator)
        other = int(below(generator, np.uint64(last + 1)))
        card = pile[other]
        pile[other] = pile[last]
        pile[last] = card
    state.generator = generator


# Spells.


@njit(cache=True, nogil=True)
def hand_limit(params, state):  # type: ignore[no-untyped-def]
    """Most spells in a hand now."""
    return params.hand_limit + state.limit_change


@njit(cache=True, nogil=True)
def take_spell(state):  # type: ignore[no-untyped-def]
    """The top spell of the deck, or 0 if there is none, not among the discards either."""
    if state.spell_deck_size == 0:
        size = 0
        for value in range(1, MAX_VALUE + 1):
            for _ in range(state.spell_discards[value]):
                state.spell_deck[size] = value
                size += 1
            state.spell_discards[value] = 0
        if size == 0:
            return 0
        shuffle(state, state.spell_deck, size)
        state.spell_deck_size = size
    state.spell_deck_size -= 1
    return int(state.spell_deck[state.spell_deck_size])


@njit(cache=True, nogil=True)
def add_to_hand(state, seat, value, known):  # type: ignore[no-untyped-def]
    """Put a spell at the right end of a hand; ``known`` are the seats that have seen it."""
    size = state.hand_size[seat]
    state.hand[seat, size] = value
    state.hand_known[seat, size] = known
    state.hand_size[seat] = size + 1


@njit(cache=True, nogil=True)
def take_from_hand(state, seat, slot):  # type: ignore[no-untyped-def]
    """Take a spell out of a hand, the others close up. Returns its value and the seats that have seen it."""
    value = int(state.hand[np.uint64(seat), np.uint64(slot)])
    known = int(state.hand_known[np.uint64(seat), np.uint64(slot)])
    # A hand is a word, with zeros after the last spell.
    first = seat * MAX_HAND
    store_bytes(without_byte(load_bytes(state.hand, first), slot), state.hand, first)
    store_bytes(without_byte(load_bytes(state.hand_known, first), slot), state.hand_known, first)
    state.hand_size[np.uint64(seat)] -= 1
    return value, known


@njit(cache=True, nogil=True)
def discard_from_hand(state, seat, slot):  # type: ignore[no-untyped-def]
    """Discard a spell, face up, and return its value."""
    value, _ = take_from_hand(state, seat, slot)
    state.spell_discards[value] += 1
    state.shown[seat] += value
    return value


@njit(cache=True, nogil=True)
def hand_slot(state, seat, which):  # type: ignore[no-untyped-def]
    """The slot of the lowest, highest, leftmost or rightmost spell; of equals, the one furthest left."""
    if which == LEFTMOST:
        return 0
    if which != LOWEST and which != HIGHEST:
        return state.hand_size[seat] - 1
    best = 0
    for slot in range(1, state.hand_size[seat]):
        value = state.hand[seat, slot]
        if (value < state.hand[seat, best]) if which == LOWEST else (value > state.hand[seat, best]):
            best = slot
    return best


@njit(cache=True, nogil=True)
def hand_sum(state, seat):  # type: ignore[no-untyped-def]
    """The sum of a hand."""
    total = 0
    for slot in range(state.hand_size[seat]):
        total += int(state.hand[seat, slot])
    return total


@njit(cache=True, nogil=True)
def any_spells(params, state):  # type: ignore[no-untyped-def]
    """Whether a wizard has a spell."""
    for seat in range(params.n_players):
        if state.hand_size[seat] > 0:
            return True
    return False


@njit(cache=True, nogil=True)
def any_discards(state):  # type: ignore[no-untyped-def]
    """Whether a spell lies among the discards."""
    for value in range(1, MAX_VALUE + 1):
        if state.spell_discards[value] > 0:
            return True
    return False


@njit(cache=True, nogil=True)
def forget_statements(params, state):  # type: ignore[no-untyped-def]
    """What was said of the hands holds no more; something else may be said then."""
    for seat in range(params.n_players):
        state.estimate[seat] = 0
        state.said_sum[seat] = 0
        state.said_size[seat] = 0
        state.shown[seat] = 0
    for index in range(state.table_size):
        state.table_hand[index] = -1


@njit(cache=True, nogil=True)
def draw_spells(params, state, first, count, goes_round):  # type: ignore[no-untyped-def]
    """Deal ``count`` spells one by one, and return whether anybody drew.

    ``goes_round``: from seat ``first`` on clockwise, full hands left out. Else all are meant for that seat,
    and go to the next one clockwise with room. Ends early when all hands are full or no spell is left.
    """
    keep_apart()
    limit = hand_limit(params, state)
    seat = first
    drew = False
    for _ in range(count):
        full = 0
        while full < params.n_players and state.hand_size[seat] >= limit:
            seat = seat_after(params, seat, 1)
            full += 1
        if full == params.n_players:
            break
        value = take_spell(state)
        if value == 0:
            break
        add_to_hand(state, seat, value, 0)
        drew = True
        if goes_round:
            seat = seat_after(params, seat, 1)
    return drew


@njit(cache=True, nogil=True)
def draw_each(params, state, count):  # type: ignore[no-untyped-def]
    """Every wizard draws ``count`` spells, one by one from the leader clockwise; full hands draw nothing."""
    limit = hand_limit(params, state)
    drew = False
    for _ in range(count):
        for places in range(params.n_players):
            seat = seat_after(params, int(state.leader), places)
            if state.hand_size[seat] < limit:
                value = take_spell(state)
                if value == 0:
                    return drew
                add_to_hand(state, seat, value, 0)
                drew = True
    return drew


# Fog, Rewards, lieutenants.


@njit(cache=True, nogil=True)
def take_fog(state):  # type: ignore[no-untyped-def]
    """The top card of the Fog deck, or -1 if there is none, not among the discards either."""
    if state.fog_deck_size == 0:
        size = int(state.fog_discards_size)
        if size == 0:
            return -1
        for index in range(size):
            state.fog_deck[index] = state.fog_discards[index]
        state.fog_discards_size = 0
        state.fog_shown[:] = 0
        shuffle(state, state.fog_deck, size)
        state.fog_deck_size = size
    state.fog_deck_size -= 1
    return int(state.fog_deck[state.fog_deck_size])


@njit(cache=True, nogil=True)
def discard_fog(state, card, shown):  # type: ignore[no-untyped-def]
    """Put a Fog card on its discards; ``shown``: everybody has seen it."""
    state.fog_discards[state.fog_discards_size] = card
    state.fog_discards_size += 1
    if shown:
        state.fog_shown[card - FOG] += 1


@njit(cache=True, nogil=True)
def draw_reward(params, state):  # type: ignore[no-untyped-def]
    """The first wizard from the leader on who has no Reward draws one, if there is one."""
    places = 0
    seat = int(state.leader)
    while places < params.n_players and state.reward[seat] != 0:
        seat = seat_after(params, seat, 1)
        places += 1
    if places == params.n_players:
        return
    if state.reward_deck_size == 0:
        size = int(state.reward_discards_size)
        if size == 0:
            return
        for index in range(size):
            state.reward_deck[index] = state.reward_discards[index]
        state.reward_discards_size = 0
        shuffle(state, state.reward_deck, size)
        state.reward_deck_size = size
    state.reward_deck_size -= 1
    state.reward[seat] = state.reward_deck[state.reward_deck_size]


@njit(cache=True, nogil=True)
def put_away(params, state, card):  # type: ignore[no-untyped-def]
    """A card has had its effects: it is discarded, or lies aside until the level ends."""
    if card >= LIEUTENANT:
        return  # it lies in the horde
    if card >= REWARD:
        state.reward_discards[state.reward_discards_size] = card
        state.reward_discards_size += 1
    elif params.card_ongoing[card] != 0:
        state.curses[state.curses_size] = card
        state.curses_size += 1
    else:
        discard_fog(state, card, True)


@njit(cache=True, nogil=True)
def take_lieutenant(state):  # type: ignore[no-untyped-def]
    """The top card of the lieutenant deck, made anew of the beaten ones if it is empty."""
    if state.lieutenant_deck_size == 0:
        size = int(state.lieutenant_box_size)
        for index in range(size):
            state.lieutenant_deck[index] = state.lieutenant_box[index]
        state.lieutenant_box_size = 0
        shuffle(state, state.lieutenant_deck, size)
        state.lieutenant_deck_size = size
    state.lieutenant_deck_size -= 1
    return int(state.lieutenant_deck[state.lieutenant_deck_size])


@njit(cache=True, nogil=True)
def take_from_box(state, lieutenant):  # type: ignore[no-untyped-def]
    """Take a lieutenant out of the box, if it lies there."""
    left = 0
    for index in range(state.lieutenant_box_size):
        if state.lieutenant_box[index] != lieutenant:
            state.lieutenant_box[left] = state.lieutenant_box[index]
            left += 1
    state.lieutenant_box_size = left
