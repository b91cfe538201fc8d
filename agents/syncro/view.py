"""What a wizard sees of Syncro, read from a row of features into one record of numbers.

Seats are relative to the reader: 0 is the reader itself, the next wizard clockwise 1, and so on.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.envs.engine.compiled import forget_stale_code
from unspoken.envs.engine.game import Game
from unspoken.envs.syncro import state
from unspoken.envs.syncro.limits import MAX_HAND, MAX_PLAYERS, MAX_SLOTS, MAX_VALUE
from unspoken.envs.syncro.state import (
    BACK_CERBERUS,
    BACK_FOG,
    DRAGON,
    FOG,
    GOLEM,
    LIEUTENANT,
    MAX_TURNS,
    MUSHROOM,
    REWARD,
)

TABLE_FEATURES = (
    "decision",
    "leader",
    "position",
    "level",
    "foe",
    "owed",
    "discards",
    "leftovers",
    "absorbed",
    "slot_back",
    "slot_state",
    "slot_accessible",
    "slot_card",
    "slot_strength",
    "slot_spells",
    "slot_sum",
    "slot_lowest",
    "slot_hidden",
    "slot_known",
    "slot_top",
    "hand_limit",
    "card",
    "card_step",
    "rules",
)
"""The features of the table that are read, in the order of their starts."""
(
    _DECISION,
    _LEADER,
    _POSITION,
    _LEVEL,
    _FOE,
    _OWED,
    _DISCARDS,
    _LEFTOVERS,
    _ABSORBED,
    _BACK,
    _STATE,
    _ACCESSIBLE,
    _CARD_OF_SLOT,
    _STRENGTH,
    _SPELLS,
    _SUM,
    _LOWEST,
    _HIDDEN,
    _KNOWN,
    _TOP,
    _LIMIT,
    _CARD,
    _CARD_STEP,
    _RULES,
) = range(len(TABLE_FEATURES))
SEAT_FEATURES = (
    "hand",
    "hand_size",
    "estimate",
    "said_sum",
    "said_size",
    "shown",
    "play",
    "play_hand",
    "play_value",
    "reward",
)
"""The features of a seat that are read, in the order of their starts."""
_HAND, _SIZE, _ESTIMATE, _SAID_SUM, _SAID_SIZE, _SHOWN, _PLAY, _PLAY_HAND, _PLAY_VALUE, _REWARD = range(
    len(SEAT_FEATURES)
)
MOST_VALUES = MAX_VALUE + 1
"""Length of a count of spells by value; entry 0 is not used."""

VIEW_DTYPE = np.dtype(
    [
        ("players", np.int64),
        ("decision", np.int64),
        ("leader", np.int64),
        ("turns", np.int64),  # decisions of a round
        ("position", np.int64),  # of them made
        ("level", np.int64),
        ("foe", np.int64),  # being resolved, -1 if none
        ("owed", np.int64),
        ("limit", np.int64),  # most spells in a hand
        ("card", np.int64),  # being applied, by its number in the tables of effects; -1 if none
        ("card_step", np.int64),
        ("mushrooms_give", np.bool_),
        ("reward", np.int64),  # own Reward, by its number in the tables of effects; -1 if none
        # Decisions of the round: who makes them, and what was decided.
        ("turn_seat", np.int64, (MAX_TURNS,)),
        ("turn_foe", np.int64, (MAX_TURNS,)),  # slot attacked, -1 for a pass or not yet
        ("turn_hand", np.int64, (MAX_TURNS,)),  # hand slot that the spell left
        ("turn_value", np.int64, (MAX_TURNS,)),  # the spell, 0 if unknown
        ("turn_hidden", np.int64, (MAX_TURNS,)),  # it lies face down
        # Seats.
        ("hand", np.int64, (MAX_PLAYERS, MAX_HAND)),  # 0 if unknown
        ("size", np.int64, (MAX_PLAYERS,)),
        ("estimate", np.int64, (MAX_PLAYERS,)),
        ("said_sum", np.int64, (MAX_PLAYERS,)),
        ("said_size", np.int64, (MAX_PLAYERS,)),
        ("shown", np.int64, (MAX_PLAYERS,)),
        # Spells the reader has not seen, by value.
        ("unseen", np.int64, (MOST_VALUES,)),
        ("public", np.int64, (MOST_VALUES,)),  # and those that not everybody has seen
        ("n_unseen", np.int64),
        ("mean", np.float64),  # of them
        # The horde, by slot.
        ("slots", np.int64),
        ("present", np.int64, (MAX_SLOTS,)),  # a foe, not Fog
        ("fog", np.int64, (MAX_SLOTS,)),
        ("open", np.int64, (MAX_SLOTS,)),  # can be attacked
        ("foe_card", np.int64, (MAX_SLOTS,)),  # the foe's number, -1 if unknown or none
        ("strength", np.int64, (MAX_SLOTS,)),  # 0 if unknown
        ("traits", np.int64, (MAX_SLOTS,)),
        ("up", np.int64, (MAX_SLOTS,)),  # face-up spells
        ("up_sum", np.int64, (MAX_SLOTS,)),
        ("lowest", np.int64, (MAX_SLOTS,)),
        ("hidden", np.int64, (MAX_SLOTS,)),  # face-down spells
        ("known", np.int64, (MAX_SLOTS,)),  # sum of those that the reader knows
        ("unknown", np.int64, (MAX_SLOTS,)),  # number of those that it does not
        ("top", np.int64, (MAX_SLOTS,)),  # seat that played the top spell, -1 if none
        ("n_present", np.int64),
        ("n_open", np.int64),
    ],
    align=True,
)
"""What is known, in numbers."""


class Setting(NamedTuple):
    """What follows from a game's configuration.

    Attributes:
        params: what the rules read, an array of one record of the engine's ``PARAMS_DTYPE``.
        table: ``(len(TABLE_FEATURES),)``, where each feature starts, -1 if there is none.
        seats: ``(len(SEAT_FEATURES), MAX_PLAYERS)``, the same for each relative seat.
        plays: entries of a ``play`` feature.
    """

    params: "np.recarray[Any, Any]"
    table: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    plays: int


@cache
def _forget_stale_code(agent: str) -> None:
    """Once for each agent, since its module is imported when it is loaded, and before that is compiled."""
    modules = [module for name, module in sys.modules.items() if name.startswith(f"{__package__}.")]
    forget_stale_code([Path(__file__).parent, Path(state.__file__).parent], modules)


def new_setting(game: Game, agent: str) -> Setting:
    """Find what a bot reads of ``game``.

    Raises:
        ValueError: ``game`` is another game than Syncro.
    """
    _forget_stale_code(agent)
    config: Any = game.config
    if config.game != "syncro":
        raise ValueError(f"agent {agent!r} plays only Syncro, not {config.game!r}")
    layout = game.layout
    table = [layout[name].start if name in layout else -1 for name in TABLE_FEATURES]
    seats = np.full((len(SEAT_FEATURES), MAX_PLAYERS), -1, np.int64)
    for row, name in enumerate(SEAT_FEATURES):
        for seat in range(config.n_players):
            if f"{name}_{seat}" in layout:
                seats[row, seat] = layout[f"{name}_{seat}"].start
    return Setting(config.params, np.array(table, np.int64), seats, layout["play_0"].size)


def new_view() -> "np.recarray[Any, Any]":
    """An array of one record to read into."""
    return np.zeros(1, VIEW_DTYPE).view(np.recarray)


@njit(cache=True, nogil=True)
def read_view(setting, row, view):  # type: ignore[no-untyped-def]
    """Write what the features ``row`` say into the record ``view``."""
    params = setting.params[0]
    at = setting.table
    view.players = params.n_players
    view.turns = params.n_turns
    view.decision = row[at[_DECISION]]
    view.leader = row[at[_LEADER]]
    view.position = row[at[_POSITION]]
    view.level = row[at[_LEVEL]]
    view.foe = row[at[_FOE]] - 1
    view.owed = row[at[_OWED]]
    view.limit = params.hand_limit
    view.card = -1
    view.card_step = 0
    view.mushrooms_give = True
    view.reward = -1
    if at[_RULES] >= 0:
        view.limit = row[at[_LIMIT]]
        view.card = _card_number(params, row[at[_CARD]] - 1)
        view.card_step = row[at[_CARD_STEP]]
        view.mushrooms_give = row[at[_RULES] + 3] == 0
        view.reward = row[setting.seats[_REWARD, 0]] - 1
        if view.reward >= 0:
            view.reward += REWARD
    _read_horde(setting, params, row, view)
    _read_seats(setting, row, view)
    _count_unseen(setting, params, row, view)


@njit(cache=True, nogil=True)
def _card_number(params, index):  # type: ignore[no-untyped-def]
    """The number in the tables of effects of a card counted through Fog cards, Rewards and lieutenants."""
    if index < params.n_fog:
        return index + FOG if index >= 0 else -1
    index -= params.n_fog
    if index < params.n_rewards:
        return index + REWARD
    return index - params.n_rewards + LIEUTENANT


@njit(cache=True, nogil=True)
def _read_horde(setting, params, row, view):  # type: ignore[no-untyped-def]
    at = setting.table
    slots = params.n_slots
    view.slots = slots
    view.n_present = 0
    view.n_open = 0
    hounds = False
    for slot in range(slots):
        if row[at[_BACK] + slot] == BACK_CERBERUS and row[at[_STATE] + slot] >= 2:
            hounds = True
    for slot in range(slots):
        here = row[at[_STATE] + slot] >= 2
        fog = row[at[_BACK] + slot] == BACK_FOG
        view.present[slot] = int(here and not fog)
        view.fog[slot] = int(here and fog)
        card = row[at[_CARD_OF_SLOT] + slot] - 1
        view.foe_card[slot] = card if 0 <= card < params.n_foes else -1
        view.traits[slot] = params.foe_traits[card] if 0 <= card < params.n_foes else 0
        view.strength[slot] = row[at[_STRENGTH] + slot]
        can = here and row[at[_STATE] + slot] == 3 and row[at[_ACCESSIBLE] + slot] != 0
        if hounds and (params.big_boss[view.level] >> slot) & 1:
            can = False
        view.open[slot] = int(can and not fog)
        view.up[slot] = row[at[_SPELLS] + slot]
        view.up_sum[slot] = row[at[_SUM] + slot]
        view.lowest[slot] = row[at[_LOWEST] + slot]
        view.hidden[slot] = row[at[_HIDDEN] + slot]
        view.known[slot] = row[at[_KNOWN] + slot]
        view.unknown[slot] = view.hidden[slot]
        view.top[slot] = row[at[_TOP] + slot] - 1
        view.n_present += view.present[slot]
        view.n_open += view.open[slot]


@njit(cache=True, nogil=True)
def _read_seats(setting, row, view):  # type: ignore[no-untyped-def]
    params = setting.params[0]
    seats = setting.seats
    for seat in range(view.players):
        for slot in range(MAX_HAND):
            view.hand[seat, slot] = row[seats[_HAND, seat] + slot] if slot < params.hand_limit else 0
        view.size[seat] = row[seats[_SIZE, seat]]
        view.estimate[seat] = row[seats[_ESTIMATE, seat]]
        view.said_sum[seat] = row[seats[_SAID_SUM, seat]]
        view.said_size[seat] = row[seats[_SAID_SIZE, seat]]
        view.shown[seat] = row[seats[_SHOWN, seat]]
    for turn in range(view.turns):
        seat = (view.leader + params.turn_offset[turn]) % view.players
        view.turn_seat[turn] = seat
        play = 0
        for earlier in range(turn):
            play += view.turn_seat[earlier] == seat
        view.turn_foe[turn] = -1
        view.turn_hidden[turn] = 0
        view.turn_value[turn] = 0
        view.turn_hand[turn] = -1
        if turn < view.position:
            foe = row[seats[_PLAY, seat] + play] - 2
            view.turn_foe[turn] = max(foe, -1)
            if foe >= 0:
                view.turn_hand[turn] = row[seats[_PLAY_HAND, seat] + play] - 1
                view.turn_value[turn] = row[seats[_PLAY_VALUE, seat] + play]
                view.turn_hidden[turn] = int(view.hidden[foe] > 0)
                if view.turn_hidden[turn] != 0 and view.turn_value[turn] > 0:
                    view.unknown[foe] -= 1


@njit(cache=True, nogil=True)
def _count_unseen(setting, params, row, view):  # type: ignore[no-untyped-def]
    """The level's spells without those that the reader sees, or has seen where they lie now."""
    at = setting.table
    view.unseen[0] = 0
    for value in range(1, MOST_VALUES):
        seen = row[at[_DISCARDS] + value - 1] + row[at[_LEFTOVERS] + value - 1]
        seen += row[at[_ABSORBED] + value - 1]
        view.unseen[value] = params.spell_copies[view.level, value] - seen
        view.public[value] = max(0, view.unseen[value])
    for seat in range(view.players):
        for slot in range(view.size[seat]):
            view.unseen[view.hand[seat, slot]] -= 1
    for turn in range(view.position):
        if view.turn_hidden[turn]:
            view.unseen[view.turn_value[turn]] -= 1
    view.unseen[0] = 0
    view.n_unseen = 0
    total = 0
    for value in range(1, MOST_VALUES):
        view.unseen[value] = max(0, view.unseen[value])
        view.n_unseen += view.unseen[value]
        total += value * view.unseen[value]
    view.mean = total / view.n_unseen if view.n_unseen > 0 else 2.5


@njit(cache=True, nogil=True)
def is_mushroom(view, slot):  # type: ignore[no-untyped-def]
    """Whether a foe gives spells."""
    return view.traits[slot] & MUSHROOM != 0 and view.mushrooms_give


@njit(cache=True, nogil=True)
def is_golem(view, slot):  # type: ignore[no-untyped-def]
    """Whether a foe absorbs the lowest spell and keeps nothing of a failure."""
    return view.traits[slot] & GOLEM != 0


@njit(cache=True, nogil=True)
def is_dragon(view, slot):  # type: ignore[no-untyped-def]
    """Whether a foe makes the team pay for a sum that is not exact."""
    return view.traits[slot] & DRAGON != 0
