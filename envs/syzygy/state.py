"""The state of a game of Syzygy: one small record, sized for the largest configuration.

Rows are words of sixteen four-bit lanes (see ``unspoken.envs.engine.words``).
"""

from typing import Any

import numpy as np

MAX_SEATS = 6
ROUNDS = 4

PARAMS_DTYPE = np.dtype(
    [
        ("n_players", np.int64),
        ("n_positions", np.int64),
        ("has_blackhole", np.bool_),
        ("perfect_memory", np.bool_),
        ("shaped", np.bool_),
        ("emotions", np.int64),
        ("n_actions", np.int64),
        ("move_actions", np.uint64),  # times the bits of destinations: the bits of the MOVE actions
        ("history_size", np.int64),  # entries of a seat's history in an observation
        ("feature_width", np.int64),  # entries of memory a row of features takes
        ("mask_width", np.int64),  # entries of memory a row of the mask takes
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
        # Hidden: the planet at each position, 1..n (the Blackhole holds the planet set aside).
        ("planets", np.uint64),
        # Public: where the card at each position lay at the start.
        ("origins", np.uint64),
        # Public: 1 where the Blackhole lies.
        ("blackhole", np.uint64),
        # Public, for each seat: its chip (0 or 1..4) on the card at each position.
        ("chips", np.uint64, (MAX_SEATS,)),
        # Public, for each seat: lane r is the source of round r (0 not played, 1 passed, 2 + position), lane
        # 4 + r the destination (0, 1 + position), lane 8 + r the emotion (0, 1 + emotion; only with more than
        # one).
        ("history", np.uint64, (MAX_SEATS,)),
        # Public: the actions the seat to act may play, as bits; none in a finished game.
        ("legal", np.uint64),
        ("turn", np.int8),  # turns completed: round * n_players + seat
        # Rounds completed. Without JIT a field called `round` would be hidden behind numpy's method of that
        # name.
        ("rounds", np.int8),
        ("seat", np.int8),  # the seat to act
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
