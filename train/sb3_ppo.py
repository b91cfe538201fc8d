"""The same tasks with Stable-Baselines3: ``MaskablePPO``, evaluated by the same evaluator.

::

    python -m unspoken.train.sb3_ppo syzygy-base5-3p
    python -m unspoken.train.sb3_ppo syzygy-base-4p timesteps=20_000_000 seed=1 folder=runs/sb3
    unspoken evaluate syzygy-base-4p --seats runs/sb3/model.zip --games 10000

The run's folder holds ``settings.json``, ``progress.csv``, TensorBoard's files, ``model.zip`` and
``evaluation.json``.
"""

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from unspoken.agents.sb3_agent import OneHotExtractor, SB3Agent, note_game
from unspoken.envs import task_config
from unspoken.train.adapters.sb3 import make_sb3
from unspoken.train.evaluate import Evaluation, describe_score, evaluate
from unspoken.train.text import parse_settings, percent
from unspoken.train.torch_threads import choose_torch_threads


@dataclass(frozen=True)
class Settings:
    """What can be set as key=value.

    Attributes:
        timesteps: decisions to learn from. seed: of the deals, the network and the draws.
        folder: of the run; ``None``: ``runs/sb3-TASK-SEED``.
        reward: ``"shaped"`` adds the potential-based term, which helps early and leaves the best policy
            unchanged.
        num_envs: games side by side. n_steps: decisions in each of them between two updates.
        batch_size, n_epochs, learning_rate (falls to 0), ent_coef, gae_lambda: of PPO.
        width: of the two hidden layers. threads: of torch and the engine; 0: chosen.
        eval_games: games of every evaluation. eval_every: updates between two evaluations.
        target: stop when an evaluation wins this share of its games.
    """

    timesteps: int = 3_000_000
    seed: int = 0
    folder: str | None = None
    reward: str = "shaped"
    num_envs: int = 256
    n_steps: int = 32
    batch_size: int = 1024
    n_epochs: int = 3
    learning_rate: float = 1e-3
    ent_coef: float = 0.005
    gae_lambda: float = 0.95
    width: int = 256
    threads: int = 0
    eval_games: int = 2000
    eval_every: int = 50
    target: float = 1.0

    @classmethod
    def parse(cls, pairs: Sequence[str]) -> "Settings":
        """Read key=value pairs.

        Raises:
            ValueError, TypeError: an unknown key, or a value of another type; the message says what is
            allowed.
        """
        return cls(**parse_settings(asdict(cls()), pairs, ("seed", "threads")))


class _Evaluate(BaseCallback):
    """Plays the most likely actions now and then, and stops at the target."""

    def __init__(self, task: str, settings: Settings) -> None:
        super().__init__()
        self._task = task
        self._settings = settings
        self._updates = 0
        self._reached = False

    def _on_rollout_start(self) -> None:
        if self._updates and self._updates % self._settings.eval_every == 0:
            assert isinstance(self.model, MaskablePPO)
            result = evaluate(self._task, SB3Agent(self.model), self._settings.eval_games, seed=1)
            self.logger.record("eval/win_rate", result.win_rate)
            self.logger.record("eval/score", result.score)
            self._reached = result.win_rate >= self._settings.target
        self._updates += 1

    def _on_step(self) -> bool:
        return not self._reached


def set_torch_threads(settings: Settings) -> None:
    """Let torch compute on as many threads as the settings say."""
    torch.set_num_threads(choose_torch_threads(settings.threads or None))


def make_model(task: str, settings: Settings) -> MaskablePPO:
    """A new ``MaskablePPO`` on games of ``task``, with the given settings."""
    env = make_sb3(
        task,
        settings.num_envs,
        seed=settings.seed,
        observation="compact",
        reward=settings.reward,
        threads=settings.threads or None,
    )
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=lambda remaining: remaining * settings.learning_rate,
        n_steps=settings.n_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        gamma=1.0,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.ent_coef,
        seed=settings.seed,
        device="cpu",
        policy_kwargs={
            "features_extractor_class": OneHotExtractor,
            "features_extractor_kwargs": {"features_dim": settings.width},
            "net_arch": [settings.width],
            "activation_fn": torch.nn.ReLU,
        },
    )
    note_game(model, env.vec.game)
    return model


def train(task: str, settings: Settings | None = None) -> Evaluation:
    """Train a team, save it, and evaluate it over 10,000 games.

    Raises:
        ValueError, TypeError: unknown task, or a setting that is not allowed.
    """
    settings = settings or Settings()
    task_config(task)
    set_torch_threads(settings)
    folder = Path(settings.folder or f"runs/sb3-{task}-{settings.seed}")
    model = make_model(task, settings)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({"task": task, **asdict(settings)}, indent=2) + "\n")
    model.set_logger(configure(str(folder), ["stdout", "csv", "tensorboard"]))
    started = time.perf_counter()
    model.learn(settings.timesteps, callback=_Evaluate(task, settings))
    seconds = time.perf_counter() - started
    model.save(folder / "model.zip")
    result = evaluate(task, SB3Agent(model, str(folder / "model.zip")), 10_000, seed=2)
    report = {
        **result.as_dict(),
        "timesteps": model.num_timesteps,
        "train_seconds": seconds,
        "samples_per_second": model.num_timesteps / seconds,
    }
    (folder / "evaluation.json").write_text(json.dumps(report, indent=2) + "\n")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """``python -m unspoken.train.sb3_ppo TASK [key=value ...]``; exit code 2 for a wrong request."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        print("settings: " + ", ".join(f"{field.name}={field.default}" for field in fields(Settings)))
        return 0 if arguments else 2
    try:
        result = train(arguments[0], Settings.parse(arguments[1:]))
    except (ValueError, TypeError) as error:
        print(f"sb3_ppo: {error}", file=sys.stderr)
        return 2
    levels = f"; {describe_score(result)}" if result.max_score > 1 else ""
    print(
        f"{result.task}: won {result.wins} of {result.games} games, {percent(result.win_rate)}, "
        f"95% interval {percent(result.low)} to {percent(result.high)}{levels}; saved as {result.seats[0]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
