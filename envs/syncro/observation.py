"""Writing what a wizard of Syncro may know, as categorical features relative to that wizard.

The features (see ``layout``) hold the whole public record that still matters, and of what is hidden only what
the observer has seen itself: its hand, the spells it has played, the spells it has given away.
"""

import numpy as np
from numba import njit

from unspoken.envs.syncro.flow import CARD
from unspoken.envs.syncro.foes import strength_now
from unspoken.envs.syncro.limits import MAX_VALUE
from unspoken.envs.syncro.state import (
    ABSORBED,
    BACK_FOG,
    EVERYBODY,
    FACE_DOWN,
    FOG,
    LIEUTENANT,
    N_RULES,
    REWARD,
)

_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def observe(params, state, player, out, start=0):  # type: ignore[no-untyped-def]
    """Write what seat ``player`` may know now (see ``layout.feature_layout``), from ``out[start]`` on.

    ``out`` is one-dimensional ``int8``, with ``params.feature_width`` entries of room.
    """
    _write_features(params, state, player, False, out, start)


@njit(cache=True, nogil=True)
def observe_everything(params, state, player, out, start=0):  # type: ignore[no-untyped-def]
    """Write the view of seat ``player`` with every card on the table and in a hand turned up, for critics."""
    _write_features(params, state, player, True, out, start)


@njit(cache=True, nogil=True)
def _relative(params, seat, player):  # type: ignore[no-untyped-def]
    places = seat - player
    return places if places >= 0 else places + params.n_players


# Entries are unsigned below: numba asks of every signed index whether it counts from the end of the array.


@njit(cache=True, nogil=True)
def _clear(out, first, size):  # type: ignore[no-untyped-def]
    """Write zeros, and return the entry after them."""
    for entry in range(first, first + size):
        out[entry] = 0
    return first + size


@njit(cache=True, nogil=True)
def _write_features(params, state, player, everything, out, start):  # type: ignore[no-untyped-def]
    entry = np.uint64(start)
    out[entry] = state.decision
    out[entry + _ONE] = _relative(params, state.seat, player)
    out[entry + np.uint64(2)] = player
    out[entry + np.uint64(3)] = _relative(params, state.leader, player)
    out[entry + np.uint64(4)] = state.position
    out[entry + np.uint64(5)] = state.level
    out[entry + np.uint64(6)] = state.tries
    out[entry + np.uint64(7)] = state.foe + 1
    out[entry + np.uint64(8)] = min(int(state.owed), params.owed_top)
    out[entry + np.uint64(9)] = state.spell_deck_size
    entry += np.uint64(10)
    for value in range(MAX_VALUE):
        out[entry] = state.spell_discards[value + 1]
        entry += _ONE
    entry = _write_horde(params, state, player, everything, out, entry)
    if params.shows_fog:
        entry = _write_fog(params, state, out, entry)
    viewers = int(EVERYBODY) if everything else 1 << int(player)
    seat = int(player)
    for _ in range(params.n_players):
        entry = _write_seat(params, state, seat, viewers, out, entry)
        seat = seat + 1 if seat + 1 < params.n_players else 0


@njit(cache=True, nogil=True)
def _write_horde(params, state, player, everything, out, start):  # type: ignore[no-untyped-def]
    """Spells on the table by value, then the features of the slots; returns the entry after them."""
    leftovers = start
    absorbed = start + np.uint64(MAX_VALUE)
    slots = np.uint64(params.n_slots)
    backs = absorbed + np.uint64(MAX_VALUE)
    states = backs + slots
    accessible = states + slots
    cards = accessible + slots
    strengths = cards + slots
    ups = strengths + slots
    sums = ups + slots
    lowest = sums + slots
    downs = lowest + slots
    known = downs + slots
    tops = known + slots
    under = tops + slots
    end = _clear(out, start, under + slots - start)
    level = state.level
    top = params.strength_top
    present, face_up = np.uint64(state.present), np.uint64(state.face_up)
    open_slots, remembered = np.uint64(state.accessible), np.uint64(state.remembered)
    for slot in range(np.uint64(state.n_slots)):
        back = params.slot_back[level, slot]
        here = (present >> slot) & _ONE
        up = (face_up >> slot) & _ONE
        out[backs + slot] = back
        out[states + slot] = _ONE + here + (here & up)
        out[accessible + slot] = (open_slots >> slot) & _ONE
        if back == BACK_FOG:
            if everything and here != 0:
                out[cards + slot] = 1 + params.n_foes + state.horde_card[slot]
        elif everything or (up | ((remembered >> slot) & _ONE)) != 0:
            out[cards + slot] = 1 + state.horde_card[slot]
            if here != 0 and (everything or up != 0):
                out[strengths + slot] = min(strength_now(params, state, slot), top)
    for index in range(np.uint64(state.table_size)):
        value = int(state.table_value[index])
        on = np.uint64(state.table_slot[index])
        place = state.table_place[index]
        if place == ABSORBED:
            out[absorbed + np.uint64(value - 1)] += 1
            out[under + on] = min(out[under + on] + value, top)
            continue
        out[tops + on] = 1 + _relative(params, state.table_owner[index], player)
        if place == FACE_DOWN:
            out[downs + on] += 1
            if everything or (state.table_known[index] >> player) & 1 != 0:
                out[known + on] += value
        else:
            out[leftovers + np.uint64(value - 1)] += 1
            out[ups + on] = min(out[ups + on] + 1, 7)
            out[sums + on] = min(out[sums + on] + value, top)
            least = out[lowest + on]
            if least == 0 or value < least:
                out[lowest + on] = value
    return end


@njit(cache=True, nogil=True)
def _write_fog(params, state, out, entry):  # type: ignore[no-untyped-def]
    """What only chapter II has; returns the entry after it."""
    out[entry] = 0
    out[entry + _ONE] = 0
    for depth in range(1, state.depth + 1):
        if state.frame_stage[depth] == CARD:
            out[entry] = 1 + _card_index(params, state.frame_card[depth])
            out[entry + _ONE] = state.frame_step[depth]
    entry += np.uint64(2)
    for rule in range(N_RULES):
        out[entry] = (state.rules_in_force >> rule) & 1
        entry += _ONE
    out[entry] = params.hand_limit + state.limit_change
    out[entry + _ONE] = state.fog_deck_size
    out[entry + np.uint64(2)] = state.fog_discards_size
    entry += np.uint64(3)
    for kind in range(np.uint64(params.n_fog)):
        out[entry + kind] = state.fog_shown[kind]
    entry += np.uint64(params.n_fog)
    end = _clear(out, entry, np.uint64(params.n_fog))
    for index in range(np.uint64(state.curses_size)):
        out[entry + np.uint64(state.curses[index] - FOG)] += 1
    out[end] = state.reward_deck_size
    entry = end + _ONE
    end = _clear(out, entry, np.uint64(params.n_rewards))
    for index in range(np.uint64(state.reward_discards_size)):
        out[entry + np.uint64(state.reward_discards[index] - REWARD)] += 1
    out[end] = state.lieutenant_deck_size
    entry = end + _ONE
    end = _clear(out, entry, np.uint64(params.n_lieutenants))
    for index in range(np.uint64(state.lieutenant_box_size)):
        out[entry + np.uint64(state.lieutenant_box[index])] = 1
    return end


@njit(cache=True, nogil=True)
def _card_index(params, card):  # type: ignore[no-untyped-def]
    """A card's place among the Fog cards, Rewards and lieutenants that there are."""
    if card >= LIEUTENANT:
        return params.n_fog + params.n_rewards + card - LIEUTENANT
    if card >= REWARD:
        return params.n_fog + card - REWARD
    return int(card)


@njit(cache=True, nogil=True)
def _write_seat(params, state, seat, viewers, out, entry):  # type: ignore[no-untyped-def]
    """A wizard's hand and plays, as a seat among ``viewers`` (bits) sees them; returns the entry after it."""
    own = viewers & (1 << seat) != 0
    # Slots after the last spell are 0, and nobody knows them.
    for slot in range(np.uint64(params.hand_limit)):
        seen = own or state.hand_known[seat, slot] & viewers != 0
        out[entry + slot] = state.hand[seat, slot] if seen else 0
    entry += np.uint64(params.hand_limit)
    out[entry] = state.hand_size[seat]
    out[entry + _ONE] = state.estimate[seat]
    out[entry + np.uint64(2)] = state.said_sum[seat]
    out[entry + np.uint64(3)] = state.said_size[seat]
    out[entry + np.uint64(4)] = min(int(state.shown[seat]), MAX_VALUE * params.hand_limit)
    entry += np.uint64(5)
    plays = np.uint64(2 if params.n_players <= 3 else 1)
    for play in range(plays):
        seen = state.play_known[seat, play] & viewers != 0
        out[entry + play] = state.play_slot[seat, play]
        out[entry + plays + play] = state.play_hand[seat, play]
        out[entry + plays + plays + play] = state.play_value[seat, play] if seen else 0
    entry += plays + plays + plays
    if params.shows_fog:
        reward = state.reward[seat]
        out[entry] = reward != 0
        out[entry + _ONE] = reward - REWARD + 1 if own and reward != 0 else 0
        entry += np.uint64(2)
    return entry
