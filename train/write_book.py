"""Choose the plans of the first turns of ``syzygy/belief``, for one game, by counting::

  python -m unspoken.train.write_book syzygy-base-2p book.json turns=4 threads=2

Early in the game a situation has more deals than can be searched while others wait. Here there is time. Where
a situation has at most ``search_rows`` deals there are two plans, by estimate and by a quick search. The team
goes on with each to the end of the game, by the plans that it will really play, and the plan that wins more
deals is kept. On the last of the turns it is the plan by the usual search, and in larger situations that by
estimate. For rows of at most 9 cards. The file is rewritten whenever a situation is done: it is whole and
usable at any time.
"""

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

from unspoken.agents.syzygy.belief import search_limit
from unspoken.agents.syzygy.belief_book import Book, Ints, Plan, format_book
from unspoken.agents.syzygy.belief_rows import LARGEST_TABLE
from unspoken.agents.syzygy.belief_tree import Node, PlanTree
from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.tasks import task_config
from unspoken.train.task_to_file import check_is_new, run_program
from unspoken.train.text import parse_settings, percent


@dataclass(frozen=True)
class Settings:
    """What can be set as key=value.

    Attributes:
        turns: how many turns the book holds. search_rows: the largest situation that is searched.
        threads: that share the work.
    """

    turns: int = 4
    search_rows: int = 25_000
    threads: int = 1

    @classmethod
    def parse(cls, pairs: Sequence[str]) -> "Settings":
        """From ``key=value``.

        Raises:
            ValueError, TypeError: unknown setting, or a value that is not allowed.
        """
        return cls(**parse_settings(asdict(cls()), pairs, ()))


class StoppedError(Exception):
    """The work has been given up elsewhere."""


def choose(tree: PlanTree, node: Node, settings: Settings, stop: Event) -> tuple[int, Book]:
    """Deals won from a node, and the plans of the book from it on that win them.

    Raises:
        StoppedError: ``stop`` has been set; it is looked at every few seconds.
    """
    if stop.is_set():
        raise StoppedError
    if node.turn == settings.turns:
        return tree.count_wins(node), {}
    rows = _rows_of(node)
    known = int(node.sets[node.turn % tree.n_players])
    plans = []
    last = node.turn + 1 == settings.turns
    if len(rows) <= settings.search_rows:
        searched, won = tree.by_search(node, rows, quickly=not last)
        if won == len(rows):
            return won, {node.record: Plan.of(rows, searched, known, tree.n)}
        plans.append(searched)
    if not plans or not last:
        plans.append(tree.by_estimate(node, rows))
    most = -1
    for action in plans:
        wins = 0
        book = {node.record: Plan.of(rows, action, known, tree.n)}
        for move, (sets, part) in tree.branches(node, rows, action).items():
            more, after = choose(tree, Node((*node.record, move), sets, part), settings, stop)
            wins += more
            book |= after
        if wins > most:
            most, best = wins, book
    return most, best


def first_situations(tree: PlanTree, settings: Settings) -> tuple[list[Node], Book]:
    """The situations from which on there is something to choose, and the plans that lead to them."""
    found, large, book = [], [tree.root()], {}
    while large:
        node = large.pop()
        rows = _rows_of(node)
        if len(rows) <= settings.search_rows or node.turn == settings.turns:
            found.append(node)
            continue
        action = tree.by_estimate(node, rows)
        book[node.record] = Plan.of(rows, action, int(node.sets[node.turn % tree.n_players]), tree.n)
        for move, (sets, part) in tree.branches(node, rows, action).items():
            large.append(Node((*node.record, move), sets, part))
    return found, book


def _rows_of(node: Node) -> Ints:
    assert node.rows is not None, "rows of at most 9 cards are always listed"
    return node.rows


def write_book(task: str, out: Path, settings: Settings) -> float:
    """Choose and write; returns the share of all deals that the team wins with the book.

    Raises:
        ValueError, TypeError: the task or a setting is not allowed.
        OSError: ``out`` cannot be written.
    """
    config = task_config(task)
    if not isinstance(config, SyzygyConfig):
        raise ValueError(f"task {task!r}: must be one of Syzygy")
    n, players, hole = config.n_positions, config.n_players, config.has_blackhole
    if n > LARGEST_TABLE:
        raise ValueError(f"task {task!r}: has {n} cards, must have at most {LARGEST_TABLE}")
    if not 1 <= settings.turns < config.n_turns:
        raise ValueError(f"turns={settings.turns}: must be from 1 to {config.n_turns - 1}")
    check_is_new(out)
    started = time.monotonic()
    tree = PlanTree(n, players, hole, search_limit(n, players, hole))
    tree.sizes_up_to(tree.count_deals())
    situations, book = first_situations(tree, settings)

    def write() -> None:
        ordered = dict(sorted(book.items(), key=lambda entry: (len(entry[0]), entry[0])))
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, format_book(task, ordered, players, n))

    # Before the work, so that it is not lost where nothing can be written.
    write()
    print(
        f"{len(situations)} situations, of {tree.count_deals()} deals; {out} is rewritten after each",
        flush=True,
    )
    stop = Event()
    deals = wins = done = 0
    with ThreadPoolExecutor(settings.threads) as pool:
        counts = [len(_rows_of(node)) for node in situations]
        work = {
            pool.submit(choose, tree, node, settings, stop): count
            for node, count in zip(situations, counts, strict=True)
        }
        try:
            for finished in as_completed(work):
                won, plans = finished.result()
                book |= plans
                write()
                wins, deals, done = wins + won, deals + work[finished], done + 1
                seconds = time.monotonic() - started
                share = percent(wins / deals)
                print(f"{seconds:7.0f} s  {done} of {len(work)} situations: {wins} of {deals} deals, {share}")
                sys.stdout.flush()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return wins / deals


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m unspoken.train.write_book TASK OUT [key=value ...]``; the exit codes of ``unspoken``."""
    return run_program("write_book", (__doc__, Settings.__doc__), Settings.parse, write_book, arguments)


if __name__ == "__main__":
    sys.exit(main())
