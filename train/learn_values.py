"""Learn the values by which ``syzygy/belief`` plans, for one game::

  python -m unspoken.train.learn_values syzygy-divine-3p values.json minutes=30
  python -m unspoken.train.learn_values syzygy-divine-3p better.json start=values.json from_turn=4

What is learned is how likely the team wins from a row: weights of ``belief_values.features`` for each number
of turns left. All deals are played out by plan, without search. Then the weights of a few turns are changed,
at random or towards those that fit best which rows have been won, and the change is kept if no fewer rows are
won. With ``from_turn`` the plan of the turns before stays, and of what it leads to ``situations`` are drawn
and played out, which is much faster. For rows of at most 9 cards. Same arguments and number of changes: same
weights. They are written whenever they are better.
"""

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from unspoken.agents.syzygy.belief_book import load_book
from unspoken.agents.syzygy.belief_plan import SIZE_CLASSES
from unspoken.agents.syzygy.belief_play import play_out
from unspoken.agents.syzygy.belief_rows import LARGEST_TABLE
from unspoken.agents.syzygy.belief_tree import SWEEPS, PlanTree
from unspoken.agents.syzygy.belief_values import (
    FEATURES,
    Floats,
    features,
    general_weights,
    win_values,
)
from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.tasks import task_config
from unspoken.train.checked_json import read_json
from unspoken.train.task_to_file import check_is_new, run_program
from unspoken.train.text import parse_settings, percent

STEPS = np.array([0.3, 0.6, 0.4, 0.3, 0.1, 0.2, 0.1, 0.05, 0.4, 0.1])
"""Scale of a random change of each weight."""
DIGITS = 4
"""Of weights, behind the point."""
LARGEST_WEIGHT = 1e6
FIT_ROWS = 20_000.0
"""How many rows count in a fit, however many have been played: the rest is trust in the weights before."""


@dataclass(frozen=True)
class Settings:
    """What can be set as key=value.

    Attributes:
        minutes: how long to learn. changes: how many changes to try at most; 0: no limit.
        seed: of what is drawn.
        start: a file of weights to begin with; empty: the weights that hold for all games.
        from_turn: the first turn whose values are learned. situations: how many are drawn at that turn.
    """

    minutes: int = 10
    changes: int = 0
    seed: int = 0
    start: str = ""
    from_turn: int = 0
    situations: int = 150

    @classmethod
    def parse(cls, pairs: Sequence[str]) -> "Settings":
        """From ``key=value``.

        Raises:
            ValueError, TypeError: unknown setting, or a value that is not allowed.
        """
        return cls(**parse_settings(asdict(cls()), pairs, ("changes", "from_turn", "seed")))


class ValueLearning:
    """Weights that win more and more rows.

    Attributes:
        weights: ``(turns, FEATURES)``, the best so far.
        wins: rows they win.
        count: rows played out.

    Raises:
        ValueError: the game or ``from_turn`` is not allowed.
    """

    def __init__(self, config: SyzygyConfig, weights: Floats, settings: Settings) -> None:
        n = config.n_positions
        if n > LARGEST_TABLE:
            raise ValueError(f"task: has {n} cards, must have at most {LARGEST_TABLE}")
        hole = config.has_blackhole
        # Later turns are learned for what the team really gets to.
        book = load_book(n, config.n_turns, hole) if settings.from_turn else {}
        self._tree = tree = PlanTree(n, config.n_players, hole, 0, win_values(weights)[None], book)
        if not 0 <= settings.from_turn < tree.turns - 1:
            raise ValueError(f"from_turn={settings.from_turn}: must be from 0 to {tree.turns - 2}")
        self._random = np.random.default_rng(settings.seed)
        self._turn = settings.from_turn
        nodes = tree.draw_nodes(settings.from_turn, settings.situations, self._random)
        self._rows = np.concatenate([node.rows for node in nodes if node.rows is not None])
        self._starts = np.cumsum([0, *(len(node.rows) for node in nodes if node.rows is not None)])
        self._sets = np.stack([node.sets for node in nodes])
        # By turns left, class and size class: how many rows were there, and how many of them were won.
        self._seen = np.zeros((tree.turns, 2 * tree.turns, SIZE_CLASSES))
        self._won = np.zeros_like(self._seen)
        self.count = len(self._rows)
        self.weights = np.round(weights, DIGITS)
        self.wins = self._play(self.weights)
        self._pace = 1.0
        self._again: Floats | None = None

    def _play(self, weights: Floats) -> int:
        """Rows won; what was met on the way is counted."""
        tree = self._tree
        kinds = np.zeros((tree.turns, self.count), np.int64)
        sizes = np.zeros_like(kinds)
        won = play_out(
            self._rows,
            self._starts,
            self._sets,
            self._turn,
            tree.n,
            tree.turns,
            win_values(weights),
            tree.sizes_up_to(self.count),
            tree.distance,
            tree.useful,
            SWEEPS,
            True,
            kinds,
            sizes,
        )
        for turn in range(self._turn, tree.turns):
            left = tree.turns - 1 - turn
            np.add.at(self._seen[left], (kinds[turn], sizes[turn]), 1.0)
            np.add.at(self._won[left], (kinds[turn], sizes[turn]), won)
        return int(won.sum())

    def try_change(self) -> bool:
        """Change the weights of some turns; returns whether more rows are won with it."""
        self._seen *= 0.9
        self._won *= 0.9
        if self._again is not None and self._random.random() < 0.7:
            change = self._again
        else:
            change = np.zeros_like(self.weights)
            lefts = np.arange(1, self._tree.turns - self._turn)
            towards_fit = self._random.random() < 0.25
            count = 1 + int(self._random.integers(min(len(lefts), 3)))
            for left in self._random.choice(lefts, count, replace=False):
                if towards_fit:
                    step = 0.6 * self._random.random()
                    change[left] = step * (self._fit(int(left)) - self.weights[left])
                else:
                    moved = self._random.random(FEATURES) < 0.5
                    change[left] = self._pace * moved * STEPS * self._random.normal(size=FEATURES)
        changed = np.round(self.weights + change, DIGITS)
        wins = self._play(changed)
        better = wins > self.wins
        self._again = change if better else None
        if wins >= self.wins:
            self.weights = changed
            self.wins = wins
        self._pace = min(2.0, 1.15 * self._pace) if better else max(0.2, 0.97 * self._pace)
        return better

    def _fit(self, left: int) -> Floats:
        """The weights that fit best which rows have been won with so many turns left."""
        kinds = 2 * left + 1
        inputs = features(left).reshape(-1, FEATURES)
        believed = win_values(self.weights)[left, :kinds].ravel()
        seen, won = self._seen[left, :kinds].ravel(), self._won[left, :kinds].ravel()
        scale = FIT_ROWS / max(seen.sum(), 1.0)
        total = scale * seen + 0.3
        wins = scale * won + 0.3 * believed
        weights = np.zeros(FEATURES)
        for _ in range(40):
            chance = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30.0, 30.0)))
            slope = inputs.T @ (wins - total * chance) - 0.01 * weights
            curvature = (inputs * (total * chance * (1.0 - chance))[:, None]).T @ inputs
            weights += np.clip(np.linalg.solve(curvature + 0.01 * np.eye(FEATURES), slope), -2.0, 2.0)
        return weights


def write_weights(out: Path, task: str, weights: Floats) -> None:
    """Write a file of ``agents/syzygy/values``. Raises OSError where that cannot be done."""
    lines = ",\n".join(f"    {json.dumps(row.tolist())}" for row in weights)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, f'{{\n  "task": {json.dumps(task)},\n  "weights": [\n{lines}\n  ]\n}}\n')


def read_weights(path: Path, task: str, turns: int) -> Floats:
    """The weights in such a file.

    Raises:
        ValueError: it is no such file, or for another task.
    """
    content = read_json(path, "weights written by learn_values")
    try:
        weights = np.array(content["weights"], np.float64)
        found = content["task"]
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"{path}: must be weights written by learn_values ({error!r})") from error
    if found != task:
        raise ValueError(f"{path}: must be weights for {task!r}, these are for {found!r}")
    if weights.shape != (turns, FEATURES):
        raise ValueError(f"{path}: weights: must be {turns} rows of {FEATURES} numbers")
    if not (np.abs(weights) <= LARGEST_WEIGHT).all():
        raise ValueError(f"{path}: weights: must be numbers of at most {LARGEST_WEIGHT:.0f}")
    return weights


def learn(task: str, out: Path, settings: Settings) -> float:
    """Learn and write; returns the share of the rows won.

    Raises:
        ValueError, TypeError: the task, a setting or ``start`` is not allowed.
        OSError: ``out`` cannot be written.
    """
    config = task_config(task)
    if not isinstance(config, SyzygyConfig):
        raise ValueError(f"task {task!r}: must be one of Syzygy")
    if not settings.start or out.resolve() != Path(settings.start).resolve():
        check_is_new(out)
    weights = general_weights(config.n_positions, config.n_turns, config.has_blackhole)[0]
    if settings.start:
        weights = read_weights(Path(settings.start), task, config.n_turns)
    started = time.monotonic()
    learning = ValueLearning(config, weights, settings)
    # Before the work, so that it is not lost where nothing can be written.
    write_weights(out, task, learning.weights)
    number = 0

    def report() -> None:
        seconds = time.monotonic() - started
        print(f"{seconds:7.0f} s  {percent(learning.wins / learning.count):>7}  {number} tried", flush=True)

    report()
    while learning.wins < learning.count and number != (settings.changes or None):
        if time.monotonic() - started > 60 * settings.minutes:
            break
        number += 1
        if learning.try_change():
            write_weights(out, task, learning.weights)
            report()
    write_weights(out, task, learning.weights)
    report()
    return learning.wins / learning.count


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m unspoken.train.learn_values TASK OUT [key=value ...]``; the exit codes of ``unspoken``."""
    return run_program("learn_values", (__doc__, Settings.__doc__), Settings.parse, learn, arguments)


if __name__ == "__main__":
    sys.exit(main())
