"""Writing what a wizard of Syncro may know, as categorical features relative to that wizard.

The features (see ``layout``) hold the public record, with several leftovers on one monster summed up, and of
what is hidden only what the observer has seen itself: its hand, the spells it has played or given away.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.words import BLOCK, BYTES, bytes_in_use, copy_block, load_bytes, store_bytes
from unspoken.envs.syncro.foes import strength_now
from unspoken.envs.syncro.limits import MAX_HAND, MAX_VALUE
from unspoken.envs.syncro.public import (
    SLOT_ABSORBED,
    SLOT_CARD,
    SLOT_HIDDEN,
    SLOT_KNOWN,
    SLOT_STRENGTH,
    SLOT_TOP,
    slot_entry,
)
from unspoken.envs.syncro.state import BACK_FOG, EVERYBODY, FACE_DOWN, REWARD

_ONE = np.uint64(1)
_BITS_OF_A_BYTE = np.uint64(8)
_SEVEN = np.uint64(7)
_TWO_BYTES = np.uint64(0xFFFF)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_BYTES = np.uint64(BYTES)
_HEAD = np.uint64(10)
"""Features before the discards."""


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
    # Without a branch, which a processor would guess wrongly.
    places = int(seat) - int(player)
    return places + (params.n_players & (places >> 63))


@njit(cache=True, nogil=True)
def _all_relative(params, owners, player):  # type: ignore[no-untyped-def]
    """Eight bytes of 1 + a seat, or 0 for none, with every seat made relative to ``player``."""
    players = np.uint64(params.n_players)
    turned = owners + _EVERY_BYTE * (players - np.uint64(player))
    # The highest bit of a byte tells whether it is more than the number of wizards.
    above = (turned + _EVERY_BYTE * (np.uint64(127) - players)) >> _SEVEN
    return (turned - (above & _EVERY_BYTE) * players) & bytes_in_use(owners)


# Entries are unsigned below: numba asks of every signed index whether it counts from the end of the array.
# Words and blocks are written whole, what follows them over their unused ends.


@njit(cache=True, nogil=True, forceinline=True)
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
    store_bytes(load_bytes(state.spell_discards, 0) >> _BITS_OF_A_BYTE, out, entry + _HEAD)
    entry += _HEAD + np.uint64(MAX_VALUE)
    tops = slot_entry(params, SLOT_TOP)
    absorbed = slot_entry(params, SLOT_ABSORBED)
    for first in range(0, params.public_size, BLOCK):
        copy_block(state.public, first, out, entry + np.uint64(first))
    for first in range(tops, absorbed, _BYTES):
        store_bytes(_all_relative(params, load_bytes(state.public, first), player), out, entry + first)
    copy_block(state.public, absorbed, out, entry + absorbed)
    _write_spells(params, state, player, everything, out, entry)
    if everything:
        _turn_up(params, state, out, entry)
    viewers = int(EVERYBODY) if everything else 1 << int(player)
    _write_seats(params, state, int(player), viewers, out, entry + np.uint64(params.public_size))


@njit(cache=True, nogil=True, forceinline=True)
def _write_spells(params, state, player, everything, out, start):  # type: ignore[no-untyped-def]
    """On the slots, the spells that lie face down."""
    downs = start + slot_entry(params, SLOT_HIDDEN)
    known = start + slot_entry(params, SLOT_KNOWN)
    tops = start + slot_entry(params, SLOT_TOP)
    for index in range(np.uint64(state.first_down), np.uint64(state.table_size)):
        if state.table_place[index] == FACE_DOWN:
            on = np.uint64(state.table_slot[index])
            out[tops + on] = 1 + _relative(params, state.table_owner[index], player)
            out[downs + on] += 1
            sees = 1 if everything else (int(state.table_known[index]) >> player) & 1
            out[known + on] += int(state.table_value[index]) * sees


@njit(cache=True, nogil=True)
def _turn_up(params, state, out, start):  # type: ignore[no-untyped-def]
    """Write what lies face down in the horde."""
    cards = start + slot_entry(params, SLOT_CARD)
    strengths = start + slot_entry(params, SLOT_STRENGTH)
    for slot in range(np.uint64(state.n_slots)):
        here = (np.uint64(state.present) >> slot) & _ONE != 0
        if params.slot_back[state.level, slot] == BACK_FOG:
            if here:
                out[cards + slot] = 1 + params.n_foes + state.horde_card[slot]
        else:
            out[cards + slot] = 1 + state.horde_card[slot]
            if here:
                out[strengths + slot] = min(strength_now(params, state, slot), params.strength_top)


@njit(cache=True, nogil=True, forceinline=True)
def _write_seats(params, state, player, viewers, out, entry):  # type: ignore[no-untyped-def]
    """Hands and plays of all wizards from the observer on, as the seats ``viewers`` (bits) see them."""
    seat = np.uint64(player)
    hand_limit = np.uint64(params.hand_limit)
    two_plays = params.n_players <= 3
    seen_by = np.uint64(viewers) * _EVERY_BYTE
    # Of the first four seats, two bytes each.
    slots = load_bytes(state.play_slot, 0)
    hands = load_bytes(state.play_hand, 0)
    values = load_bytes(state.play_value, 0) & bytes_in_use(load_bytes(state.play_known, 0) & seen_by)
    for _ in range(params.n_players):
        # Slots after the last spell are 0, and nobody knows them.
        hand = load_bytes(state.hand, seat * np.uint64(MAX_HAND))
        own = (viewers >> seat) & 1 != 0
        if not own:
            known = load_bytes(state.hand_known, seat * np.uint64(MAX_HAND))
            hand &= bytes_in_use(known & seen_by)
        store_bytes(hand, out, entry)
        entry += hand_limit
        said = np.uint64(state.hand_size[seat]) | (np.uint64(state.estimate[seat]) << np.uint64(8))
        said |= np.uint64(state.said_sum[seat]) << np.uint64(16)
        said |= np.uint64(state.said_size[seat]) << np.uint64(24)
        said |= np.uint64(min(int(state.shown[seat]), MAX_VALUE * params.hand_limit)) << np.uint64(32)
        if two_plays:
            # Eleven bytes, in two words that overlap: nothing is written past them, nor past the row.
            at = np.uint64(16) * seat
            plays = ((slots >> at) & _TWO_BYTES) | (((hands >> at) & _TWO_BYTES) << np.uint64(16))
            plays |= ((values >> at) & _TWO_BYTES) << np.uint64(32)
            store_bytes(said | (plays << np.uint64(40)), out, entry)
            store_bytes((said >> np.uint64(24)) | (plays << np.uint64(16)), out, entry + np.uint64(3))
            entry += np.uint64(11)
        else:
            seen = state.play_known[seat, 0] & viewers != 0
            said |= np.uint64(state.play_slot[seat, 0]) << np.uint64(40)
            said |= np.uint64(state.play_hand[seat, 0]) << np.uint64(48)
            said |= np.uint64(state.play_value[seat, 0] if seen else 0) << np.uint64(56)
            store_bytes(said, out, entry)
            entry += _BYTES
        if params.shows_fog:
            reward = state.reward[seat]
            out[entry] = reward != 0
            out[entry + _ONE] = reward - REWARD + 1 if own and reward != 0 else 0
            entry += np.uint64(2)
        seat = seat + _ONE if seat + _ONE < np.uint64(params.n_players) else np.uint64(0)
