"""A training run on disk.

::

    config.yaml          every setting as resolved
    run.json             each start of the run: command, versions, processor
    metrics.csv          a row an update; tensorboard/ holds the same
    checkpoints/
        step-000002097152/   policy.safetensors + .json: the policy; training.safetensors + .json: what else
                             the run goes on from
        best/                the policy with the best evaluation
"""

import csv
import json
import math
import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from types import TracebackType

import yaml
from torch.utils.tensorboard import SummaryWriter

from unspoken.agents.checkpoint import (
    BEST,
    FOLDER,
    POLICY,
    CheckpointError,
    load_policy,
    load_with_description,
    save_policy,
    save_with_description,
    step_folders,
)
from unspoken.envs import __version__
from unspoken.train.config import TrainConfig, make_config
from unspoken.train.evaluate import Evaluation
from unspoken.train.ppo import PPO

TRAINING = "training.safetensors"
METRICS = "metrics.csv"
COLUMNS = (
    "steps",
    "seconds",
    "steps_per_second",
    "train_win_rate",
    "train_progress",
    "win_rate",
    "score",
    "loss",
    "policy_loss",
    "value_loss",
    "entropy",
    "kl",
    "gradient_norm",
    "schedule_learning_rate",
    "schedule_entropy",
    "schedule_shaping",
)


class RunFolder:
    """Writes a run and reads it back; use as a context manager, so that the files are closed.

    Attributes:
        path: the folder. best: the best mean score of an evaluation so far, -1 before the first.
        leads: this process writes the run.
    """

    leads = True

    def __init__(self, path: Path, ppo: PPO, command: str) -> None:
        """Start a run in ``path``, which is new or empty, or go on with the run there and restore ``ppo``.

        Raises:
            ValueError: the folder holds something else, or a run with another configuration.
            CheckpointError: its checkpoint is damaged.
        """
        self.path = path
        self.command = command
        self.best = -1.0
        if is_run(path):
            check_same(load_run_config(path), ppo.config, path)
            self.best = restore(path, ppo)
        elif path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise ValueError(f"folder {str(path)!r}: holds something else; must be new, empty or a run")
        else:
            path.mkdir(parents=True, exist_ok=True)
            (path / "config.yaml").write_text(
                yaml.safe_dump(ppo.config.model_dump(mode="json"), sort_keys=False), encoding="utf-8"
            )
        self._note_start(ppo)
        self._cut_metrics(ppo.steps)
        self._file = (path / METRICS).open("a", newline="", encoding="utf-8")
        self._csv = csv.DictWriter(self._file, COLUMNS, restval="")
        if self._file.tell() == 0:
            self._csv.writeheader()
        self._board = SummaryWriter(str(path / "tensorboard"), purge_step=ppo.steps or None)

    def log(self, row: dict[str, float]) -> None:
        """Add the measurements of an update to ``metrics.csv`` and TensorBoard."""
        shown = {name: value for name, value in row.items() if not math.isnan(value)}
        self._csv.writerow(shown)
        self._file.flush()
        for name, value in shown.items():
            if name != "steps":
                self._board.add_scalar(name.replace("schedule_", "schedule/"), value, int(row["steps"]))

    def save(self, ppo: PPO, win_rate: float | None) -> Path:
        """Write a checkpoint from which the run can go on, and drop the oldest; returns its folder."""
        folder = self.path / FOLDER / f"step-{ppo.steps:012d}"
        with _whole(folder) as temporary:
            self._save_policy(temporary, ppo, win_rate)
            tensors, plain = ppo.state()
            save_with_description(temporary / TRAINING, tensors, {**plain, "best": self.best})
        for old in step_folders(self.path)[: -ppo.config.keep_checkpoints]:
            shutil.rmtree(old)
        return folder

    def save_best(self, ppo: PPO, evaluation: Evaluation) -> None:
        """Write the policy as ``checkpoints/best`` if no evaluation was better; of equals the last stays.

        Better is a higher mean score: teams that never win a game of several levels differ in the levels won.
        """
        if evaluation.score >= self.best:
            self.best = evaluation.score
            with _whole(self.path / FOLDER / BEST) as temporary:
                self._save_policy(temporary, ppo, evaluation.win_rate)

    def last_checkpoint(self) -> Path | None:
        """The folder of the latest checkpoint."""
        return last_checkpoint(self.path)

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._board.close()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _save_policy(self, folder: Path, ppo: PPO, win_rate: float | None) -> None:
        description = ppo.describe(
            command=self.command,
            config=ppo.config.model_dump(mode="json"),
            steps=ppo.steps,
            seconds=round(ppo.seconds, 1),
            win_rate=win_rate,
            games=ppo.config.evaluate_games,
            versions=versions(),
        )
        save_policy(folder / POLICY, ppo.policy, description)

    def _note_start(self, ppo: PPO) -> None:
        path = self.path / "run.json"
        starts = json.loads(path.read_text(encoding="utf-8"))["starts"] if path.exists() else []
        starts.append(
            {
                "command": self.command,
                "at_steps": ppo.steps,
                "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
                "seed": ppo.config.seed,
                "versions": versions(),
                "system": platform.platform(),
                "processor": _processor(),
                "cores": os.cpu_count(),
            }
        )
        path.write_text(json.dumps({"starts": starts}, indent=2) + "\n", encoding="utf-8")

    def _cut_metrics(self, steps: int) -> None:
        """Drop the rows after the checkpoint that the run goes on from: they are measured again."""
        path = self.path / METRICS
        if path.exists():
            kept = [row for row in read_metrics(self.path) if row["steps"] <= steps]
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, COLUMNS, restval="")
                writer.writeheader()
                writer.writerows(kept)


class FollowedRun:
    """The run as the other processes of a data-parallel training see it: process 0 writes it."""

    leads = False

    def log(self, row: dict[str, float]) -> None:
        """Process 0 does it."""

    def save(self, ppo: PPO, win_rate: float | None) -> None:
        """Process 0 does it."""

    def save_best(self, ppo: PPO, evaluation: Evaluation) -> None:
        """Process 0 does it."""

    def last_checkpoint(self) -> Path | None:
        """Process 0 knows it."""
        return None


@contextmanager
def open_run(path: Path, ppo: PPO, command: str) -> Iterator["RunFolder | FollowedRun"]:
    """Start the run in ``path`` or go on with it (see ``RunFolder``), in whichever process this is."""
    if ppo.processes.rank == 0:
        with RunFolder(path, ppo, command) as run:
            ppo.processes.from_first(lambda: None)
            yield run
    else:
        ppo.processes.from_first(lambda: None)
        restore(path, ppo)
        yield FollowedRun()


def restore(path: Path, ppo: PPO) -> float:
    """Have ``ppo`` go on from the last checkpoint of the run in ``path``, if it has one.

    Returns:
        The best mean score of an evaluation so far, -1 before the first.

    Raises:
        CheckpointError: the checkpoint is damaged, or of another version.
    """
    checkpoint = last_checkpoint(path)
    if checkpoint is None:
        return -1.0
    policy, description = load_policy(checkpoint / POLICY)
    description.check(ppo.vec.game)
    tensors, plain = load_with_description(checkpoint / TRAINING)
    try:
        ppo.restore(policy.state_dict(), tensors, plain)
        return float(plain["best"])
    except (KeyError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{checkpoint}: not a state of this run or of this version: {error}") from None


def last_checkpoint(path: Path) -> Path | None:
    """The folder of the latest checkpoint of the run in ``path``."""
    return next(reversed(step_folders(path)), None)


def is_run(path: Path) -> bool:
    """Whether ``path`` is the folder of a run."""
    return (path / "config.yaml").is_file()


def load_run_config(path: Path) -> TrainConfig:
    """The configuration of the run in ``path``."""
    try:
        values = yaml.safe_load((path / "config.yaml").read_text(encoding="utf-8"))
        return make_config(values)
    except (yaml.YAMLError, TypeError, ValueError) as error:
        raise ValueError(f"{path / 'config.yaml'}: not the configuration of a run: {error}") from None


def read_metrics(path: Path) -> list[dict[str, float]]:
    """The rows of the run's ``metrics.csv``; what was not measured is not in a row."""
    with (path / METRICS).open(newline="", encoding="utf-8") as file:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    packages = ("numpy", "numba", "torch")
    return {
        "unspoken": __version__,
        "python": platform.python_version(),
        **{package: metadata.version(package) for package in packages},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def check_same(saved: TrainConfig, asked: TrainConfig, path: Path) -> None:
    """Raise ``ValueError``, with what differs, where the run in ``path`` is not the one that is asked for."""
    before, now = saved.model_dump(), asked.model_dump()
    differing = [
        f"{name}={before[name]!r}, not {now[name]!r}" for name in before if before[name] != now[name]
    ]
    if differing:
        raise ValueError(f"folder {str(path)!r}: holds a run with {'; '.join(differing)}")


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    """A folder to write into that becomes ``folder``, complete or not at all, replacing what was there."""
    temporary = folder.with_name(folder.name + ".tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    yield temporary
    if folder.exists():
        old = folder.with_name(folder.name + ".old")
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
        temporary.rename(folder)
        shutil.rmtree(old)
    else:
        temporary.rename(folder)
