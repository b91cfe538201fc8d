"""The tree of public records: what every seat holds possible at each of them, and the plan made there.

The tree is the same for all seats and grows where games go.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from unspoken.agents.syzygy.belief_plan import codes_of, size_classes
from unspoken.agents.syzygy.belief_play import after_move, plan_node, play_out, split
from unspoken.agents.syzygy.belief_rows import LARGEST_TABLE, all_rows, distance_tables
from unspoken.agents.syzygy.belief_search import search_node
from unspoken.agents.syzygy.belief_values import portfolio
from unspoken.envs.syzygy.config import CHIPS

SWEEPS = 3
FREE_CARDS = 6
"""Rows too long to list are listed once all but this many cards have been shown."""
MAX_NODES = 100_000
"""Nodes kept; when there are more the tree is grown afresh."""

Ints = npt.NDArray[np.int64]


@dataclass
class Node:
    """The situation after one public record.

    Attributes:
        turn: turns completed.
        sets: ``(n_players + 1,)``: the positions of each seat's chips as bits, then the Blackhole's
            position or -1.
        rows: ``(N,)`` packed rows that are possible; ``None`` in the opening of a long row.
        allowed: in the opening, by position the cards possible there, as bits.
        solved: plans without search win every row from here.
        sources: the plan: what the mover knows (``code_of``) -> position to take, n for a pass.
        destinations: what the mover knows * n + the card it found -> position to move it to.
    """

    turn: int
    sets: Ints
    rows: Ints | None
    allowed: list[int] = field(default_factory=list)
    solved: bool = False
    planned: bool = False
    sources: dict[int, int] = field(default_factory=dict)
    destinations: dict[int, int] = field(default_factory=dict)
    branches: dict[int, "tuple[Ints, Ints]"] = field(default_factory=dict)


class PlanTree:
    """Plans for one size of game.

    Args:
        n: cards in the row.
        n_players: seats.
        has_blackhole: the card that begins in the middle is never taken and never seen.
        search_limit: nodes with at most this many rows are planned by search, larger ones by estimate.
        tables: ``(k, turns, 2 turns, SIZE_CLASSES)``, of ``belief_values``: plans are made by the first, and
            searched by all; ``portfolio`` by default.

    Attributes:
        turns: of a game.
        distance, useful: ``distance_tables``.
    """

    def __init__(
        self,
        n: int,
        n_players: int,
        has_blackhole: bool,
        search_limit: int,
        tables: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.n = n
        self.n_players = n_players
        self.turns = CHIPS * n_players
        self.search_limit = search_limit
        self._blackhole = n // 2 if has_blackhole else -1
        self._opening = n - FREE_CARDS if n > LARGEST_TABLE else 0
        self.distance, self.useful = distance_tables(n, has_blackhole)
        self._portfolio = portfolio(n, self.turns, has_blackhole) if tables is None else tables
        self._sizes: Ints = size_classes(0)
        self._nodes: dict[bytes, Node | None] = {}

    def root(self) -> Node:
        """The node before the first turn."""
        sets = np.zeros(self.n_players + 1, np.int64)
        sets[-1] = self._blackhole
        if self._opening:
            return Node(0, sets, None, [(1 << self.n) - 1] * self.n)
        return Node(0, sets, all_rows(self.n))

    def find(self, record: Ints) -> Node | None:
        """The node after these public moves (``source * n + destination``, or ``n * n`` for a pass), in
        order.

        ``None`` if somebody has left the plan: then nothing follows from the record.
        """
        key = record.tobytes()
        if key in self._nodes:
            return self._nodes[key]
        if len(self._nodes) >= MAX_NODES:
            self._nodes.clear()
        node: Node | None
        if len(record) == 0:
            node = self.root()
        else:
            parent = self.find(record[:-1])
            node = None if parent is None else self.child(parent, int(record[-1]))
        self._nodes[key] = node
        return node

    def child(self, node: Node, action: int) -> Node | None:
        """The node after one more move, or ``None`` if no player who keeps to the plan makes it."""
        self.plan(node)
        n = self.n
        mover = node.turn % self.n_players
        if node.rows is not None:
            if action not in node.branches:
                return None
            sets, rows = node.branches[action]
            return Node(node.turn + 1, sets, rows, solved=node.solved)
        source, destination = divmod(action, n)
        cards = [card for card, place in node.destinations.items() if place == destination]
        if source != node.sources[0] or not cards:
            return None
        allowed = list(node.allowed)
        del allowed[source]
        allowed.insert(destination, sum(1 << card for card in cards))
        sets = after_move(node.sets, action, n, mover)
        if node.turn + 1 < self._opening:
            return Node(node.turn + 1, sets, None, allowed)
        rows = _list_rows(allowed)
        return Node(node.turn + 1, sets, rows) if len(rows) else None

    def plan(self, node: Node) -> None:
        """Fill in ``sources``, ``destinations`` and ``branches``, unless it has been done."""
        if node.planned:
            return
        node.planned = True
        n = self.n
        mover = node.turn % self.n_players
        if node.rows is None:
            # Opening: take the first card nobody has moved; its value says which way it goes, two values
            # to a place.
            full = (1 << n) - 1
            source = node.allowed.index(full)
            places = [place for place in range(1, n - 1) if place != source]
            node.sources[0] = source
            node.destinations = {card: places[card * len(places) // n] for card in range(n)}
            return
        rows = node.rows
        action = np.empty(len(rows), np.int64)
        self._choose(node, rows, action)
        known = int(node.sets[mover])
        codes, sources, destinations = _tabulate(rows, action, known, n)
        node.sources = dict(zip(codes.tolist(), sources.tolist(), strict=True))
        node.destinations = dict(destinations.tolist())
        actions, starts, sets, moved, _ = split(rows, node.sets, action, n, mover)
        for i, move in enumerate(actions.tolist()):
            node.branches[move] = (sets[i], moved[starts[i] : starts[i + 1]])
        if node.turn > 0:
            node.rows = rows[:1]  # the children hold them now

    def _choose(self, node: Node, rows: Ints, action: Ints) -> None:
        count = len(rows)
        sizes = self.sizes_up_to(count)
        if node.solved or count > self.search_limit:
            kind = np.empty(count, np.int64)
            size = np.empty(count, np.int64)
            plan_node(
                rows,
                node.sets,
                node.turn,
                self.n,
                self.turns,
                self._portfolio[0],
                sizes,
                self.distance,
                self.useful,
                SWEEPS,
                -1,
                action,
                kind,
                size,
            )
            return
        won = search_node(
            rows,
            node.sets,
            node.turn,
            self.n,
            self.turns,
            self._portfolio,
            sizes,
            self.distance,
            self.useful,
            SWEEPS,
            action,
        )
        node.solved = won == count

    def sizes_up_to(self, count: int) -> Ints:
        """``size_classes`` of sets of so many rows, or more."""
        if len(self._sizes) <= count:
            self._sizes = size_classes(2 * count)
        return self._sizes

    def draw_nodes(self, turn: int, count: int, random: np.random.Generator) -> list[Node]:
        """At most ``count`` different nodes of a turn, new ones, with the same chance for each.

        To keep the number small, at most that many are kept at every turn on the way.

        Raises:
            ValueError: the rows are too long to be listed.
        """
        if self._opening:
            raise ValueError(f"n={self.n}: must be at most {LARGEST_TABLE}, longer rows are too many to list")
        drawn: dict[tuple[int, ...], Node] = {(): self.root()}
        for _ in range(turn):
            before = list(drawn.items())
            drawn = {}
            for record, node in before:
                self.plan(node)
                for action, (sets, rows) in node.branches.items():
                    drawn[(*record, action)] = Node(node.turn + 1, sets, rows)
            if len(drawn) > count:
                kept = random.choice(len(drawn), count, replace=False)
                nodes = list(drawn.items())
                drawn = dict(nodes[index] for index in sorted(kept))
        return list(drawn.values())

    def count_deals(self) -> int:
        """How many deals there are."""
        return math.factorial(self.n)

    def count_wins(self, node: Node | None = None) -> int:
        """How many of the node's rows (default: all deals) a team that keeps to the plan wins. Exact."""
        node = node or self.root()
        rows = node.rows
        if rows is None:
            raise ValueError(f"n={self.n}: must be at most {LARGEST_TABLE}, longer rows are too many to list")
        count = len(rows)
        known = node.turn == self.turns or self.search_limit == 0 or node.solved
        if known:
            return self._play_out(node, rows)
        self.plan(node)
        if node.solved:
            return count
        return sum(
            self.count_wins(Node(node.turn + 1, sets, part, solved=False))
            for sets, part in node.branches.values()
        )

    def _play_out(self, node: Node, rows: Ints) -> int:
        unused = np.empty((1, 1), np.int64)
        won = play_out(
            rows,
            np.array([0, len(rows)]),
            node.sets[None],
            node.turn,
            self.n,
            self.turns,
            self._portfolio[0],
            self.sizes_up_to(len(rows)),
            self.distance,
            self.useful,
            SWEEPS,
            False,
            unused,
            unused,
        )
        return int(won.sum())


def _tabulate(rows: Ints, action: Ints, known: int, n: int) -> tuple[Ints, Ints, Ints]:
    """A plan as tables: codes and their sources; (code * n + card, destination) pairs."""
    codes = codes_of(rows, known, n)
    source = action // n
    unique, first = np.unique(codes, return_index=True)
    taken = source < n
    card = (rows >> (4 * np.minimum(source, n - 1))) & 15
    keys, at = np.unique((codes * n + card)[taken], return_index=True)
    return unique, source[first], np.stack([keys, (action % n)[taken][at]], axis=1)


def _list_rows(allowed: list[int]) -> Ints:
    """All rows with an allowed card at each position."""
    rows = np.zeros(1, np.int64)
    used = np.zeros(1, np.int64)
    for position in sorted(range(len(allowed)), key=lambda place: allowed[place].bit_count()):
        parts = []
        for card in range(len(allowed)):
            if (allowed[position] >> card) & 1:
                fits = (used >> card) & 1 == 0
                parts.append((rows[fits] | (card << (4 * position)), used[fits] | (1 << card)))
        rows = np.concatenate([part[0] for part in parts])
        used = np.concatenate([part[1] for part in parts])
    return rows
