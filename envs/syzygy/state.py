"""The state of a game of Syzygy: one record, sized for the largest configuration."""

from typing import Any

import numpy as np

MAX_POSITIONS = 12
MAX_SEATS = 6
ROUNDS = 4
MAX_BLOCK = MAX_POSITIONS + 3 * ROUNDS

PARAMS_DTYPE = np.dtype(
    [
        ("n_players", np.int64),
        ("n_positions", np.int64),
        ("blackhole", np.int64),  # initial position of the Blackhole, -1 without one
        ("emotions", np.int64),
        ("perfect_memory", np.bool_),
        ("shaped", np.bool_),
        ("pass_action", np.int64),
        ("block", np.int64),  # length of a seat's part of `record`
        ("max_potential", np.int64),
    ],
    align=True,
)
"""What the rules read of a configuration."""

STATE_DTYPE = np.dtype(
    [
        # Key of the random stream; `episode` is the number of the next game dealt from it.
        ("seed", np.uint64),
        ("slot", np.uint64),
        ("episode", np.uint64),
        # The hidden row, by current position: planet value 1..n (the Blackhole holds the planet set aside).
        ("value", np.int8, (MAX_POSITIONS,)),
        # The public row, by current position: where the physical card lay at the start.
        ("origin", np.int8, (MAX_POSITIONS,)),
        # Public, a block of `params.block` entries for each seat: its chip (0 or 1..4) on the card at each position;
        # then for each round the source (0 not played, 1 passed, 2 + position), the destination (0, 1 + position) and,
        # with more than one emotion, the emotion (0, 1 + emotion). One copy of a block is one part of an observation.
        ("record", np.int8, (MAX_SEATS * MAX_BLOCK,)),
        ("turn", np.int8),  # turns completed
        ("confirmed", np.int8),  # 0, or 1 + position of the card being looked at
        ("finished", np.bool_),
        ("won", np.bool_),
        ("inversions", np.int16),  # pairs of cards in descending order
    ],
    align=True,
)
"""One game, public and hidden."""


def new_states(num_games: int, seed: int) -> "np.recarray[Any, Any]":
    """``(num_games,)`` records keyed by ``seed`` and their index, before the first deal."""
    states = np.zeros(num_games, STATE_DTYPE).view(np.recarray)
    states.seed = seed
    states.slot = np.arange(num_games)
    return states
