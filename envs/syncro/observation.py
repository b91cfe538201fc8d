"""Writing what a wizard of Syncro may know, as categorical features relative to that wizard.

The features (see ``layout``) hold the whole public
record that still matters, and of what is hidden only what the observer has seen itself: its hand, the spells
it has played, the spells it has given away.
"""

from numba import njit

from unspoken.envs.syncro.flow import CARD
from unspoken.envs.syncro.foes import strength_now
from unspoken.envs.syncro.limits import (
    MAX_VALUE,
)
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

SLOT_FEATURES = 12
"""Features of which every slot of the horde has one."""


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


@njit(cache=True, nogil=True)
def _write_features(params, state, player, everything, out, start):  # type: ignore[no-untyped-def]
    out[start] = state.decision
    out[start + 1] = _relative(params, state.seat, player)
    out[start + 2] = player
    out[start + 3] = _relative(params, state.leader, player)
    out[start + 4] = state.position
    out[start + 5] = state.level
    out[start + 6] = state.tries
    out[start + 7] = state.foe + 1
    out[start + 8] = min(int(state.owed), params.owed_top)
    out[start + 9] = state.spell_deck_size
    entry = start + 10
    for value in range(MAX_VALUE):
        out[entry + value] = state.spell_discards[value + 1]
    entry += MAX_VALUE
    _write_horde(params, state, player, everything, out, entry)
    entry += 2 * MAX_VALUE + SLOT_FEATURES * params.n_slots
    if params.shows_fog:
        entry = _write_fog(params, state, out, entry)
    seat = int(player)
    for _ in range(params.n_players):
        entry = _write_seat(params, state, seat, EVERYBODY if everything else 1 << int(player), out, entry)
        seat = seat + 1 if seat + 1 < params.n_players else 0


@njit(cache=True, nogil=True)
def _write_horde(params, state, player, everything, out, start):  # type: ignore[no-untyped-def]
    """Spells on the table by value, then the features of the slots."""
    slots = params.n_slots
    first = start + 2 * MAX_VALUE
    for entry in range(start, first + SLOT_FEATURES * slots):
        out[entry] = 0
    top = params.strength_top
    for slot in range(state.n_slots):
        entry = first + slot
        bit = 1 << slot
        fog = params.slot_back[state.level, slot] == BACK_FOG
        out[entry] = params.slot_back[state.level, slot]
        here = state.present & bit != 0
        up = state.face_up & bit != 0
        out[entry + slots] = (3 if up else 2) if here else 1
        out[entry + 2 * slots] = state.accessible & bit != 0
        if fog:
            if everything and here:
                out[entry + 3 * slots] = 1 + params.n_foes + state.horde_card[slot]
        elif everything or up or state.remembered & bit != 0:
            out[entry + 3 * slots] = 1 + state.horde_card[slot]
            if here and (everything or up):
                out[entry + 4 * slots] = min(strength_now(params, state, slot), top)
    for index in range(state.table_size):
        value = int(state.table_value[index])
        entry = first + state.table_slot[index]
        place = state.table_place[index]
        if place == ABSORBED:
            out[start + MAX_VALUE + value - 1] += 1
            out[entry + 11 * slots] = min(out[entry + 11 * slots] + value, top)
            continue
        out[entry + 10 * slots] = 1 + _relative(params, state.table_owner[index], player)
        if place == FACE_DOWN:
            out[entry + 8 * slots] += 1
            if everything or state.table_known[index] & (1 << int(player)) != 0:
                out[entry + 9 * slots] += value
        else:
            out[start + value - 1] += 1
            out[entry + 5 * slots] = min(out[entry + 5 * slots] + 1, 7)
            out[entry + 6 * slots] = min(out[entry + 6 * slots] + value, top)
            lowest = out[entry + 7 * slots]
            if lowest == 0 or value < lowest:
                out[entry + 7 * slots] = value


@njit(cache=True, nogil=True)
def _write_fog(params, state, out, start):  # type: ignore[no-untyped-def]
    """What only chapter II has; returns the entry after it."""
    out[start] = 0
    out[start + 1] = 0
    for depth in range(1, state.depth + 1):
        if state.frame_stage[depth] == CARD:
            out[start] = 1 + _card_index(params, state.frame_card[depth])
            out[start + 1] = state.frame_step[depth]
    entry = start + 2
    for rule in range(N_RULES):
        out[entry + rule] = (state.rules_in_force >> rule) & 1
    entry += N_RULES
    out[entry] = params.hand_limit + state.limit_change
    out[entry + 1] = state.fog_deck_size
    out[entry + 2] = state.fog_discards_size
    entry += 3
    for kind in range(params.n_fog):
        out[entry + kind] = state.fog_shown[kind]
        out[entry + params.n_fog + kind] = 0
    entry += params.n_fog
    for index in range(state.curses_size):
        out[entry + state.curses[index] - FOG] += 1
    entry += params.n_fog
    out[entry] = state.reward_deck_size
    entry += 1
    for kind in range(params.n_rewards):
        out[entry + kind] = 0
    for index in range(state.reward_discards_size):
        out[entry + state.reward_discards[index] - REWARD] += 1
    entry += params.n_rewards
    out[entry] = state.lieutenant_deck_size
    entry += 1
    for kind in range(params.n_lieutenants):
        out[entry + kind] = 0
    for index in range(state.lieutenant_box_size):
        out[entry + state.lieutenant_box[index]] = 1
    return entry + params.n_lieutenants


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
    size = state.hand_size[seat]
    for slot in range(params.hand_limit):
        seen = slot < size and (own or state.hand_known[seat, slot] & viewers != 0)
        out[entry + slot] = state.hand[seat, slot] if seen else 0
    entry += params.hand_limit
    out[entry] = size
    out[entry + 1] = state.estimate[seat]
    out[entry + 2] = state.said_sum[seat]
    out[entry + 3] = state.said_size[seat]
    out[entry + 4] = min(int(state.shown[seat]), MAX_VALUE * params.hand_limit)
    entry += 5
    plays = 2 if params.n_players <= 3 else 1
    for play in range(plays):
        out[entry + play] = state.play_slot[seat, play]
        out[entry + plays + play] = state.play_hand[seat, play]
        seen = state.play_known[seat, play] & viewers != 0
        out[entry + 2 * plays + play] = state.play_value[seat, play] if seen else 0
    entry += 3 * plays
    if params.shows_fog:
        reward = state.reward[seat]
        out[entry] = reward != 0
        out[entry + 1] = reward - REWARD + 1 if own and reward != 0 else 0
        entry += 2
    return entry
