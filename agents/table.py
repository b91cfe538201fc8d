"""Agents at their seats over a batch of games."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import Agent
from unspoken.envs.engine.random import check_seed
from unspoken.envs.faces.batch import BatchEnv


class Table:
    """One agent for each seat, the same in all games of a batch.

    Keeps the agents' states: one for every seat, so that an agent in two seats has two memories.

    Attributes:
        agents: ``(n_players,)`` agents, by seat.
    """

    def __init__(self, vec: BatchEnv, agents: Sequence[Agent], seed: int) -> None:
        """Seat ``agents`` at the games of ``vec`` (numpy backend).

        Raises:
            ValueError: not one agent for each seat, or an agent that cannot play this game.
        """
        if len(agents) != vec.n_players:
            raise ValueError(f"{len(agents)} agents: must be {vec.n_players}, one for each seat")
        self.agents = tuple(agents)
        self._vec = vec
        self._sees_state = any(agent.sees_state for agent in agents)
        self._seeds = np.random.default_rng(check_seed(seed))
        self._states = [agent.reset(vec.game, vec.num_envs, self._draw_seed()) for agent in agents]
        # An agent without memory is asked once for all its seats.
        self._groups: list[tuple[Agent, list[int]]] = []
        for seat, agent in enumerate(agents):
            for other, seats in self._groups:
                if other is agent and self._states[seat] is None:
                    seats.append(seat)
                    break
            else:
                self._groups.append((agent, [seat]))

    def act(self, rows: npt.NDArray[np.intp] | None = None) -> npt.NDArray[np.int64]:
        """``(num_envs,) int64``: what the seats to act choose in games ``rows`` (default: all) as they stand.

        The other games get their first allowed action, so that the batch can be stepped as a whole.
        """
        vec = self._vec
        if rows is None:
            rows = np.arange(vec.num_envs)
        actions: npt.NDArray[np.int64] = np.argmax(vec.mask, axis=1)
        revealed = vec.observe(vec.player, everything=True) if self._sees_state else None
        player = vec.player[rows]
        for agent, seats in self._groups:
            mine = rows if len(seats) == vec.n_players else rows[np.isin(player, seats)]
            if len(mine) == 0:
                continue
            features = revealed if agent.sees_state and revealed is not None else vec.features
            state = self._states[seats[0]]
            memory = None if state is None else state[mine]
            actions[mine], memory = agent.act(features[mine], vec.mask[mine], vec.player[mine], memory)
            if state is not None:
                state[mine] = memory
        return actions

    def begin(self, rows: npt.NDArray[np.intp]) -> None:
        """Forget the games ``rows``: they have ended, and new ones have been dealt."""
        if len(rows) == 0:
            return
        for seat, state in enumerate(self._states):
            if state is not None:
                state[rows] = self.agents[seat].reset(self._vec.game, len(rows), self._draw_seed())

    def _draw_seed(self) -> int:
        return int(self._seeds.integers(2**63))
