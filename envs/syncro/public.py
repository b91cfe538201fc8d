"""What every wizard sees alike of the horde and the decks, as it stands in an observation.

It changes only when a monster is resolved or a card is turned up, which is seldom beside the number of
observations. So it is kept in the state (``state.public``), written anew by ``rules.run`` when it may have
changed, and an observation copies it. What differs is added by ``observation``: spells that lie face down,
and whose the top spell is, seen from the observer.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.engine.words import lowest_bit, spread_bits, spread_two_bits
from unspoken.envs.syncro.flow import CARD
from unspoken.envs.syncro.foes import strength_now
from unspoken.envs.syncro.limits import MAX_VALUE
from unspoken.envs.syncro.state import (
    ABSORBED,
    BACK_FOG,
    FACE_DOWN,
    FOG,
    LIEUTENANT,
    N_RULES,
    REWARD,
)

_ONE = np.uint64(1)

# The features by slot, in their order (see ``layout``); before them come the leftovers and what is absorbed.
(
    SLOT_BACK,
    SLOT_STATE,
    SLOT_ACCESSIBLE,
    SLOT_CARD,
    SLOT_STRENGTH,
    SLOT_SPELLS,
    SLOT_SUM,
    SLOT_LOWEST,
    SLOT_HIDDEN,
    SLOT_KNOWN,
    SLOT_TOP,
    SLOT_ABSORBED,
    AFTER_SLOTS,
) = (np.uint64(feature) for feature in range(13))


@njit(cache=True, nogil=True)
def slot_entry(params, feature):  # type: ignore[no-untyped-def]
    """The entry of ``state.public`` at which a feature of the slots begins, as ``uint64``."""
    return np.uint64(2 * MAX_VALUE) + feature * np.uint64(params.n_slots)


# Entries are unsigned here: numba asks of every signed index whether it counts from the end of the array.


@njit(cache=True, nogil=True)
def write_public(params, state):  # type: ignore[no-untyped-def]
    """Write ``state.public``: the features from ``leftovers`` on, up to those of the seats."""
    keep_apart()
    public = state.public
    for entry in range(np.uint64(params.public_size)):
        public[entry] = 0
    _write_slots(params, state, public)
    _write_spells(params, state, public)
    if params.shows_fog:
        _write_fog(params, state, public, slot_entry(params, AFTER_SLOTS))


@njit(cache=True, nogil=True)
def _write_slots(params, state, public):  # type: ignore[no-untyped-def]
    """The cards of the horde."""
    level = state.level
    backs = slot_entry(params, SLOT_BACK)
    cards = slot_entry(params, SLOT_CARD)
    strengths = slot_entry(params, SLOT_STRENGTH)
    here, up = np.uint64(state.present), np.uint64(state.face_up)
    there_are = (_ONE << np.uint64(state.n_slots)) - _ONE
    # Each word is written as 32 entries, the next ones over its unused end.
    spread_two_bits((there_are & ~here) | (here & up), here, public, slot_entry(params, SLOT_STATE))
    spread_bits(np.uint64(state.accessible), public, slot_entry(params, SLOT_ACCESSIBLE))
    seen = (up | np.uint64(state.remembered)) & ~np.uint64(params.back_slots[level, BACK_FOG])
    for slot in range(np.uint64(state.n_slots)):
        public[backs + slot] = params.slot_back[level, slot]
        public[cards + slot] = 1 + state.horde_card[slot] if (seen >> slot) & _ONE != 0 else 0
    strong = seen & here & up & there_are
    while strong != 0:
        monster = np.uint64(lowest_bit(strong))
        strong &= strong - _ONE
        public[strengths + monster] = min(strength_now(params, state, monster), params.strength_top)


@njit(cache=True, nogil=True)
def _write_spells(params, state, public):  # type: ignore[no-untyped-def]
    """Spells that lie face up or are absorbed; of a top spell the seat it belongs to."""
    absorbed = np.uint64(MAX_VALUE)
    ups = slot_entry(params, SLOT_SPELLS)
    sums = slot_entry(params, SLOT_SUM)
    lowest = slot_entry(params, SLOT_LOWEST)
    tops = slot_entry(params, SLOT_TOP)
    under = slot_entry(params, SLOT_ABSORBED)
    top = params.strength_top
    state.first_down = state.table_size
    for index in range(np.uint64(state.table_size)):
        place = state.table_place[index]
        if place == FACE_DOWN:
            state.first_down = min(state.first_down, np.int8(index))
            continue
        value = int(state.table_value[index])
        on = np.uint64(state.table_slot[index])
        if place == ABSORBED:
            public[absorbed + np.uint64(value - 1)] += 1
            public[under + on] = min(public[under + on] + value, top)
            continue
        public[np.uint64(value - 1)] += 1
        public[ups + on] = min(public[ups + on] + 1, 7)
        public[sums + on] = min(public[sums + on] + value, top)
        least = public[lowest + on]
        if least == 0 or value < least:
            public[lowest + on] = value
        public[tops + on] = 1 + state.table_owner[index]


@njit(cache=True, nogil=True)
def _write_fog(params, state, public, entry):  # type: ignore[no-untyped-def]
    """What only chapter II has."""
    for depth in range(1, state.depth + 1):
        if state.frame_stage[depth] == CARD:
            public[entry] = 1 + _card_index(params, state.frame_card[depth])
            public[entry + _ONE] = state.frame_step[depth]
    entry += np.uint64(2)
    for rule in range(N_RULES):
        public[entry] = (state.rules_in_force >> rule) & 1
        entry += _ONE
    public[entry] = params.hand_limit + state.limit_change
    public[entry + _ONE] = state.fog_deck_size
    public[entry + np.uint64(2)] = state.fog_discards_size
    entry += np.uint64(3)
    for kind in range(np.uint64(params.n_fog)):
        public[entry + kind] = state.fog_shown[kind]
    entry += np.uint64(params.n_fog)
    for index in range(np.uint64(state.curses_size)):
        public[entry + np.uint64(state.curses[index] - FOG)] += 1
    entry += np.uint64(params.n_fog)
    public[entry] = state.reward_deck_size
    entry += _ONE
    for index in range(np.uint64(state.reward_discards_size)):
        public[entry + np.uint64(state.reward_discards[index] - REWARD)] += 1
    entry += np.uint64(params.n_rewards)
    public[entry] = state.lieutenant_deck_size
    entry += _ONE
    for index in range(np.uint64(state.lieutenant_box_size)):
        public[entry + np.uint64(state.lieutenant_box[index])] = 1


@njit(cache=True, nogil=True)
def _card_index(params, card):  # type: ignore[no-untyped-def]
    """A card's place among the Fog cards, Rewards and lieutenants that there are."""
    if card >= LIEUTENANT:
        return params.n_fog + params.n_rewards + card - LIEUTENANT
    if card >= REWARD:
        return params.n_fog + card - REWARD
    return int(card)
