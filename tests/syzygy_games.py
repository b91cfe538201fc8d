"""One game of Syzygy on the engine's scalar rules, asked the same questions as the reference model."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import product

import numpy as np

from tests.reference.syzygy import Syzygy
from unspoken.envs.syzygy import SyzygyConfig, SyzygyGame, observation, rules

ROWS = (("base", 4), ("base", 5), ("base", 9), ("base", 12), ("trial", 7), ("divine", 9))
"""Variant and number of planets."""

CONFIGS = [
    SyzygyConfig(n_players=players, n_planets=planets, variant=variant, emotions=emotions, memory=memory)
    for (variant, planets), players, emotions, memory in product(
        ROWS, (2, 3, 4, 5, 6), (1, 3), ("perfect", "none")
    )
]
"""Variant x planets x players x emotions x memory."""


def config_name(config: SyzygyConfig) -> str:
    """A readable name for a test's id."""
    return f"{config.variant}{config.n_planets}-{config.n_players}p-{config.emotions}emotions-{config.memory}"


class EngineGame:
    """One game on the scalar rules.

    Attributes:
        states: an array of one state record.
    """

    def __init__(self, config: SyzygyConfig, values: Sequence[int] | None = None, seed: int = 0) -> None:
        """Deal game 0 of `seed`, or lay out `values`."""
        self.config = config
        self.game = SyzygyGame(config)
        self.layout = self.game.layout
        self.params = config.params
        self.states = self.game.new_states(1, seed)
        rules.reset(self.params[0], self.states[0])
        if values is not None:
            self.lay_out(values)

    @property
    def n(self) -> int:
        return self.config.n_positions

    @property
    def row(self) -> list[int]:
        """The hidden row, the set-aside planet in the Blackhole's place."""
        return row_of(self.states[0], self.n)

    def lay_out(self, values: Sequence[int]) -> None:
        """Replace the values in the row, whatever has been played."""
        assert sorted(values) == list(range(1, self.n + 1))
        self.states.planets[0] = sum(value << (4 * position) for position, value in enumerate(values))
        falling = sum(values[i] > values[j] for i in range(self.n) for j in range(i + 1, self.n))
        self.states.inversions[0] = falling

    @property
    def finished(self) -> bool:
        return bool(self.states.finished[0])

    @property
    def won(self) -> bool:
        return bool(self.states.won[0])

    @property
    def player(self) -> int:
        return int(rules.current_player(self.params[0], self.states[0]))

    def mask(self) -> list[int]:
        mask = np.full(self.game.mask_width, -1, np.int8)
        rules.legal(self.params[0], self.states[0], mask)
        return mask[: self.config.n_actions].tolist()

    def is_legal(self, action: int) -> bool:
        return bool(rules.is_legal(self.params[0], self.states[0], action))

    def legal_actions(self) -> list[int]:
        return [action for action, allowed in enumerate(self.mask()) if allowed]

    def step(self, action: int) -> float:
        return float(rules.step(self.params[0], self.states[0], action))

    def features(self, seat: int) -> dict[str, list[int]]:
        """Name -> values of what `seat` observes now."""
        out = np.full(self.game.feature_width, -1, np.int8)
        observation.observe(self.params[0], self.states[0], seat, out)
        return {name: values.tolist() for name, values in self.layout.decode(out[: self.layout.size]).items()}

    def views(self) -> list[dict[str, list[int]]]:
        """The features of every seat."""
        return [self.features(seat) for seat in range(self.config.n_players)]

    def potential(self) -> int:
        return int(rules.potential(self.params[0], self.states[0]))

    def everything(self) -> dict[str, list[int]]:
        """The whole state, field by field (a record's padding means nothing)."""
        return {name: self.states[name].tolist() for name in self.states.dtype.names}

    def deal_again(self) -> None:
        """The next game of the same seed."""
        rules.reset(self.params[0], self.states[0])

    def copy(self) -> EngineGame:
        """The same game once more, to be played differently."""
        other = copy.copy(self)
        other.states = self.states.copy()
        return other

    def copy_after(self, action: int) -> EngineGame:
        """A copy in which `action` has been played."""
        other = self.copy()
        other.step(action)
        return other


def row_of(state: np.void, n: int) -> list[int]:
    """The hidden row of an engine's state: a word with four bits for each position."""
    return [(int(state["planets"]) >> (4 * position)) & 15 for position in range(n)]


def reference_game(config: SyzygyConfig, values: Sequence[int]) -> Syzygy:
    """The reference's game of the same configuration with this row."""
    return Syzygy(values, config.variant, config.n_players, config.emotions, config.memory)
