"""Train several seeds of one configuration, and evaluate them all:
unspoken sweep TASK|CONFIG --seeds 0-3 [key=value ...].

  unspoken sweep syzygy-base5-3p --seeds 0-3
  unspoken sweep my.yaml --seeds 0,2,5-7 threads=1 total_steps=2e6 --ray

The runs are those of unspoken train, in runs/NAME-seedS; one that is there already goes on, or is only
evaluated if it is complete. They are trained one after the other, or with --ray side by side, as many as
there are cores for; threads=N says how many a run takes. On a cluster all machines must share the folder.
"""

import argparse
import json
import re
import shlex
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from unspoken.agents import load_agent
from unspoken.agents.checkpoint import step_folders
from unspoken.train.config import TrainConfig, load_config
from unspoken.train.evaluate import Evaluation, evaluate, show_progress
from unspoken.train.machine import choose_threads
from unspoken.train.ray_tasks import add_ray_argument, map_on_ray
from unspoken.train.run import run_training
from unspoken.train.run_folder import METRICS, check_same, is_run, load_run_config, read_metrics
from unspoken.train.text import percent, table


@dataclass(frozen=True)
class SweptRun:
    """One of the runs.

    Attributes:
        folder: where it is. seed: of its training.
        steps: decisions trained on. seconds: spent on them.
        evaluation: its best checkpoint over new games.
    """

    folder: str
    seed: int
    steps: int
    seconds: float
    evaluation: Evaluation

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {**vars(self), "evaluation": self.evaluation.as_dict()}


def sweep(
    configs: Sequence[TrainConfig],
    folders: Sequence[Path],
    command: str,
    games: int = 10_000,
    *,
    ray: str | None = None,
    finished: Callable[[SweptRun], None] = lambda run: None,
) -> list[SweptRun]:
    """Train and evaluate runs, each with the same result here and on Ray.

    Args:
        configs: of the runs. folders: of each, new, empty or with that run.
        command: noted in the runs.
        games: of the evaluations, which are all on the same deals.
        ray: ``None`` trains one after the other; an address, or ``"auto"``, side by side on Ray.
        finished: called with each run when it is done.

    Raises:
        ValueError: a folder holds something else, or is not shared by a machine of the cluster.
        ImportError, OSError: see ``unspoken.train.ray_tasks.map_on_ray``.
    """
    threads = choose_threads(configs[0].threads, configs[0].device)
    pieces = [
        (config.model_copy(update={"threads": threads}), folder.absolute())
        for config, folder in zip(configs, folders, strict=True)
    ]
    for _, folder in pieces:
        folder.mkdir(parents=True, exist_ok=True)
    work = partial(_train, command, games)
    if ray is not None:
        return map_on_ray(work, pieces, ray, cpus=threads, finished=finished)
    runs = []
    for piece in pieces:
        runs.append(work(piece))
        finished(runs[-1])
    return runs


def _train(command: str, games: int, piece: tuple[TrainConfig, Path]) -> SweptRun:
    config, folder = piece
    if not folder.is_dir():
        raise ValueError(
            f"folder {str(folder)!r}: not on {socket.gethostname()}; all machines must share the runs' folder"
        )
    # A worker that died may have left a complete run, and a target that is reached must not be passed.
    if not _is_complete(folder, config):
        run_training(config, folder, command)
    last = read_metrics(folder)[-1]
    result = evaluate(config.task, load_agent(folder), games, **config.game)
    return SweptRun(str(folder), config.seed, int(last["steps"]), last["seconds"], result)


def _is_complete(folder: Path, config: TrainConfig) -> bool:
    """Whether the run in ``folder`` has reached its last step or its target, and saved that.

    Raises:
        ValueError: its settings are not those of ``config``.
    """
    if not is_run(folder) or not (folder / METRICS).exists():
        return False
    rows, checkpoints = read_metrics(folder), step_folders(folder)
    if not rows or not checkpoints or int(checkpoints[-1].name[5:]) < rows[-1]["steps"]:
        return False
    saved = load_run_config(folder)
    # What a complete run was computed with does not matter any more.
    machine = {name: getattr(saved, name) for name in ("device", "precision", "threads")}
    check_same(saved, config.model_copy(update=machine), folder)
    reached = config.target is not None and rows[-1].get("win_rate", -1.0) >= config.target
    return reached or rows[-1]["steps"] >= config.total_steps


def parse_seeds(text: str) -> list[int]:
    """``"0,2,5-7"`` as ``[0, 2, 5, 6, 7]``.

    Raises:
        ValueError: not numbers and ranges, or a seed twice.
    """
    seeds: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip())
        if found is None:
            raise ValueError(f"seeds={text!r}: must be numbers and ranges, such as 0-3 or 0,2,5-7")
        seeds += range(int(found[1]), int(found[2] or found[1]) + 1)
    if not seeds or len(set(seeds)) < len(seeds):
        raise ValueError(f"seeds={text!r}: must be one or more different seeds, such as 0-3")
    return seeds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken sweep``."""
    parser.add_argument("name", metavar="TASK|CONFIG", help="as for unspoken train")
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="as for unspoken train")
    parser.add_argument("--seeds", required=True, metavar="A-B", help="of the runs: 0-3, or 0,2,5-7")
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help="of each evaluation (10000)")
    parser.add_argument("--folder", type=Path, default=Path("runs"), metavar="DIR", help="of the runs (runs)")
    add_ray_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken sweep``: print a line for each run, and their mean."""
    if any(setting.startswith("seed=") for setting in arguments.settings):
        raise ValueError("seed: a sweep sets it; use --seeds")
    if arguments.games < 1:
        raise ValueError(f"games={arguments.games}: must be 1 or more")
    seeds = parse_seeds(arguments.seeds)
    configs = [load_config(arguments.name, [*arguments.settings, f"seed={seed}"]) for seed in seeds]
    stem = Path(arguments.name).stem if arguments.name.endswith((".yaml", ".yml")) else arguments.name
    folders = [arguments.folder / f"{stem}-seed{seed}" for seed in seeds]
    show = show_progress(len(seeds), "runs")
    done: list[SweptRun] = []

    def finished(one: SweptRun) -> None:
        done.append(one)
        if show is not None:
            show(len(done))

    command = "unspoken sweep " + shlex.join(
        [arguments.name, *arguments.settings, "--seeds", arguments.seeds]
    )
    with redirect_stdout(sys.stderr if arguments.json else sys.stdout):
        runs = sweep(configs, folders, command, arguments.games, ray=arguments.ray, finished=finished)
    rates = [one.evaluation.win_rate for one in runs]
    scores = [one.evaluation.score for one in runs]
    spread = stdev(rates) if len(rates) > 1 else 0.0
    if arguments.json:
        content = {"task": configs[0].task, "runs": [one.as_dict() for one in runs]}
        print(json.dumps({**content, "win_rate": mean(rates), "spread": spread, "score": mean(scores)}))
        return
    levels = runs[0].evaluation.max_score > 1
    rows = [
        [
            one.folder,
            f"{one.steps:,}",
            f"{one.seconds:.0f}",
            percent(one.evaluation.win_rate),
            *([f"{one.evaluation.score:.2f}"] if levels else []),
        ]
        for one in runs
    ]
    print(table(["run", "decisions", "seconds", "won", *(["levels"] if levels else [])], rows))
    print(
        f"\nmean of {len(runs)} seeds {percent(mean(rates))}, standard deviation {percent(spread)} "
        f"({arguments.games} games each)"
    )
