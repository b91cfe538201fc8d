"""The same tasks with RLlib: PPO with action masks on Ray, evaluated by the same evaluator.

::

    python -m unspoken.train.rllib_ppo syzygy-base5-3p
    python -m unspoken.train.rllib_ppo syzygy-base-4p env_runners=16 ray=auto folder=runs/rllib
    unspoken evaluate syzygy-base-4p --seats runs/rllib --games 10000

The games are played by ``env_runners`` processes on the machines of the Ray cluster, one policy in all seats.
The run's folder holds ``settings.json``, ``progress.csv``, the policy as ``policy.safetensors`` and
``policy.json`` (the format of our own checkpoints), and ``evaluation.json``. Scores and win rates are the
team's; RLlib's own return is a sum over the seats.
"""

import csv
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch

from unspoken.agents.checkpoint import POLICY, PolicyDescription, save_policy
from unspoken.agents.learned import LearnedAgent
from unspoken.envs import make_game
from unspoken.train.evaluate import Evaluation, describe_score, evaluate
from unspoken.train.ray_tasks import AUTO, connect
from unspoken.train.text import parse_settings, percent
from unspoken.train.torch_threads import choose_torch_threads

TEAM = "team"
"""RLlib's name of the one policy."""

COLUMNS = ("timesteps", "seconds", "team_score", "team_win_rate", "entropy", "eval_win_rate", "eval_score")


@dataclass(frozen=True)
class Settings:
    """What can be set as key=value.

    Attributes:
        timesteps: decisions to learn from. seed: of the deals, the network and the draws.
        folder: of the run; ``None``: ``runs/rllib-TASK-SEED``.
        ray: address of the cluster; ``"auto"``: the one that runs, else this machine.
        reward: ``"shaped"`` adds the potential-based term, which helps early and leaves the best policy
            unchanged.
        env_runners: processes that play; 0: the learning one plays. num_envs: games in each of them.
        batch_size: decisions between two updates. minibatch_size, n_epochs, learning_rate (falls to 0),
            ent_coef, gae_lambda: of PPO.
        width: of the two hidden layers. threads: of torch where it learns; 0: chosen.
        eval_games: games of every evaluation. eval_every: updates between two evaluations.
        target: stop when an evaluation wins this share of its games.
    """

    timesteps: int = 500_000
    seed: int = 0
    folder: str | None = None
    ray: str = AUTO
    reward: str = "shaped"
    env_runners: int = 0
    num_envs: int = 64
    batch_size: int = 4096
    minibatch_size: int = 512
    n_epochs: int = 4
    learning_rate: float = 1e-3
    ent_coef: float = 0.005
    gae_lambda: float = 0.95
    width: int = 256
    threads: int = 0
    eval_games: int = 2000
    eval_every: int = 10
    target: float = 1.0

    @classmethod
    def parse(cls, pairs: Sequence[str]) -> "Settings":
        """Read key=value pairs.

        Raises:
            ValueError, TypeError: an unknown key, or a value of another type; the message says what is
            allowed.
        """
        return cls(**parse_settings(asdict(cls()), pairs, ("seed", "threads", "env_runners")))


def make_algorithm(task: str, settings: Settings) -> Any:
    """RLlib's PPO (an ``Algorithm``) on games of ``task``, with the given settings.

    Raises:
        ImportError: Ray or a part of it is not installed. ValueError: there is no such cluster.
    """
    connect(settings.ray)
    try:
        from ray.rllib.algorithms.ppo import PPOConfig

        from unspoken.train.adapters.rllib import RLlibEnv, TeamModule, TeamScore
    except ModuleNotFoundError as error:
        raise ImportError(f"RLlib needs {error.name}: pip install 'unspoken[ray]'") from None
    spec = TeamModule.spec(task, hidden=(settings.width, settings.width))
    environment = {"task": task, "observation": "compact", "reward": settings.reward}
    config = (
        PPOConfig()
        .environment(RLlibEnv, env_config=environment, disable_env_checking=True)
        .env_runners(num_env_runners=settings.env_runners, num_envs_per_env_runner=settings.num_envs)
        .multi_agent(policies={TEAM}, policy_mapping_fn=lambda agent, episode, **ignored: TEAM)
        .rl_module(rl_module_spec=spec)
        .callbacks(TeamScore)
        .debugging(seed=settings.seed, log_level="ERROR")
        .training(
            lr=[[0, settings.learning_rate], [settings.timesteps, 0.0]],
            train_batch_size_per_learner=settings.batch_size,
            minibatch_size=settings.minibatch_size,
            num_epochs=settings.n_epochs,
            gamma=1.0,
            lambda_=settings.gae_lambda,
            entropy_coeff=settings.ent_coef,
            use_kl_loss=False,
            clip_param=0.2,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
        )
    )
    return config.build_algo()


def make_agent(algorithm: Any, task: str, name: str, **training: Any) -> LearnedAgent:
    """The policy of an algorithm as it is now, at the table; ``training`` goes into its description."""
    network = algorithm.get_module(TEAM).network
    return LearnedAgent(network, PolicyDescription.of(network, make_game(task), training), name)


def train(task: str, settings: Settings | None = None) -> Evaluation:
    """Train a team, save it, and evaluate it over 10,000 games.

    Raises:
        ValueError, TypeError: unknown task, or a setting that is not allowed.
        ImportError: Ray or a part of it is not installed.
    """
    settings = settings or Settings()
    make_game(task, reward=settings.reward)
    torch.set_num_threads(choose_torch_threads(settings.threads or None))
    folder = Path(settings.folder or f"runs/rllib-{task}-{settings.seed}")
    algorithm = make_algorithm(task, settings)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({"task": task, **asdict(settings)}, indent=2) + "\n")
    started = time.perf_counter()
    timesteps = _learn(algorithm, task, settings, folder)
    seconds = time.perf_counter() - started
    agent = make_agent(algorithm, task, str(folder), library="RLlib", settings=asdict(settings))
    save_policy(folder / POLICY, agent.policy, agent.description)
    result = evaluate(task, agent, 10_000, seed=2)
    algorithm.stop()
    report = {
        **result.as_dict(),
        "timesteps": timesteps,
        "train_seconds": seconds,
        "samples_per_second": timesteps / seconds,
    }
    (folder / "evaluation.json").write_text(json.dumps(report, indent=2) + "\n")
    return result


def _learn(algorithm: Any, task: str, settings: Settings, folder: Path) -> int:
    """Update until the time or the target is reached; returns the number of decisions learned from."""
    timesteps = updates = 0
    started = time.perf_counter()
    with (folder / "progress.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        while timesteps < settings.timesteps:
            result = algorithm.train()
            played = result["env_runners"]
            timesteps = int(played["num_env_steps_sampled_lifetime"])
            updates += 1
            row = {
                "timesteps": timesteps,
                "seconds": round(time.perf_counter() - started, 1),
                # No game may have ended yet.
                "team_score": played.get("team_score", ""),
                "team_win_rate": played.get("team_win_rate", ""),
                "entropy": result["learners"][TEAM]["entropy"],
            }
            if updates % settings.eval_every == 0:
                evaluation = evaluate(
                    task, make_agent(algorithm, task, "training"), settings.eval_games, seed=1
                )
                row |= {"eval_win_rate": evaluation.win_rate, "eval_score": evaluation.score}
                won = percent(evaluation.win_rate)
                print(f"{timesteps:>13,} decisions  {row['seconds']:7.1f} s  won {won:>7}", flush=True)
            writer.writerow(row)
            file.flush()
            if row.get("eval_win_rate", 0.0) >= settings.target:
                break
    return timesteps


def main(argv: Sequence[str] | None = None) -> int:
    """``python -m unspoken.train.rllib_ppo TASK [key=value ...]``; exit code 2 for a wrong request."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        print("settings: " + ", ".join(f"{field.name}={field.default}" for field in fields(Settings)))
        return 0 if arguments else 2
    try:
        result = train(arguments[0], Settings.parse(arguments[1:]))
    except (ValueError, TypeError, ImportError) as error:
        print(f"rllib_ppo: {error}", file=sys.stderr)
        return 2
    levels = f"; {describe_score(result)}" if result.max_score > 1 else ""
    print(
        f"{result.task}: won {result.wins} of {result.games} games, {percent(result.win_rate)}, "
        f"95% interval {percent(result.low)} to {percent(result.high)}{levels}; saved as {result.seats[0]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
