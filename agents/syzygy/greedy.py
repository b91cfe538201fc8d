"""A player who minds only its own cards: it sorts what it has seen and signals nothing."""

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.base import State
from unspoken.agents.syzygy.common import syzygy_config
from unspoken.envs.engine.game import Game


class GreedyAgent:
    """Sorts the row of Syzygy by its own looks, and reads nothing into what the others do.

    It confirms a card it has not seen, the one with the fewest chips, of such the leftmost; and puts it where
    it is least out of order among the cards it has seen (ascending), of such places the nearest to the card's
    place in the sorted row. If it has seen all, it passes.
    """

    name = "syzygy/greedy"
    sees_state = False

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game; there is no state. ``ValueError`` for another game than Syzygy."""
        config = syzygy_config(game, self.name)
        self._pass = config.pass_action
        self._n = config.n_positions
        self._confirmed = game.layout["confirmed"].start
        self._chips = np.array(
            [game.layout[f"chip_{seat}"].start for seat in range(config.n_players)], np.int64
        )
        self._values = game.layout["value"].start
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
        _choose(
            np.ascontiguousarray(features),
            np.ascontiguousarray(mask),
            self._confirmed,
            self._values,
            self._chips,
            self._n,
            self._pass,
            actions,
        )
        return actions, None


@njit(cache=True, nogil=True)
def _choose(features, mask, confirmed, values, chips, n, pass_action, actions):  # type: ignore[no-untyped-def]
    for game in range(features.shape[0]):
        seen = features[game, values : values + n]
        source = features[game, confirmed] - 1
        if source >= 0:
            actions[game] = n + _destination(seen, source)
            continue
        actions[game] = pass_action
        fewest = chips.shape[0] + 1
        for position in range(n):
            if mask[game, position] == 0 or seen[position] != 0:
                continue
            handled = 0
            for seat in range(chips.shape[0]):
                handled += features[game, chips[seat] + position] != 0
            if handled < fewest:
                fewest = handled
                actions[game] = position


@njit(cache=True, nogil=True)
def _destination(seen, source):  # type: ignore[no-untyped-def]
    """The place for the card at ``source`` with the fewest seen cards on the wrong side of it."""
    n = seen.shape[0]
    value = seen[source]
    best = n * n
    chosen = -1
    for destination in range(1, n - 1):
        if destination == source:
            continue
        wrong = 0
        for position in range(n):
            if position == source or seen[position] == 0:
                continue
            # The cards between the two places make room towards the source.
            after = position
            if source < position <= destination:
                after -= 1
            elif destination <= position < source:
                after += 1
            wrong += (after < destination) != (seen[position] < value)
        cost = wrong * n + abs(destination - (value - 1))
        if cost < best:
            best = cost
            chosen = destination
    return chosen
