"""The cards of the horde and the spells on them. Sets of slots are bits."""

import numpy as np
from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.engine.words import (
    BYTES,
    bytes_in_use,
    count_bits,
    find_bytes,
    load_bytes,
    lowest_bit,
    store_bytes,
    without_byte,
)
from unspoken.envs.syncro.flow import CARD, LEVEL_WON, begin
from unspoken.envs.syncro.limits import MAX_PLAYERS, MAX_SPELLS, MAX_VALUE
from unspoken.envs.syncro.piles import put_away
from unspoken.envs.syncro.state import (
    ABSORBED,
    BACK_BOSS,
    BACK_CERBERUS,
    BACK_FOG,
    BACK_LIEUTENANT,
    BACK_MONSTER,
    EVERYBODY,
    FACE_DOWN,
    FACE_UP,
    LEVEL_POTENTIAL,
    MAX_PLAYS,
)

_ONE = np.uint64(1)
_ALL = ~np.uint64(0)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_KNOWN_TO_ALL = _EVERY_BYTE * np.uint64(EVERYBODY)


@njit(cache=True, nogil=True)
def find_accessible(params, state):  # type: ignore[no-untyped-def]
    """Work out which cards nothing lies over; to be done whenever a card has left."""
    accessible = 0
    present = state.present
    for slot in range(state.n_slots):
        covered = present & params.covered_by[state.level, slot] != 0
        accessible |= 0 if covered else 1 << slot
    state.accessible = accessible & present


@njit(cache=True, nogil=True)
def monsters(params, state):  # type: ignore[no-untyped-def]
    """The slots of what must be destroyed: all that is in the horde but Fog."""
    return state.present & ~params.back_slots[state.level, BACK_FOG]


@njit(cache=True, nogil=True)
def attackable(params, state):  # type: ignore[no-untyped-def]
    """The monsters that lie face up and accessible; Boss II not while a Cerberus is in play."""
    slots = state.accessible & state.face_up
    if state.present & params.back_slots[state.level, BACK_CERBERUS] != 0:
        slots &= ~params.big_boss[state.level]
    return slots


@njit(cache=True, nogil=True)
def under_own_spell(state, seat):  # type: ignore[no-untyped-def]
    """The monsters whose top spell, face up or down, is the seat's own."""
    slots = 0
    for index in range(state.table_size):
        # Without branches, which a processor would guess wrongly.
        bit = int(state.table_place[index] != ABSORBED) << int(state.table_slot[index])
        slots = (slots & ~bit) | (bit if state.table_owner[index] == seat else 0)
    return slots


@njit(cache=True, nogil=True)
def strength_now(params, state, slot):  # type: ignore[no-untyped-def]
    """A monster's strength, with what is added for every other card in the horde; at least 1."""
    strength = int(state.strength[slot])
    crowd = int(params.foe_crowd[state.horde_card[slot]])
    if crowd != 0:
        strength += crowd * (count_bits(np.uint64(state.present)) - 1)
    return max(1, strength)


@njit(cache=True, nogil=True)
def weak_monsters(params, state, limit):  # type: ignore[no-untyped-def]
    """The monsters that can be attacked, bosses left out, of strength ``limit`` or less."""
    slots = attackable(params, state) & ~params.back_slots[state.level, BACK_BOSS]
    for slot in range(state.n_slots):
        if slots & (1 << slot) and strength_now(params, state, slot) > limit:
            slots &= ~(1 << slot)
    return slots


@njit(cache=True, nogil=True)
def hidden_monsters(params, state):  # type: ignore[no-untyped-def]
    """The slots of Monster cards that lie face down."""
    return state.present & ~state.face_up & params.back_slots[state.level, BACK_MONSTER]


# Spells on foes.


@njit(cache=True, nogil=True)
def lay_spell(state, seat, slot, value, known):  # type: ignore[no-untyped-def]
    """Put a spell face down on top of those on a monster."""
    index = np.uint64(state.table_size)
    state.table_value[index] = value
    state.table_slot[index] = slot
    state.table_owner[index] = seat
    state.table_known[index] = known
    state.table_place[index] = FACE_DOWN
    state.table_hand[index] = seat
    state.table_size += 1


@njit(cache=True, nogil=True)
def under_attack(params, state):  # type: ignore[no-untyped-def]
    """The monsters that have spells on them, absorbed ones left out: bits of their turns to be resolved."""
    places = 0
    for index in range(np.uint64(state.table_size)):
        place = int(params.slot_order[np.uint64(state.level), np.uint64(state.table_slot[index])])
        places |= int(state.table_place[index] != ABSORBED) << place
    return np.uint64(places)


@njit(cache=True, nogil=True)
def spells_on(state, slot, absorbed):  # type: ignore[no-untyped-def]
    """The spells on a monster, and those it has absorbed as well if ``absorbed``: bits of their places on the
    table."""
    # By two shifts: one by all 64 bits is not defined.
    half = np.uint64(state.table_size >> 1)
    used = ~((_ALL << half) << (np.uint64(state.table_size) - half))
    found = find_bytes(state.table_slot, slot) & used
    return found if absorbed else found & ~find_bytes(state.table_place, ABSORBED)


@njit(cache=True, nogil=True)
def turn_spells_up(state, slot):  # type: ignore[no-untyped-def]
    """Turn up the spells on a monster, for all to see, and return their sum."""
    total = 0
    spells = spells_on(state, slot, False)
    while spells != 0:
        index = np.uint64(lowest_bit(spells))
        spells &= spells - _ONE
        value = int(state.table_value[index])
        total += value
        # Without branches, which a processor would guess wrongly.
        hand = int(state.table_hand[index])
        newly_shown = state.table_place[index] == FACE_DOWN and hand >= 0
        state.shown[np.uint64(max(hand, 0))] += value * newly_shown
        state.table_place[index] = FACE_UP
    # The plays of all seats are a little more than a word: two that overlap, read before they are written.
    end = MAX_PLAYERS * MAX_PLAYS - BYTES
    attacks = _EVERY_BYTE * np.uint64(2 + slot)
    first = load_bytes(state.play_slot, 0) ^ attacks
    last = load_bytes(state.play_slot, end) ^ attacks
    known_first = load_bytes(state.play_known, 0)
    known_last = load_bytes(state.play_known, end)
    store_bytes(known_first | (_KNOWN_TO_ALL & ~bytes_in_use(first)), state.play_known, 0)
    store_bytes(known_last | (_KNOWN_TO_ALL & ~bytes_in_use(last)), state.play_known, end)
    return total


@njit(cache=True, nogil=True)
def lowest_spell(state, slot):  # type: ignore[no-untyped-def]
    """Where on the table the lowest spell on a monster lies; of equals, the one played first."""
    spells = spells_on(state, slot, False)
    # A value and below it the place: the least of them is the lowest spell, of equals the first one.
    lowest = MAX_SPELLS * (MAX_VALUE + 1)
    while spells != 0:
        index = lowest_bit(spells)
        spells &= spells - _ONE
        lowest = min(lowest, int(state.table_value[np.uint64(index)]) * MAX_SPELLS + index)
    return lowest & (MAX_SPELLS - 1)


@njit(cache=True, nogil=True)
def _close_gap(numbers, which):  # type: ignore[no-untyped-def]
    store_bytes(without_byte(load_bytes(numbers, 0), which), numbers, 0)


@njit(cache=True, nogil=True)
def discard_spell(state, which):  # type: ignore[no-untyped-def]
    """Discard one spell from the table."""
    state.spell_discards[np.uint64(state.table_value[which])] += 1
    if state.table_size <= BYTES:
        # Nearly always, and then each of the lists is a word.
        _close_gap(state.table_value, which)
        _close_gap(state.table_slot, which)
        _close_gap(state.table_owner, which)
        _close_gap(state.table_known, which)
        _close_gap(state.table_place, which)
        _close_gap(state.table_hand, which)
    else:
        for index in range(which + 1, state.table_size):
            state.table_value[index - 1] = state.table_value[index]
            state.table_slot[index - 1] = state.table_slot[index]
            state.table_owner[index - 1] = state.table_owner[index]
            state.table_known[index - 1] = state.table_known[index]
            state.table_place[index - 1] = state.table_place[index]
            state.table_hand[index - 1] = state.table_hand[index]
    state.table_size -= 1


@njit(cache=True, nogil=True)
def discard_spells(state, slot, absorbed):  # type: ignore[no-untyped-def]
    """Discard the spells on a monster, and those it has absorbed as well if ``absorbed``."""
    keep_apart()
    spells = spells_on(state, slot, absorbed)
    while spells != 0:
        discard_spell(state, lowest_bit(spells))
        # Those after it have moved down by one.
        spells = (spells & (spells - _ONE)) >> _ONE


@njit(cache=True, nogil=True)
def destroy(params, state, slot):  # type: ignore[no-untyped-def]
    """A monster leaves the horde, with all spells on it; a lieutenant goes to the box. Returns whether it was
    the last one.

    The last one ends the level at once, whatever was being done.
    """
    keep_apart()
    discard_spells(state, slot, True)
    state.present &= ~(1 << slot)
    if params.slot_back[state.level, slot] == BACK_LIEUTENANT:
        state.lieutenant_box[state.lieutenant_box_size] = state.horde_card[slot] - params.n_monsters
        state.lieutenant_box_size += 1
    find_accessible(params, state)
    state.destroyed += state.printed[slot]
    state.potential = LEVEL_POTENTIAL * int(state.levels_won)
    state.potential += LEVEL_POTENTIAL * int(state.destroyed) // state.horde_total
    if monsters(params, state) != 0:
        return False
    for depth in range(1, state.depth + 1):
        if state.frame_stage[depth] == CARD:
            put_away(params, state, state.frame_card[depth])
    begin(state, LEVEL_WON)
    return True
