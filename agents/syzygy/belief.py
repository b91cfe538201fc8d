"""The strongest scripted Syzygy team: shared belief, shared plan."""

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import State
from unspoken.agents.syzygy.belief_book import load_book
from unspoken.agents.syzygy.belief_plan import code_of
from unspoken.agents.syzygy.belief_rows import LARGEST_TABLE
from unspoken.agents.syzygy.belief_tree import Node, PlanTree
from unspoken.agents.syzygy.common import syzygy_config
from unspoken.agents.syzygy.greedy import GreedyAgent
from unspoken.envs.engine.game import Game
from unspoken.envs.syzygy.config import CHIPS


class BeliefAgent:
    """Every seat tracks the deals that the public record allows and computes the same plan from them.

    A turn's plan says, for everything the mover may have seen, which card it takes and where that card
    goes; what is then seen rules out deals for all. It works only among seats that all play by it: once a
    move has been made that no plan foresees, or a look contradicts the plan, the seat goes on as
    ``syzygy/greedy``. Always the first emotion.

    It is slow the first time a record is met and keeps what it has planned, for all agents of the class (see
    ``benchmarks/belief_exact.py`` for win rates and speed). With ``memory="none"`` its state holds its own
    looks, by where the cards lay at first; otherwise it needs no state. Rows of 10 to 12 cards are too
    many to list: they open with a fixed code, one card a turn, until the rest can be.
    """

    name = "syzygy/belief"
    sees_state = False

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game. ``ValueError`` for another game than Syzygy."""
        config = syzygy_config(game, self.name)
        self._n = config.n_positions
        self._players = config.n_players
        self._pass = config.pass_action
        self._tree = _tree(self._n, self._players, config.has_blackhole)
        self._greedy = GreedyAgent()
        self._greedy.reset(game, num_games, seed)
        layout = game.layout
        self._turn = layout["turn"].start
        self._confirmed = layout["confirmed"].start
        self._value = layout["value"].slice
        self._origin = layout["origin"].slice
        # Where turn t's move is written in the view of seat s: [s, t].
        turns = np.arange(CHIPS * self._players)
        self._sources = np.empty((self._players, len(turns)), np.int64)
        self._destinations = np.empty((self._players, len(turns)), np.int64)
        for seat in range(self._players):
            for turn in turns:
                relative = (turn - seat) % self._players
                chip = turn // self._players
                self._sources[seat, turn] = layout[f"source_{relative}"].start + chip
                self._destinations[seat, turn] = layout[f"destination_{relative}"].start + chip
        return None if config.memory == "perfect" else np.zeros((num_games, self._n), np.int8)

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """See the class."""
        values = features[:, self._value]
        if state is not None:
            origins = features[:, self._origin].astype(np.int64)
            remembered = np.maximum(np.take_along_axis(state, origins, axis=1), values)
            state = state.copy()
            np.put_along_axis(state, origins, remembered, axis=1)
            values = remembered
        rows = np.arange(len(features))[:, None]
        sources = features[rows, self._sources[player]].astype(np.int64) - 2
        destinations = features[rows, self._destinations[player]].astype(np.int64) - 1
        records = np.where(sources < 0, self._n * self._n, sources * self._n + destinations)
        actions = np.full(len(features), -1, np.int64)
        for row in range(len(features)):
            node = self._tree.find(records[row, : features[row, self._turn]])
            if node is not None:
                action = self._follow(node, values[row], int(features[row, self._confirmed]) - 1)
                if action >= 0 and mask[row, action]:
                    actions[row] = action
        lost = np.flatnonzero(actions < 0)
        if len(lost):
            actions[lost], _ = self._greedy.act(features[lost], mask[lost], player[lost], None)
        return actions, state

    def _follow(self, node: Node, values: npt.NDArray[np.int8], confirmed: int) -> int:
        """The plan's action for a seat that has seen ``values``, or -1 if there is none."""
        plan = self._tree.plan(node)
        mine = int(node.sets[node.turn % self._players])
        packed = 0
        for position in range(self._n):
            packed |= max(int(values[position]) - 1, 0) << (4 * position)
        code = 0 if node.rows is None else int(code_of(packed, mine, self._n))
        source = plan.sources.get(code, -1)
        if confirmed < 0:
            return self._pass if source == self._n else source
        if source != confirmed:
            return -1
        destination = plan.destinations.get(code * self._n + int(values[confirmed]) - 1, -1)
        return -1 if destination < 0 else self._n + destination


_TREES: dict[tuple[int, int, bool], PlanTree] = {}


def _tree(n: int, n_players: int, has_blackhole: bool) -> PlanTree:
    key = (n, n_players, has_blackhole)
    if key not in _TREES:
        _TREES[key] = new_tree(n, n_players, has_blackhole)
    return _TREES[key]


def new_tree(n: int, n_players: int, has_blackhole: bool) -> PlanTree:
    """The plans that the team plays by."""
    limit = search_limit(n, n_players, has_blackhole)
    book = load_book(n, CHIPS * n_players, has_blackhole)
    return PlanTree(n, n_players, has_blackhole, limit, book=book)


def search_limit(n: int, n_players: int, has_blackhole: bool) -> int:
    """Up to how many rows a node is planned by search: a compromise between wins and time.

    A node of so many rows takes some seconds at most. With more seats it wins nearly always anyway.
    """
    if n > LARGEST_TABLE:
        return 0
    if n_players > 3:
        return 60
    if n_players == 2 and n <= 7:
        return 1500
    return 100 if n_players == 3 and not has_blackhole else 400
