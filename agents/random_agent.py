"""Uniformly random play."""

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.base import State
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import advance, below, sampling_streams


class RandomAgent:
    """Plays any game: every allowed action is equally likely.

    Its state is one generator a game, ``(num_games,) uint64``.
    """

    name = "random"
    sees_state = False

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Generators for ``num_games`` games, keyed by ``seed``."""
        return sampling_streams(num_games, seed)

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """Draw from the actions that ``mask`` allows."""
        assert state is not None, "the random agent draws from the state that reset() returns"
        generators = state.copy()
        actions = np.empty(len(mask), np.int64)
        _draw(mask, generators, actions)
        return actions, generators


@njit(cache=True, nogil=True)
def _draw(mask, generators, actions):  # type: ignore[no-untyped-def]
    for game in range(mask.shape[0]):
        allowed = 0
        for action in range(mask.shape[1]):
            allowed += mask[game, action] != 0
        generators[game] = advance(generators[game])
        skip = int(below(generators[game], np.uint64(allowed)))
        for action in range(mask.shape[1]):
            if mask[game, action] != 0:
                if skip == 0:
                    actions[game] = action
                skip -= 1
