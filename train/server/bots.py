"""The agents at one table's other seats, one game at a time."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unspoken.agents import Agent
from unspoken.agents.base import State
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.one_game import OneGame


class Position(NamedTuple):
    """What a bot is asked about: its seat, ``(F,) int8`` features and ``(A,) int8`` mask."""

    seat: int
    features: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]


class Bots:
    """Agents by seat, with a memory for each seat.

    Attributes:
        agents: by seat; people's seats are left out.
    """

    def __init__(self, game: Game, agents: Mapping[int, Agent], seed: int) -> None:
        """``seed``: for agents that draw."""
        self.agents = dict(agents)
        self._game = game
        self._seeds = np.random.default_rng(seed)
        self._memories: dict[int, State] = {}

    def begin(self) -> None:
        """Forget the last game.

        Raises:
            ValueError: an agent cannot play this game; the message says what it can play.
        """
        for seat, agent in self.agents.items():
            self._memories[seat] = agent.reset(self._game, 1, int(self._seeds.integers(2**63)))

    def position(self, one: OneGame) -> Position:
        """A copy of what the bot to act may see."""
        seat = one.seat
        return Position(seat, one.features(seat, self.agents[seat].sees_state).copy(), one.mask(seat))

    def act(self, position: Position) -> int:
        """What the bot chooses; may run in another thread than the game."""
        seat, features, mask = position
        actions, self._memories[seat] = self.agents[seat].act(
            features[None], mask[None], np.array([seat], np.int8), self._memories[seat]
        )
        return int(actions[0])
