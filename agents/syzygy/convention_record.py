"""From an observation to the public table: the record is replayed; what was read a moment ago is remembered.

What a record says follows from the record alone. All seats of all games that share its beginning read the
same, so the last tables are kept and only the turns since are read. A kept table is used only if its whole
record is the same.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syzygy.convention_sets import Ints, Setting
from unspoken.agents.syzygy.convention_signals import read_move, read_pass
from unspoken.envs.syzygy.config import CHIPS, MAX_EMOTIONS, MAX_PLANETS, MAX_PLAYERS

FEATURES = (
    "turn",
    "seat",
    "confirmed",
    "value",
    "source_0",
    "destination_0",
    "emotion_0",
    "chip_0",
    "chip_1",
)
"""The features whose starts are passed on, in this order."""
MOST_TURNS = CHIPS * MAX_PLAYERS
FEWEST_SLOTS = 1 << 10
MOST_SLOTS = 1 << 17


class Memory(NamedTuple):
    """Tables that have been read, each in a slot given by its record.

    Attributes:
        turns: ``(slots,)``, length of the record, 0 for an empty slot.
        record: ``(slots, MOST_TURNS)``, the turns, each as one number.
        kept: ``(slots, 4, n)``, the arrays of the table.
        now, slot: ``(MOST_TURNS + 1,)``, the record being read and the slot of each of its beginnings.
    """

    turns: npt.NDArray[np.int16]
    record: npt.NDArray[np.int16]
    kept: npt.NDArray[np.int16]
    now: Ints
    slot: Ints


def new_memory(setting: Setting, num_games: int) -> Memory:
    """An empty memory with room for some turns of ``num_games`` games."""
    slots = FEWEST_SLOTS
    while slots < min(8 * num_games, MOST_SLOTS):
        slots *= 2
    return Memory(
        np.zeros(slots, np.int16),
        np.zeros((slots, MOST_TURNS), np.int16),
        np.zeros((slots, 4, setting.n), np.int16),
        np.zeros(MOST_TURNS + 1, np.int64),
        np.zeros(MOST_TURNS + 1, np.int64),
    )


@njit(cache=True)
def read_record(view, starts, setting, weights, memory, table, scratch):  # type: ignore[no-untyped-def]
    """Write into ``table`` what the record in the observation ``view`` says."""
    turns = int(view[starts[0]])
    _note(view, starts, setting, turns, memory)
    known = _recall(setting, turns, memory, table)
    for turn in range(known, turns):
        seat = turn % setting.players
        left = CHIPS * setting.players - turn
        code = memory.now[turn] - 1
        if code >= 0:
            word = code % MAX_EMOTIONS
            destination = code // MAX_EMOTIONS % MAX_PLANETS
            source = code // (MAX_EMOTIONS * MAX_PLANETS)
            read_move(setting, weights, table, seat, source, destination, word, left, scratch)
        elif setting.remembers:
            read_pass(setting, weights, table, seat, left, scratch)
    if known < turns:
        _keep(setting, turns, memory, table)


@njit(cache=True)
def _note(view, starts, setting, turns, memory):  # type: ignore[no-untyped-def]
    """Write the record into ``memory.now``, a number for each turn, and the slots of its beginnings."""
    block = starts[8] - starts[7]
    mixed = 0
    for turn in range(turns):
        relative = (turn - int(view[starts[1]])) % setting.players
        entry = relative * block + turn // setting.players
        source = int(view[starts[4] + entry]) - 2
        code = 0
        if source >= 0:
            destination = int(view[starts[5] + entry]) - 1
            word = int(view[starts[6] + entry]) - 1 if setting.emotions > 1 else 0
            code = 1 + (source * MAX_PLANETS + destination) * MAX_EMOTIONS + word
        memory.now[turn] = code
        mixed = (mixed * 1103515245 + code + 12345) & 0x7FFFFFFF
        memory.slot[turn + 1] = (mixed >> 8) & (len(memory.turns) - 1)


@njit(cache=True)
def _recall(setting, turns, memory, table):  # type: ignore[no-untyped-def]
    """Take the table of the longest beginning that is kept; returns its length."""
    for length in range(turns, 0, -1):
        slot = memory.slot[length]
        same = memory.turns[slot] == length
        for turn in range(length):
            same = same and memory.record[slot, turn] == memory.now[turn]
        if same:
            for card in range(setting.n):
                table.row[card] = memory.kept[slot, 0, card]
                table.sets[card] = memory.kept[slot, 1, card]
                table.placed[card] = memory.kept[slot, 2, card]
                table.chips[card] = memory.kept[slot, 3, card]
            return length
    for card in range(setting.n):
        table.row[card] = card
        table.sets[card] = (2 << setting.n) - 2
        table.placed[card] = 0
        table.chips[card] = 0
    return 0


@njit(cache=True)
def _keep(setting, turns, memory, table):  # type: ignore[no-untyped-def]
    slot = memory.slot[turns]
    memory.turns[slot] = turns
    for turn in range(turns):
        memory.record[slot, turn] = memory.now[turn]
    for card in range(setting.n):
        memory.kept[slot, 0, card] = table.row[card]
        memory.kept[slot, 1, card] = table.sets[card]
        memory.kept[slot, 2, card] = table.placed[card]
        memory.kept[slot, 3, card] = table.chips[card]
