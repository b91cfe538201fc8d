"""Proximal policy optimisation (PPO) for silent teams, to be read from top to bottom.

All seats share one network. A game is one stream of decisions, made by whoever is to act: the value of the
position after a decision is what the next seat thinks of it, and since the reward is the team's, the
advantage of a decision is estimated along that stream. A byte a feature is stored, and the network expands
them. Switches of the configuration add

- a central critic (``critic``): values come from a second network that sees every card, as in MAPPO;
- a memory (``memory``): each seat carries a vector from one of its decisions to the next;
- Other-Play (``other_play``): each seat sees each game through a symmetry of its own (``other_play.py``);
- partners (``partners``): some seats of some games are others' (``partners.py``), and only the rest learns;
- several processes (``processes.py``), when ``torchrun`` starts them.
"""

import math
import time
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from unspoken.agents.checkpoint import PolicyDescription
from unspoken.agents.item_network import NETWORKS
from unspoken.agents.learned import LearnedAgent
from unspoken.agents.policy import PolicyNetwork
from unspoken.envs import make_vec
from unspoken.envs.engine.threads import Team
from unspoken.train.config import TrainConfig
from unspoken.train.evaluate import Evaluation, evaluate
from unspoken.train.learner import Learner, flat
from unspoken.train.machine import choose_device, choose_precision, choose_threads
from unspoken.train.other_play import OtherPlay
from unspoken.train.partners import Partners
from unspoken.train.ppo_loss import MEASURED, Decisions, LossWeights, draw_actions, loss_gradient
from unspoken.train.processes import Processes
from unspoken.train.record import Record
from unspoken.train.replayed import Replayed

EVALUATION_SEEDS = 2**32
"""Added to a run's seed, which is smaller, for the deals of its evaluations: it never trains on them."""

SIDE_SEEDS = 2**40
"""Added to a run's seed for symmetries and partners, apart from the draws of actions."""


class TrainingDivergedError(ArithmeticError):
    """A loss or a gradient is not a finite number, so the weights are lost."""


class PPO:
    """One training run in memory. After equal configurations and numbers of updates, equal to the last bit.

    Attributes:
        config: the settings, with ``precision`` and ``threads`` chosen.
        policy: the network. learner: its weights and their optimiser.
        vec: the games. steps: decisions trained on so far. seconds: spent on them.
        processes: the processes that share the work.
    """

    def __init__(self, config: TrainConfig) -> None:
        device = choose_device(config.device)
        if device != "cpu":
            torch.cuda.set_device(device)
        chosen: dict[str, Any] = {
            "precision": choose_precision(config.precision, device),
            "threads": choose_threads(config.threads, device),
        }
        self.config = config = config.model_copy(update=chosen)
        # A minibatch is cut into one part a thread, which costs less than torch's cutting of every operation.
        torch.set_num_threads(1)
        self.steps = 0
        self.seconds = 0.0
        self.processes = Processes()
        games = self.processes.share(config.num_envs, "num_envs")
        self._first = self.processes.rank * games
        self.vec = vec = make_vec(
            config.task, games, seed=config.seed, device=device, backend="torch", **config.game
        )
        self._deal(config.seed)
        self._record = Record(config.rollout_steps, vec, config.critic == "central", config.memory)
        self._memory = self._record.memory.clone()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            kind = NETWORKS[config.network]
            self.policy: PolicyNetwork = kind(vec.layout, vec.game.items, config.hidden, config.memory)
            networks: dict[str, PolicyNetwork] = {"policy": self.policy}
            if config.critic == "central":
                networks["critic"] = kind(vec.layout, vec.game.items, config.hidden)
        for network in networks.values():
            network.to(device)
        self.learner = Learner(networks, chosen["precision"], config.max_grad_norm, self.processes)
        self._policy = self.learner.computing["policy"]
        self._critic = self.learner.computing.get("critic")
        self._threads = chosen["threads"]
        self._players = Team(self._threads, games)
        self._learners = Team(self._threads, self._threads)
        self.random = torch.Generator(device).manual_seed(config.seed)
        self._other_play = OtherPlay(vec, self._own_seed()) if config.other_play else None
        self._partners: Partners | None = None
        if config.partners:
            self._partners = Partners(vec, config.partners, config.partner_share, self._own_seed())
        self._shaping = torch.zeros((), device=device)
        self._counts = torch.zeros(3, dtype=torch.float64, device=device)
        generators = [self.random, *([self._other_play.random] if self._other_play else [])]
        # Partners compute on the CPU, so with them the work differs from call to call.
        self._stretch = Replayed(self._play_stretch, "cpu" if self._partners else device, generators)

    def _own_seed(self) -> int:
        """Of what this process draws besides deals and actions; another one where a run goes on."""
        return SIDE_SEEDS + self.config.seed + self.steps + self._first

    def _deal(self, seed: int) -> None:
        """Deal new games: of all games of ``seed``, this process plays those from ``_first`` on."""
        self.vec.reset(seed)
        if self.processes.count > 1:
            saved = self.vec.get_state()
            saved["states"]["slot"] += np.uint64(self._first)
            saved["states"]["episode"] = 0
            self.vec.set_state(saved)
            self.vec.reset()

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
        learned = self._learn(rates["learning_rate"], rates["entropy"])
        decisions = self._record.size * self.processes.count
        self.steps += decisions
        seconds = time.perf_counter() - started
        self.seconds += seconds
        return {
            "steps": self.steps,
            "seconds": self.seconds,
            "steps_per_second": decisions / seconds,
            "train_win_rate": wins / games if games else math.nan,
            "train_progress": progressed / games if games else math.nan,
            **learned,
            **{f"schedule_{name}": value for name, value in rates.items()},
        }

    def _play(self, shaping: float) -> list[float]:
        """Record the next decisions of every game.

        Returns games finished, games won, and the sum of all progress / largest potential.
        """
        self._shaping.fill_(shaping)
        self._counts.zero_()
        self._stretch()
        return self.processes.add_up(self._counts).tolist()

    @torch.no_grad()
    def _play_stretch(self) -> None:
        vec, record = self.vec, self._record
        record.memory.copy_(self._memory)
        for step in range(self.config.rollout_steps):
            record.features[step], record.player[step], revealed = self._look()
            if record.revealed is not None:
                record.revealed[step] = revealed
            if self._other_play is None:
                record.mask[step] = vec.mask
            else:
                record.mask[step] = self._other_play.mask(vec.mask, record.player[step])
            uniform = torch.rand(self.config.num_envs, generator=self.random, device=record.reward.device)
            uniform = uniform[self._first : self._first + vec.num_envs]
            self._players.run(partial(self._decide, step, uniform))
            action = record.action[step]
            if self._other_play is not None:
                action = self._other_play.original_actions(action, record.player[step])
            if self._partners is not None:
                action = self._partners.act(action, record.own[step])
            vec.step(action)
            progress = vec.progress / vec.config.max_potential
            record.reward[step] = vec.reward + self._shaping * progress
            record.done[step] = vec.done
            won = vec.done & (vec.score >= vec.game.max_score)
            self._counts += torch.stack([vec.done.sum(), won.sum(), progress.sum()])
            self._begin_games(vec.done)
        features, player, revealed = self._look()
        if self._critic is not None:
            record.value[-1] = self._critic.appraise(self._critic.expand(revealed))
        else:
            memory = self._remembered(slice(None), player)
            record.value[-1] = self._policy(self._policy.expand(features), memory).value

    def _look(self) -> tuple[Tensor, Tensor, Tensor]:
        """What the seats to act see, which seats they are, and what they would see if all cards were up.

        Without a central critic the last is not looked at, and just the first again.
        """
        features, player = self.vec.features, self.vec.player.long()
        revealed = features if self._critic is None else self.vec.observe(player, everything=True)
        if self._other_play is not None:
            features = self._other_play.features(features, player)
            if self._critic is not None:
                revealed = self._other_play.features(revealed, player)
        return features, player, revealed

    @torch.inference_mode()
    def _decide(self, step: int, uniform: Tensor, start: int, stop: int) -> None:
        """Draw the actions of games ``start`` .. ``stop - 1``, with a number in 0..1 for each."""
        part = slice(start, stop)
        record, policy = self._record, self._policy
        player = record.player[step, part]
        before = self._remembered(part, player)
        logits, value, memory = policy(policy.expand(record.features[step, part]), before)
        action, log_probability = draw_actions(logits, record.mask[step, part], uniform[part])
        record.action[step, part] = action
        record.log_probability[step, part] = log_probability
        if memory is not None:
            self._memory[part][torch.arange(len(player), device=player.device), player] = memory.float()
        if self._critic is not None and record.revealed is not None:
            value = self._critic.appraise(self._critic.expand(record.revealed[step, part]))
        record.value[step, part] = value

    def _remembered(self, part: slice, player: Tensor) -> Tensor | None:
        """What seats ``player`` of the games ``part`` remember; ``None`` without a memory."""
        if not self.config.memory:
            return None
        memory = self._memory[part]
        return memory[torch.arange(len(memory), device=memory.device), player]

    def _begin_games(self, ended: Tensor) -> None:
        """New games have been dealt where ``ended``: nobody remembers the old ones."""
        self._memory *= ~ended[:, None, None]
        if self._other_play is not None:
            self._other_play.begin(ended)
        if self._partners is not None:
            self._partners.begin(ended)

    def _learn(self, learning_rate: float, entropy_weight: float) -> dict[str, float]:
        """Gradient steps on the recorded decisions; returns means over them."""
        config, record = self.config, self._record
        advantage = record.advantages(config.gae_lambda)
        target_value = (advantage + record.value[:-1]).flatten()
        # Decisions of partners weigh nothing, except that values are learned from them too.
        own = record.own.flatten().float()
        decisions = self.processes.count * record.size
        # Where partners have made all of them, there is nothing to divide by.
        weight = own * (decisions / self.processes.add_up(own.sum()).clamp(min=1.0))
        mean = self.processes.add_up((advantage.flatten() * weight).sum()) / decisions
        deviations = (advantage.flatten() - mean) * weight
        variance = self.processes.add_up((deviations * (advantage.flatten() - mean)).sum()) / decisions
        scaled = deviations / (variance.sqrt() + 1e-8)
        numbers = torch.stack([record.log_probability.flatten(), scaled, weight, target_value], 1)
        recorded = Decisions(record.mask.flatten(0, 1), record.action.flatten(), numbers)
        size = decisions // config.minibatches
        weights = LossWeights(config.clip, config.value_weight, entropy_weight, size)

        def learn_from(parts: list[Tensor], shares: dict[int, Any], number: int, _: int) -> None:
            rows, logits, value = self._judge(parts[number])
            by_logits, by_value, measured = loss_gradient(
                logits.detach(), value.detach(), recorded, rows, weights
            )
            gradient = torch.autograd.grad(
                (logits, value), self.learner.parameters, (by_logits, by_value), materialize_grads=True
            )
            shares[number] = (flat(gradient), measured)

        measurements = []
        for _ in range(config.epochs):
            # With a memory a game's decisions stay together: whole games are dealt out to the minibatches.
            units = config.num_envs if config.memory else decisions
            order = torch.randperm(units, generator=self.random, device=numbers.device)
            for minibatch in order.chunk(config.minibatches):
                parts = list(self._mine(minibatch).tensor_split(self._threads))
                shares: dict[int, Any] = {}
                self._learners.run(partial(learn_from, parts, shares))
                gradients, measured = zip(*(shares[number] for number in sorted(shares)), strict=True)
                norm = self.learner.step(gradients, learning_rate)
                total = self.processes.add_up(sum(measured[1:], measured[0]))
                measurements.append(torch.cat([total, norm[None]]))
        means = torch.stack(measurements).mean(0).tolist()
        if not all(map(math.isfinite, means)):
            raise TrainingDivergedError(f"loss {means[0]}, gradient {means[-1]} after {self.steps} decisions")
        return dict(zip((*MEASURED, "gradient_norm"), means, strict=True))

    def _mine(self, units: Tensor) -> Tensor:
        """Those of ``units``, decisions (or games) of all processes, that this process has recorded."""
        if self.processes.count == 1:
            return units
        step = units.div(self.config.num_envs, rounding_mode="floor")
        game = units % self.config.num_envs - self._first
        mine = (game >= 0) & (game < self.vec.num_envs)
        return step[mine] * self.vec.num_envs + game[mine]

    def _judge(self, units: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The recorded decisions ``units`` (with a memory, all of these games): rows, logits and values."""
        record, policy = self._record, self._policy
        rows = units
        if self.config.memory:
            steps, games = record.action.shape
            rows = (torch.arange(0, steps * games, games, device=units.device)[:, None] + units).flatten()
        features = policy.expand(record.features.flatten(0, 1), rows)
        if self.config.memory:
            player, done = (each.index_select(1, units) for each in (record.player, record.done))
            logits, value = policy.unroll(features, player, done, record.memory.index_select(0, units))
        else:
            logits, value, _ = policy(features)
        if self._critic is not None and record.revealed is not None:
            value = self._critic.appraise(self._critic.expand(record.revealed.flatten(0, 1), rows))
        return rows, logits, value

    def agent(self, name: str = "training") -> LearnedAgent:
        """The policy as it is now, at the table."""
        return LearnedAgent(self._policy, self.describe(), name)

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
        tensors = {"random": self.random.get_state(), "memory": self._memory, **self.learner.state()}
        if self._other_play is not None:
            tensors |= self._other_play.state()
        for name, array in self.vec.get_state().items():
            tensors[f"games.{name}"] = torch.from_numpy(array.view(np.uint8).reshape(len(array), -1).copy())
        return tensors, {"steps": self.steps, "seconds": self.seconds}

    def restore(self, weights: dict[str, Tensor], tensors: dict[str, Tensor], plain: dict[str, Any]) -> None:
        """Go back to a saved policy and ``state()``.

        With partners, or in several processes, the games themselves begin anew.

        Raises:
            KeyError, RuntimeError, ValueError: they are not of a run with this configuration.
        """
        self.learner.restore(weights, tensors)
        self.steps = plain["steps"]
        self.seconds = plain["seconds"]
        if self._partners is not None or self.processes.count > 1:
            self._deal(self.config.seed + self.steps)
            self.random.manual_seed(self.config.seed + self.steps)
            if self._other_play is not None:
                self._other_play.random.manual_seed(self._own_seed())
            if self._partners is not None:
                self._partners.draw_anew(self._own_seed())
            self._begin_games(torch.ones_like(self.vec.done))
            return
        self.random.set_state(tensors["random"])
        self._memory.copy_(tensors["memory"])
        if self._other_play is not None:
            self._other_play.restore(tensors)
        games = {}
        for name, like in self.vec.get_state().items():
            games[name] = tensors[f"games.{name}"].numpy().reshape(-1).view(like.dtype)
        self.vec.set_state(games)
