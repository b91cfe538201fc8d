"""The tree of public records: what every seat holds possible at each of them, and the plan made there.

The tree is the same for all seats and grows where games go.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unspoken.agents.syzygy import (
    belief_cells,
    belief_plan,
    belief_play,
    belief_refine,
    belief_rows,
    belief_search,
)
from unspoken.agents.syzygy.belief_book import Book, Ints, Plan, Record
from unspoken.agents.syzygy.belief_plan import size_classes
from unspoken.agents.syzygy.belief_play import after_move, plan_node, play_out, split
from unspoken.agents.syzygy.belief_rows import LARGEST_TABLE, all_rows, distance_tables
from unspoken.agents.syzygy.belief_search import search_node
from unspoken.agents.syzygy.belief_values import portfolio
from unspoken.envs.engine.compiled import forget_stale_code
from unspoken.envs.syzygy.config import CHIPS

SWEEPS = 3
REFINEMENTS = 3
"""How often each cell of a plan by search is looked at again."""
FREE_CARDS = 6
"""Rows too long to list are listed once all but this many cards have been shown."""
MAX_NODES = 100_000
"""Nodes kept; when there are more the tree is grown afresh."""


@dataclass
class Node:
    """The situation after one public record.

    Attributes:
        record: the public moves, in order.
        sets: ``(n_players + 1,)``: the positions of each seat's chips as bits, then the Blackhole's
            position or -1.
        rows: ``(N,)`` packed rows that are possible; ``None`` in the opening of a long row.
        allowed: in the opening, by position the cards possible there, as bits.
        solved: plans without search win every row from here.
        plan: of this turn, once it has been made.
        branches: with a plan, the position sets and rows that each of its moves leads to.
    """

    record: Record
    sets: Ints
    rows: Ints | None
    allowed: list[int] = field(default_factory=list)
    solved: bool = False
    plan: Plan | None = None
    branches: dict[int, tuple[Ints, Ints]] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """Turns completed."""
        return len(self.record)


class PlanTree:
    """Plans for one size of game.

    Args:
        n: cards in the row.
        n_players: seats.
        has_blackhole: the card that begins in the middle is never taken and never seen.
        search_limit: nodes with at most this many rows are planned by search, larger ones by estimate.
        tables: ``(k, turns, 2 turns, SIZE_CLASSES)``, of ``belief_values``: plans are made by the first, and
            searched by all; ``portfolio`` by default.
        book: plans that have been chosen before; they come first.

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
        book: Book | None = None,
    ) -> None:
        self.n = n
        self.n_players = n_players
        self.turns = CHIPS * n_players
        self.search_limit = search_limit
        self._blackhole = n // 2 if has_blackhole else -1
        self._opening = n - FREE_CARDS if n > LARGEST_TABLE else 0
        self.distance, self.useful = distance_tables(n, has_blackhole)
        self._portfolio = portfolio(n, self.turns, has_blackhole) if tables is None else tables
        self._book = book or {}
        self._sizes: Ints = size_classes(0)
        self._nodes: dict[bytes, Node | None] = {}

    def root(self) -> Node:
        """The node before the first turn."""
        sets = np.zeros(self.n_players + 1, np.int64)
        sets[-1] = self._blackhole
        if self._opening:
            return Node((), sets, None, [(1 << self.n) - 1] * self.n)
        return Node((), sets, all_rows(self.n))

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
        plan = self.plan(node)
        n = self.n
        mover = node.turn % self.n_players
        record = (*node.record, action)
        if node.rows is not None:
            if action not in node.branches:
                return None
            sets, rows = node.branches[action]
            return Node(record, sets, rows, solved=node.solved)
        source, destination = divmod(action, n)
        cards = [card for card, place in plan.destinations.items() if place == destination]
        if source != plan.sources[0] or not cards:
            return None
        allowed = list(node.allowed)
        del allowed[source]
        allowed.insert(destination, sum(1 << card for card in cards))
        sets = after_move(node.sets, action, n, mover)
        if node.turn + 1 < self._opening:
            return Node(record, sets, None, allowed)
        rows = _list_rows(allowed)
        return Node(record, sets, rows) if len(rows) else None

    def plan(self, node: Node) -> Plan:
        """The plan at a node, made and kept with its ``branches`` unless it has been before.

        Raises:
            ValueError: the book has a plan for it that leaves something out.
        """
        if node.plan is not None:
            return node.plan
        n = self.n
        if node.rows is None:
            # Opening: take the first card nobody has moved; its value says which way it goes, two values
            # to a place.
            full = (1 << n) - 1
            source = node.allowed.index(full)
            places = [place for place in range(1, n - 1) if place != source]
            node.plan = Plan({0: source}, {card: places[card * len(places) // n] for card in range(n)})
            return node.plan
        rows = node.rows
        known = int(node.sets[node.turn % self.n_players])
        if node.record in self._book:
            try:
                action = self._book[node.record].actions(rows, known, n)
            except ValueError as error:
                raise ValueError(f"book, after the moves {node.record}: {error}") from error
        elif node.solved or len(rows) > self.search_limit:
            action = self.by_estimate(node, rows)
        else:
            action, won = self.by_search(node, rows)
            node.solved = won == len(rows)
        node.plan = Plan.of(rows, action, known, n)
        node.branches = self.branches(node, rows, action)
        if node.turn > 0:
            node.rows = rows[:1]  # the children hold them now
        return node.plan

    def by_estimate(self, node: Node, rows: Ints) -> Ints:
        """The action for each row by the plan that is best as estimated."""
        action, kind, size = np.empty((3, len(rows)), np.int64)
        plan_node(
            rows,
            node.sets,
            node.turn,
            self.n,
            self.turns,
            self._portfolio[0],
            self.sizes_up_to(len(rows)),
            self.distance,
            self.useful,
            SWEEPS,
            -1,
            action,
            kind,
            size,
        )
        return action

    def by_search(self, node: Node, rows: Ints, quickly: bool = False) -> tuple[Ints, int]:
        """The action for each row by the plan that ``search_node`` finds, and how many rows it wins.

        ``quickly``: with the first table of values only, and each cell looked at once.
        """
        action = np.empty(len(rows), np.int64)
        won = search_node(
            rows,
            node.sets,
            node.turn,
            self.n,
            self.turns,
            self._portfolio[:1] if quickly else self._portfolio,
            self.sizes_up_to(len(rows)),
            self.distance,
            self.useful,
            SWEEPS,
            1 if quickly else REFINEMENTS,
            action,
        )
        return action, won

    def branches(self, node: Node, rows: Ints, action: Ints) -> dict[int, tuple[Ints, Ints]]:
        """For each move that a plan may make: the position sets after it, and the rows."""
        moves, starts, sets, moved, _ = split(rows, node.sets, action, self.n, node.turn % self.n_players)
        return {move: (sets[i], moved[starts[i] : starts[i + 1]]) for i, move in enumerate(moves.tolist())}

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
        drawn = [self.root()]
        for _ in range(turn):
            before, drawn = drawn, []
            for node in before:
                self.plan(node)
                for action, (sets, rows) in node.branches.items():
                    drawn.append(Node((*node.record, action), sets, rows))
            if len(drawn) > count:
                kept = random.choice(len(drawn), count, replace=False)
                drawn = [drawn[index] for index in sorted(kept)]
        return drawn

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
        by_plan = node.solved or (self.search_limit == 0 and not self._book)
        if node.turn == self.turns or by_plan:
            return self._play_out(node, rows)
        self.plan(node)
        if node.solved:
            return count
        return sum(
            self.count_wins(Node((*node.record, action), sets, part))
            for action, (sets, part) in node.branches.items()
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


forget_stale_code(
    [Path(__file__).parent],
    [belief_cells, belief_plan, belief_play, belief_refine, belief_rows, belief_search],
)
