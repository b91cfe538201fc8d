"""What a team could win with all cards face up: the upper line in tables.

The oracle sorts with as few moves as possible. Cards that never move must already be in order; each of the
others moves once. So the fewest moves are n minus the size of the largest set K of cards that can stay, where

* K ascends from left to right and holds the Blackhole, which cannot be moved;
* the card at the left end is in K only if it is planet 1 (nothing can be put outside an end), and the one at
  the right end only if it is planet n;
* if planet n lies at the left end and planet 1 at the right one, each of them can leave only while another
  card holds the place that it uncovers: then K misses the left or the right neighbour of the ends.

So no card has to move twice, and the rule of one look a player at each card is never in the way. For the
descending order, read planet v as n + 1 - v.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.base import State
from unspoken.agents.syzygy.common import syzygy_config
from unspoken.envs.engine.game import Game

UNREACHABLE = 100
"""The number of moves to an order that can no longer be reached, because of the Blackhole."""


class OracleAgent:
    """Plays Syzygy with all cards face up, in as few moves as possible, and passes once the row is sorted."""

    name = "syzygy/oracle"
    sees_state = True

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game; there is no state. ``ValueError`` for another game than Syzygy."""
        config = syzygy_config(game, self.name)
        layout = game.layout
        self._pass = config.pass_action
        self._n = config.n_positions
        self._blackhole = config.n_positions // 2 if config.has_blackhole else -1
        self._starts = np.array([layout[name].start for name in ("confirmed", "value", "origin")], np.int64)
        return None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """The move that leaves the fewest; ``features`` are the view with every card turned up."""
        actions = np.empty(len(mask), np.int64)
        _choose(
            np.ascontiguousarray(features),
            np.ascontiguousarray(mask),
            self._starts,
            self._n,
            self._pass,
            self._blackhole,
            actions,
        )
        return actions, None


@njit(cache=True, nogil=True)
def fewest_moves(row, blackhole):  # type: ignore[no-untyped-def]
    """Fewest moves that sort ``row`` (planets by position), either way; ``blackhole``: its position or -1."""
    n = row.shape[0]
    mirrored = np.empty_like(row)
    for position in range(n):
        mirrored[position] = n + 1 - row[position]
    return min(_moves_to_ascend(row, blackhole), _moves_to_ascend(mirrored, blackhole))


@njit(cache=True, nogil=True)
def _moves_to_ascend(row, blackhole):  # type: ignore[no-untyped-def]
    n = row.shape[0]
    if row[0] == n and row[n - 1] == 1:
        most = max(_most_staying(row, blackhole, 1), _most_staying(row, blackhole, n - 2))
    else:
        most = _most_staying(row, blackhole, -1)
    return n - most if most >= 0 else UNREACHABLE


@njit(cache=True, nogil=True)
def _most_staying(row, blackhole, excluded):  # type: ignore[no-untyped-def]
    """Size of the largest K without the card at ``excluded``; -1 if the Blackhole cannot be in it."""
    n = row.shape[0]
    longest = np.zeros(
        n, np.int64
    )  # of the ascending sequences that end at a position; 0 if it cannot be in K
    most = 0
    for position in range(n):
        stays = position != excluded
        if position == 0 and row[position] != 1:
            stays = False
        if position == n - 1 and row[position] != n:
            stays = False
        if (
            blackhole >= 0
            and position != blackhole
            and (position < blackhole) != (row[position] < row[blackhole])
        ):
            stays = False
        if not stays:
            if position == blackhole:
                return -1
            continue
        longest[position] = 1
        for before in range(position):
            if longest[before] > 0 and row[before] < row[position]:
                longest[position] = max(longest[position], longest[before] + 1)
        most = max(most, longest[position])
    return most


@njit(cache=True, nogil=True)
def _moved(row, source, destination, out):  # type: ignore[no-untyped-def]
    """Write ``row`` with the card at ``source`` moved to ``destination``."""
    for position in range(row.shape[0]):
        out[position] = row[position]
    step = 1 if destination > source else -1
    position = source
    while position != destination:
        out[position] = row[position + step]
        position += step
    out[destination] = row[source]


@njit(cache=True, nogil=True)
def _best_destination(row, blackhole, source, enough):  # type: ignore[no-untyped-def]
    """Where to put the card at ``source``: (moves left then, destination). ``enough`` moves left will do."""
    n = row.shape[0]
    after = np.empty_like(row)
    best = UNREACHABLE + 1
    chosen = -1
    for destination in range(1, n - 1):
        if destination == source:
            continue
        _moved(row, source, destination, after)
        hole = blackhole
        if source < blackhole <= destination:
            hole -= 1
        elif destination <= blackhole < source:
            hole += 1
        left = fewest_moves(after, hole)
        if left < best:
            best = left
            chosen = destination
            if left <= enough:
                break
    return best, chosen


@njit(cache=True, nogil=True)
def _choose(features, mask, starts, n, pass_action, blackhole_origin, actions):  # type: ignore[no-untyped-def]
    row = np.empty(n, np.int64)
    for game in range(features.shape[0]):
        view = features[game]
        blackhole = -1
        for position in range(n):
            row[position] = view[starts[1] + position]
            if view[starts[2] + position] == blackhole_origin:
                blackhole = position
        fewest = fewest_moves(row, blackhole)
        source = view[starts[0]] - 1
        if source >= 0:
            actions[game] = n + _best_destination(row, blackhole, source, fewest - 1)[1]
            continue
        actions[game] = pass_action
        for position in range(n):
            if fewest == 0 or mask[game, position] == 0:
                continue
            if _best_destination(row, blackhole, position, fewest - 1)[0] < fewest:
                actions[game] = position
                break
