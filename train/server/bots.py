"""The agents at one table's other seats, one game at a time."""

from collections.abc import Mapping

import numpy as np

from unspoken.agents import Agent
from unspoken.agents.base import State
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.one_game import OneGame


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

    def act(self, one: OneGame) -> int:
        """The action of the seat to act, which must be a bot's."""
        seat = one.seat
        agent = self.agents[seat]
        features = one.features(seat, agent.sees_state).copy()
        actions, self._memories[seat] = agent.act(
            features[None], one.mask(seat)[None], np.array([seat], np.int8), self._memories[seat]
        )
        return int(actions[0])
