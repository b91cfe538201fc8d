"""What the scripted players of Syncro have in common."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import State
from unspoken.agents.syncro.view import Setting, new_setting, new_view
from unspoken.envs.engine.game import Game


class SyncroBot(ABC):
    """A player in any seat of any game of Syncro, without a state."""

    name: ClassVar[str]
    sees_state: ClassVar[bool] = False

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game; there is no state. ``ValueError`` for another game than Syncro."""
        self._setting = new_setting(game, self.name)
        return None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """See the class."""
        actions = np.empty(len(mask), np.int64)
        rows = np.ascontiguousarray(features), np.ascontiguousarray(mask)
        self._choose(self._setting, *rows, new_view(), actions)
        return actions, None

    @abstractmethod
    def _choose(
        self,
        setting: Setting,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        view: "np.recarray[Any, Any]",
        actions: npt.NDArray[np.int64],
    ) -> None:
        """Write an allowed action for each row into ``actions``; ``view`` is room to read a row into."""
