"""Partners at the table: some seats of some games are played by others, and only the rest learns.

A pool of bots, of other runs and of their older checkpoints makes a learner that gets along with many kinds
of partner (fictitious co-play, Strouse et al. 2021), and not just with itself.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from unspoken.agents import Agent, load_agent
from unspoken.envs.faces.batch import BatchEnv


class Partners:
    """Draws partners for the games of a batch, and asks them for their actions.

    Each game has partners with probability ``share``: all of one kind, in 1 to ``n_players - 1`` seats.
    """

    def __init__(self, vec: BatchEnv, names: Sequence[str], share: float, seed: int) -> None:
        """``names``: as ``load_agent`` takes them.

        Raises:
            ValueError: there is no such agent, or it cannot play this game or sees all cards.
        """
        self._vec = vec
        self._share = share
        self._random = np.random.default_rng(seed)
        self._agents = [_load(name) for name in names]
        shape = (vec.num_envs, vec.n_players)
        self._states = [
            agent.reset(vec.game, vec.num_envs * vec.n_players, self._draw_seed()) for agent in self._agents
        ]
        # The number of the agent in each seat; -1 is the learner.
        self._seated = np.full(shape, -1)
        self._seat(np.arange(vec.num_envs))

    def draw_anew(self, seed: int) -> None:
        """Draw from ``seed`` from now on."""
        self._random = np.random.default_rng(seed)

    def act(self, actions: Tensor, own: Tensor) -> Tensor:
        """``actions`` ``(n,) int64`` of the learner, with the partners' where it is their turn.

        ``own``, ``(n,) bool``, is overwritten: whether it is the learner's turn.
        """
        vec = self._vec
        player = vec.player.cpu().numpy()
        games = np.arange(vec.num_envs)
        seated = self._seated[games, player]
        own.copy_(torch.from_numpy(seated < 0))
        if (seated < 0).all():
            return actions
        features, mask = vec.features.cpu().numpy(), vec.mask.cpu().numpy()
        played = actions.cpu().numpy().copy()
        for number, agent in enumerate(self._agents):
            rows = np.flatnonzero(seated == number)
            if len(rows) == 0:
                continue
            state = self._states[number]
            places = rows * vec.n_players + player[rows]
            memory = None if state is None else state[places]
            played[rows], memory = agent.act(features[rows], mask[rows], player[rows], memory)
            if state is not None:
                state[places] = memory
        return torch.from_numpy(played).to(actions.device)

    def begin(self, ended: Tensor) -> None:
        """Seat new partners in the games that have ``ended``, ``(n,) bool``."""
        games = np.flatnonzero(ended.cpu().numpy())
        if len(games):
            self._seat(games)

    def _seat(self, games: npt.NDArray[np.intp]) -> None:
        n_players = self._vec.n_players
        count = len(games)
        kinds = self._random.integers(len(self._agents), size=count)
        kinds[self._random.random(count) >= self._share] = -1
        how_many = self._random.integers(1, n_players, size=count)
        order = self._random.random((count, n_players)).argsort(1)
        seated = np.where(order < how_many[:, None], kinds[:, None], -1)
        self._seated[games] = seated
        for number, agent in enumerate(self._agents):
            state = self._states[number]
            row, seat = np.nonzero(seated == number)
            if state is not None and len(row):
                state[games[row] * n_players + seat] = agent.reset(
                    self._vec.game, len(row), self._draw_seed()
                )

    def _draw_seed(self) -> int:
        return int(self._random.integers(2**63))


def _load(name: str) -> Agent:
    agent = load_agent(name)
    if agent.sees_state:
        raise ValueError(f"partners: {name!r} sees all cards, so it cannot be a partner")
    return agent
