"""The course of a training run: updates, and now and then an evaluation and a checkpoint."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from unspoken.train.evaluate import Evaluation
from unspoken.train.ppo import PPO


class Run(Protocol):
    """Where a run is written (see ``unspoken.train.run_folder``)."""

    def log(self, row: dict[str, float]) -> None:
        """Add the measurements of an update."""

    def save(self, ppo: PPO, win_rate: float | None) -> Path | None:
        """Write a checkpoint from which the run can go on."""

    def save_best(self, ppo: PPO, evaluation: Evaluation) -> None:
        """Write the policy if it is the best so far."""


def train(
    ppo: PPO,
    run: Run,
    *,
    report: Callable[[dict[str, float]], None] = lambda row: None,
    stop: Callable[[], bool] = lambda: False,
) -> float | None:
    """Train until ``total_steps``, ``target`` or ``stop()``, with a checkpoint at the end.

    Args:
        ppo: a new run or a restored one.
        run: where measurements and checkpoints go.
        report: called after every update with its measurements; ``win_rate`` and ``score`` are there after an
            evaluation.
        stop: asked after every update.

    Returns:
        The win rate of the last evaluation, ``None`` if there was none.

    Raises:
        TrainingDivergedError: see ``PPO.update``; the last checkpoint is from before.
    """
    config = ppo.config
    win_rate = None
    while ppo.steps < config.total_steps:
        before = ppo.steps
        row = ppo.update()
        finished = ppo.steps >= config.total_steps
        if finished or before // config.evaluate_every < ppo.steps // config.evaluate_every:
            evaluation = ppo.processes.from_first(ppo.evaluate)
            row["win_rate"] = win_rate = evaluation.win_rate
            row["score"] = evaluation.score
            run.save_best(ppo, evaluation)
            finished |= config.target is not None and win_rate >= config.target
        run.log(row)
        report(row)
        finished |= ppo.processes.from_first(stop)
        if finished or before // config.checkpoint_every < ppo.steps // config.checkpoint_every:
            run.save(ppo, win_rate)
        if finished:
            break
    return win_rate
