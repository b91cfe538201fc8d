"""What a player of Syzygy may know, as categorical features relative to that player.

The observer is relative seat 0, the next one clockwise 1, and so on. The features hold the whole public record and the
values the observer has looked at, and nothing else.
"""

from numba import njit

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.syzygy.config import CHIPS, SyzygyConfig


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
        who = "the observer" if seat == 0 else f"the player {seat} to the left"
        parts.append((f"chip_{seat}", n, CHIPS + 1, f"by position: number of the chip of {who} on the card, 0 if none"))
        parts.append((f"source_{seat}", CHIPS, n + 2, f"by round, {who}: 2 + position taken, 1 passed, 0 not played yet"))
        parts.append((f"destination_{seat}", CHIPS, n + 1, f"by round, {who}: 1 + position moved to, else 0"))
        if config.emotions > 1:
            meaning = f"by round, {who}: 1 + emotion heard, else 0"
            parts.append((f"emotion_{seat}", CHIPS, config.emotions + 1, meaning))
    return FeatureLayout(parts)


@njit(cache=True, nogil=True)
def observe(params, state, player, out):  # type: ignore[no-untyped-def]
    """Write what seat ``player`` may know now into ``out``, ``(F,) int8`` (see ``feature_layout``)."""
    _write_features(params, state, player, False, out)


@njit(cache=True, nogil=True)
def observe_everything(params, state, player, out):  # type: ignore[no-untyped-def]
    """Write the view of seat ``player`` with every card turned up: the full hidden state, for centralised critics."""
    _write_features(params, state, player, True, out)


@njit(cache=True, nogil=True)
def _write_features(params, state, player, everything, out):  # type: ignore[no-untyped-def]
    n = params.n_positions
    own = player * params.block
    out[0] = state.confirmed != 0
    out[1] = state.turn
    out[2] = player
    out[3] = state.confirmed
    values = 4
    for position in range(n):
        seen = everything | (params.perfect_memory & (state.record[own + position] != 0))
        out[values + position] = state.value[position] if seen else 0
    if state.confirmed != 0 and state.turn % params.n_players == player:
        looked_at = state.confirmed - 1
        out[values + looked_at] = state.value[looked_at]
    origins = values + n
    for position in range(n):
        out[origins + position] = state.origin[position]
    # Each seat's part of the public record, from the observer on clockwise.
    first = origins + n
    until_last_seat = params.n_players * params.block - own
    for entry in range(until_last_seat):
        out[first + entry] = state.record[own + entry]
    first += until_last_seat
    for entry in range(own):
        out[first + entry] = state.record[entry]
