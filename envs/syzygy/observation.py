"""What a player of Syzygy may know, as categorical features relative to that player.

The observer is relative seat 0, the next one clockwise 1, and so on. The features hold the whole public
record and the values the observer has looked at, and nothing else.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.words import keep_occupied, spread_lanes, with_lane
from unspoken.envs.syzygy.config import CHIPS, SyzygyConfig

_NOTHING = np.uint64(0)


def feature_layout(config: SyzygyConfig) -> FeatureLayout:
    """The layout of an observation (see ``observe``)."""
    n = config.n_positions
    parts = [
        ("phase", 1, 2, "0: choose a source or pass; 1: choose a destination"),
        ("turn", 1, config.n_turns + 1, "turns completed"),
        ("seat", 1, config.n_players, "the observer's seat"),
        ("confirmed", 1, n + 1, "1 + position of the card being looked at, 0 if none"),
        ("value", n, n + 1, "by position: the planet, if the observer knows it, else 0"),
        ("origin", n, n, "by position: where this card lay at the start"),
    ]
    for seat in range(config.n_players):
        who = ("the observer", "the next player")[seat] if seat < 2 else f"the player {seat} seats on"
        parts.append(
            (f"chip_{seat}", n, CHIPS + 1, f"by position: number of the chip of {who} on the card, 0 if none")
        )
        parts.append(
            (
                f"source_{seat}",
                CHIPS,
                n + 2,
                f"by round, {who}: 2 + position taken, 1 passed, 0 not played yet",
            )
        )
        parts.append((f"destination_{seat}", CHIPS, n + 1, f"by round, {who}: 1 + position moved to, else 0"))
        if config.emotions > 1:
            meaning = f"by round, {who}: 1 + emotion heard, else 0"
            parts.append((f"emotion_{seat}", CHIPS, config.emotions + 1, meaning))
    return FeatureLayout(parts)


@njit(cache=True, nogil=True)
def observe(params, state, player, out, start=0):  # type: ignore[no-untyped-def]
    """Write what seat ``player`` may know now (see ``feature_layout``), from ``out[start]`` on.

    ``out`` is one-dimensional ``int8``, with ``params.feature_width`` entries of room (those after the
    features are padding).
    """
    _write_features(params, state, player, False, out, start)


@njit(cache=True, nogil=True)
def observe_everything(params, state, player, out, start=0):  # type: ignore[no-untyped-def]
    """Write the view of seat ``player`` with every card turned up: the hidden state, for critics."""
    _write_features(params, state, player, True, out, start)


@njit(cache=True, nogil=True, forceinline=True)
def _write_features(params, state, player, everything, out, start):  # type: ignore[no-untyped-def]
    # Each word is written as sixteen entries, the next one over its unused end.
    n = params.n_positions
    out[start] = state.confirmed != 0
    out[start + 1] = state.turn
    out[start + 2] = player
    out[start + 3] = state.confirmed
    known = state.planets
    if not everything:
        looked_at = state.chips[player] if params.perfect_memory else _NOTHING
        if state.confirmed != 0 and state.seat == player:
            looked_at = with_lane(looked_at, state.confirmed - 1, 1)
        known = keep_occupied(known, looked_at)
    spread_lanes(known, out, start + 4)
    spread_lanes(state.origins, out, start + 4 + n)
    entry = start + 4 + 2 * n
    seat = player
    for _ in range(params.n_players):
        spread_lanes(state.chips[seat], out, entry)
        spread_lanes(state.history[seat], out, entry + n)
        entry += n + params.history_size
        seat = seat + 1 if seat + 1 < params.n_players else 0
