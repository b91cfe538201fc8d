"""Proximal policy optimisation (PPO) for silent teams, to be read from top to bottom.

All seats share one network. A game is one stream of decisions, made by whoever is to act: the value of the
position after a decision is what the next seat thinks of it, and since the reward is the team's, the
advantage of a decision is estimated along that stream. A batch of games is played on the CPU by the compiled
engine; a byte a feature is stored, and the network expands them.
"""

import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from numba import njit
from torch import Tensor

from unspoken.agents.checkpoint import PolicyDescription
from unspoken.agents.item_network import NETWORKS
from unspoken.agents.learned import LearnedAgent
from unspoken.agents.policy import PolicyNetwork, masked
from unspoken.envs import make_vec
from unspoken.envs.engine.threads import Team, available_cores
from unspoken.train.config import TrainConfig
from unspoken.train.evaluate import Evaluation, evaluate

EVALUATION_SEEDS = 2**32
"""Added to a run's seed, which is smaller, for the deals of its evaluations: it never trains on them."""

MOST_THREADS = 8
"""By default; a small network gains nothing from more."""


class TrainingDivergedError(ArithmeticError):
    """A loss or a gradient is not a finite number, so the weights are lost."""


class PPO:
    """One training run in memory. After equal configurations and numbers of updates, equal to the last bit.

    Attributes:
        config: the settings, with ``precision`` and ``threads`` chosen.
        policy: the network. optimizer: its Adam.
        vec: the games. steps: decisions trained on so far. seconds: spent on them.
    """

    def __init__(self, config: TrainConfig) -> None:
        precision = config.precision if config.precision != "auto" else fast_precision()
        threads = config.threads or min(available_cores(), MOST_THREADS)
        self.config = config = config.model_copy(update={"precision": precision, "threads": threads})
        # A minibatch is cut into one part a thread, which costs less than torch's cutting of every operation.
        torch.set_num_threads(1)
        self._players = Team(threads, config.num_envs)
        self._learners = Team(threads, config.num_envs * config.rollout_steps // config.minibatches)
        # Of one update: everything the decisions of `rollout_steps` steps in `num_envs` games are learned
        # from.
        self.vec = vec = make_vec(config.task, config.num_envs, seed=config.seed, **config.game)
        steps, games = config.rollout_steps, config.num_envs
        self._features = np.zeros((steps, games, vec.layout.size), np.int8)
        self._mask = np.zeros((steps, games, vec.n_actions), np.int8)
        self._action = np.zeros((steps, games), np.int64)
        self._log_probability = np.zeros((steps, games), np.float32)
        self._value = np.zeros((steps + 1, games), np.float32)
        self._reward = np.zeros((steps, games), np.float32)
        self._done = np.zeros((steps, games), np.bool_)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            network = NETWORKS[config.network]
            self.policy: PolicyNetwork = network(vec.layout, vec.game.items, config.hidden, precision)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), eps=1e-5, fused=True)
        self.random = torch.Generator().manual_seed(config.seed)
        self.steps = 0
        self.seconds = 0.0
        vec.reset()

    def update(self) -> dict[str, float]:
        """Play, estimate, learn; returns the measurements of this update by name.

        Raises:
            TrainingDivergedError: the loss or its gradient is not finite.
        """
        started = time.perf_counter()
        progress = self.steps / self.config.total_steps
        rates = {
            name: getattr(self.config, name).at(progress) for name in ("learning_rate", "entropy", "shaping")
        }
        games, wins, progressed = self._play(rates["shaping"])
        advantage = self._estimate_advantages()
        learned = self._learn(advantage, rates["learning_rate"], rates["entropy"])
        self.steps += self._action.size
        seconds = time.perf_counter() - started
        self.seconds += seconds
        return {
            "steps": self.steps,
            "seconds": self.seconds,
            "steps_per_second": self._action.size / seconds,
            "train_win_rate": wins / games if games else math.nan,
            "train_progress": progressed / games if games else math.nan,
            **learned,
            **{f"schedule_{name}": value for name, value in rates.items()},
        }

    def _play(self, shaping: float) -> tuple[int, int, float]:
        """Fill the arrays with the next decisions of every game.

        Returns games finished, games won, and the sum of all progress / largest potential.
        """
        vec = self.vec
        games = wins = 0
        progressed = 0.0
        for step in range(self.config.rollout_steps):
            self._features[step] = vec.features
            self._mask[step] = vec.mask
            uniform = torch.rand(self.config.num_envs, generator=self.random).numpy()
            self._players.run(partial(self._decide, step, uniform))
            vec.step(self._action[step])
            progress = vec.progress / np.float32(vec.config.max_potential)
            self._reward[step] = vec.reward + shaping * progress
            self._done[step] = vec.done
            games += int(vec.done.sum())
            wins += int((vec.score[vec.done.astype(np.bool_)] >= vec.game.max_score).sum())
            progressed += float(progress.sum())
        with torch.inference_mode():
            self._value[-1] = self.policy(self.policy.expand(vec.features))[1]
        return games, wins, progressed

    @torch.inference_mode()
    def _decide(self, step: int, uniform: npt.NDArray[np.float32], start: int, stop: int) -> None:
        """Draw the actions of games ``start`` .. ``stop - 1``, with a number in 0..1 for each."""
        part = slice(start, stop)
        logits, value = self.policy(self.policy.expand(self._features[step, part]))
        log_probabilities = masked(logits, torch.from_numpy(self._mask[step, part])).log_softmax(1)
        action = self._action[step, part]
        draw_actions(log_probabilities.numpy(), uniform[part], action)
        chosen = log_probabilities.gather(1, torch.from_numpy(action)[:, None])[:, 0]
        self._log_probability[step, part] = chosen
        self._value[step, part] = value

    def _estimate_advantages(self) -> npt.NDArray[np.float32]:
        """``(rollout_steps, num_envs)``: generalised advantage estimates, without discount."""
        advantage = np.zeros_like(self._reward)
        following = np.zeros(self.config.num_envs, np.float32)
        for step in reversed(range(self.config.rollout_steps)):
            goes_on = ~self._done[step]
            surprise = self._reward[step] + goes_on * self._value[step + 1] - self._value[step]
            following = surprise + self.config.gae_lambda * goes_on * following
            advantage[step] = following
        return advantage

    def _learn(
        self, advantage: npt.NDArray[np.float32], learning_rate: float, entropy_weight: float
    ) -> dict[str, float]:
        """Gradient steps on the decisions in the arrays; returns means over them."""
        config, policy = self.config, self.policy
        features = self._features.reshape(-1, self._features.shape[-1])
        mask = torch.from_numpy(self._mask).flatten(0, 1)
        action = torch.from_numpy(self._action).flatten()
        old_log_probability = torch.from_numpy(self._log_probability).flatten()
        target_value = torch.from_numpy(advantage + self._value[:-1]).flatten()
        scaled = torch.from_numpy(advantage).flatten()
        scaled = (scaled - scaled.mean()) / (scaled.std() + 1e-8)
        parameters = list(policy.parameters())

        def learn_from(rows: Tensor, gradients: dict[int, Any], start: int, stop: int) -> None:
            part = rows[start:stop]
            # Several times faster than the same with [part].
            chosen_mask = mask.index_select(0, part)
            chosen = action.index_select(0, part)
            advantages = scaled.index_select(0, part)
            logits, value = policy(policy.expand(features, part.numpy()))
            log_probabilities = masked(logits, chosen_mask).log_softmax(1)
            log_probability = log_probabilities.gather(1, chosen[:, None])[:, 0]
            entropy = -(log_probabilities.softmax(1) * log_probabilities).sum(1).mean()
            log_ratio = log_probability - old_log_probability.index_select(0, part)
            ratio = log_ratio.exp()
            clipped = ratio.clamp(1.0 - config.clip, 1.0 + config.clip)
            policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
            value_loss = (value - target_value.index_select(0, part)).square().mean()
            loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy
            share = len(part) / len(rows)
            kl = (ratio - 1.0 - log_ratio).mean()
            measured = torch.stack([loss, policy_loss, value_loss, entropy, kl]).detach()
            gradients[start] = (torch.autograd.grad(share * loss, parameters), share * measured)

        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        measurements = []
        for _ in range(config.epochs):
            order = torch.randperm(len(action), generator=self.random)
            for rows in order.chunk(config.minibatches):
                parts: dict[int, Any] = {}
                self._learners.run(partial(learn_from, rows, parts))
                # Added up in the order of the parts, so that a run is the same every time.
                gradients, measured = zip(*(parts[start] for start in sorted(parts)), strict=True)
                for parameter, *shares in zip(parameters, *gradients, strict=True):
                    parameter.grad = sum(shares[1:], shares[0])
                norm = torch.nn.utils.clip_grad_norm_(parameters, config.max_grad_norm, foreach=True)
                self.optimizer.step()
                measurements.append(torch.cat([sum(measured[1:], measured[0]), norm[None]]))
        means = torch.stack(measurements).mean(0).tolist()
        if not all(map(math.isfinite, means)):
            raise TrainingDivergedError(f"loss {means[0]}, gradient {means[-1]} after {self.steps} decisions")
        names = ("loss", "policy_loss", "value_loss", "entropy", "kl", "gradient_norm")
        return dict(zip(names, means, strict=True))

    def agent(self, name: str = "training") -> LearnedAgent:
        """The policy as it is now, at the table."""
        return LearnedAgent(self.policy, self.describe(), name)

    def describe(self, **training: Any) -> PolicyDescription:
        """What the policy is; ``training`` goes into the description."""
        return PolicyDescription.of(self.policy, self.vec.game, training)

    def evaluate(self) -> Evaluation:
        """Held-out games of the team, in which every seat plays its most probable action."""
        config = self.config
        seed = EVALUATION_SEEDS + config.seed
        return evaluate(config.task, self.agent(), config.evaluate_games, seed, **config.game)

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything but the policy's weights that the next updates depend on: tensors, and plain numbers."""
        tensors = {"random": self.random.get_state()}
        for index, moments in self.optimizer.state_dict()["state"].items():
            tensors |= {f"adam.{index}.{name}": tensor for name, tensor in moments.items()}
        for name, array in self.vec.get_state().items():
            tensors[f"games.{name}"] = torch.from_numpy(array.view(np.uint8).reshape(len(array), -1).copy())
        return tensors, {"steps": self.steps, "seconds": self.seconds}

    def restore(self, weights: dict[str, Tensor], tensors: dict[str, Tensor], plain: dict[str, Any]) -> None:
        """Go back to a saved policy and ``state()``.

        Raises:
            KeyError, RuntimeError, ValueError: they are not of a run with this configuration.
        """
        self.policy.load_state_dict(weights)
        self.random.set_state(tensors["random"])
        saved = self.optimizer.state_dict()
        for name, tensor in tensors.items():
            if name.startswith("adam."):
                _, index, moment = name.split(".")
                saved["state"].setdefault(int(index), {})[moment] = tensor
        self.optimizer.load_state_dict(saved)
        games = {}
        for name, like in self.vec.get_state().items():
            games[name] = tensors[f"games.{name}"].numpy().reshape(-1).view(like.dtype)
        self.vec.set_state(games)
        self.steps = plain["steps"]
        self.seconds = plain["seconds"]


class Run(Protocol):
    """Where a run is written (see ``unspoken.train.run_folder``)."""

    def log(self, row: dict[str, float]) -> None:
        """Add the measurements of an update."""

    def save(self, ppo: PPO, win_rate: float | None) -> Path:
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
            evaluation = ppo.evaluate()
            row["win_rate"] = win_rate = evaluation.win_rate
            row["score"] = evaluation.score
            run.save_best(ppo, evaluation)
            finished |= config.target is not None and win_rate >= config.target
        run.log(row)
        report(row)
        finished |= stop()
        if finished or before // config.checkpoint_every < ppo.steps // config.checkpoint_every:
            run.save(ppo, win_rate)
        if finished:
            break
    return win_rate


@njit(cache=True, nogil=True)
def draw_actions(log_probabilities, uniform, actions):  # type: ignore[no-untyped-def]
    """Draw an action for each row of ``(m, A)``, with a number in 0..1 for each, into ``actions``."""
    for row in range(uniform.shape[0]):
        left = uniform[row]
        for action in range(log_probabilities.shape[1]):
            probability = np.exp(log_probabilities[row, action])
            if probability > 0.0:
                # Kept if rounding leaves something over at the end.
                actions[row] = action
                left -= probability
                if left < 0.0:
                    break


def fast_precision() -> str:
    """``"bfloat16"`` on a processor with matrix instructions for it (Intel AMX), else ``"float32"``."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "float32"
    return "bfloat16" if "amx_bf16" in flags else "float32"
