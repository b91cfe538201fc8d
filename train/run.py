"""Train a team with PPO: unspoken train TASK|CONFIG|RUN [key=value ...].

  unspoken train syzygy-base5-3p
  unspoken train syzygy-base-4p seed=1 learning_rate.start=1e-3 --folder runs/mine
  unspoken train my.yaml total_steps=2e6
  unspoken train runs/mine                 go on with a run that was stopped

Ctrl-C saves a checkpoint and stops. A run that goes on ends with the same weights as one that was never
stopped, on the same processor with the same number of threads; with partners, or in several processes, it
goes on with new games.

Several processes or GPUs share a run when torchrun starts it:

  torchrun --nproc-per-node=2 -m unspoken.train.cli train syzygy-base-4p
"""

import argparse
import json
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from unspoken.train.allocation import keep_freed_memory
from unspoken.train.config import TrainConfig, config_names, load_config
from unspoken.train.loop import train
from unspoken.train.ppo import PPO, TrainingDivergedError
from unspoken.train.processes import Processes
from unspoken.train.progress import TrainingProgress
from unspoken.train.run_folder import is_run, load_run_config, open_run
from unspoken.train.text import percent


def run_training(config: TrainConfig, folder: Path, command: str) -> tuple[PPO, float | None]:
    """Train in ``folder``, from the start or from its last checkpoint; returns the run and its last win rate.

    Raises:
        ValueError: the folder holds something else. CheckpointError: its checkpoint is damaged.
        TrainingDivergedError: a loss was not finite; the message names the last good checkpoint.
        KeyboardInterrupt: Ctrl-C; the run has been saved.
    """
    keep_freed_memory()
    ppo = PPO(config)
    with open_run(folder, ppo, command) as run, _stopped_by_ctrl_c() as stop:
        with TrainingProgress(config.task, config.total_steps, ppo.steps, shown=run.leads) as progress:
            try:
                win_rate = train(ppo, run, report=progress.report, stop=lambda: bool(stop))
            except TrainingDivergedError as error:
                last = run.last_checkpoint()
                kept = f"the last good checkpoint is {last}" if last else "there is no checkpoint yet"
                raise TrainingDivergedError(f"training diverged: {error}; {kept}") from None
        if stop and run.leads:
            print(f"saved {run.last_checkpoint()}; to go on: unspoken train {shlex.quote(str(folder))}")
        if stop:
            raise KeyboardInterrupt
    return ppo, win_rate


@contextmanager
def _stopped_by_ctrl_c() -> Iterator[list[bool]]:
    """A list that is empty until Ctrl-C asks to stop after the update; a second Ctrl-C stops at once."""
    asked: list[bool] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(True)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def choose_folder(name: str, config: TrainConfig) -> Path:
    """``runs/NAME-seedS``, with a number behind it if that is taken."""
    base = Path("runs") / f"{Path(name).stem if name.endswith(('.yaml', '.yml')) else name}-seed{config.seed}"
    folder, count = base, 1
    while folder.exists():
        count += 1
        folder = base.with_name(f"{base.name}-{count}")
    return folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken train``."""
    parser.add_argument(
        "name",
        metavar="TASK|CONFIG|RUN",
        help=f"a task, a .yaml file, the folder of a stopped run, or one of {', '.join(config_names())}",
    )
    parser.add_argument(
        "settings",
        nargs="*",
        metavar="KEY=VALUE",
        help="changed settings (see unspoken.train.config.TrainConfig)",
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="of the run (default: runs/NAME-seedS)")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken train``."""
    command = "unspoken train " + shlex.join([arguments.name, *arguments.settings])
    if is_run(Path(arguments.name)):
        _refuse(arguments.settings, arguments.folder)
        folder = Path(arguments.name)
        config = load_run_config(folder)
    else:
        config = load_config(arguments.name, arguments.settings)
        folder = arguments.folder or Processes().from_first(lambda: choose_folder(arguments.name, config))
        if arguments.folder:
            command += f" --folder {shlex.quote(str(folder))}"
    try:
        ppo, win_rate = run_training(config, folder, command)
    except TrainingDivergedError as error:
        print(f"unspoken train: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    if ppo.processes.rank > 0:
        return
    won = "" if win_rate is None else f", won {percent(win_rate)} of {config.evaluate_games} held-out games"
    print(f"{ppo.steps:,} decisions in {ppo.seconds:.0f} s{won}")
    print(f"{folder}: config.yaml, metrics.csv, tensorboard/, checkpoints/")
    played = [
        f"{key}={json.dumps(value)}" if isinstance(value, bool) else f"{key}={value}"
        for key, value in config.game.items()
    ]
    settings = f" --set {shlex.join(played)}" if played else ""
    print(f"next: unspoken evaluate {config.task} --seats {shlex.quote(str(folder))} --games 10000{settings}")


def _refuse(settings: Sequence[str], folder: Path | None) -> None:
    if settings or folder:
        raise ValueError(
            "a run goes on with its own settings in its own folder; leave out key=value and --folder"
        )
