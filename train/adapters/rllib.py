"""RLlib: a game as a ``MultiAgentEnv`` with action masks, and our network as a module of its new API stack.

::

    from ray.rllib.algorithms.ppo import PPOConfig
    from unspoken.train.adapters.rllib import RLlibEnv, TeamModule, TeamScore

    config = (
        PPOConfig()
        .environment(RLlibEnv, env_config={"task": "syzygy-base5-3p", "observation": "compact"})
        .multi_agent(policies={"team"}, policy_mapping_fn=lambda agent, episode, **_: "team")
        .rl_module(rl_module_spec=TeamModule.spec("syzygy-base5-3p"))
        .callbacks(TeamScore)
        .training(gamma=1.0)
    )
    result = config.build_algo().train()
    print(result["env_runners"]["team_score"])

One policy plays all the seats: everything is relative to the observer, so it need not know the seat it sits
in. RLlib's own ``episode_return_mean`` is the sum over the seats, each of which is given what the team gets:
with three players it is three times the team's. ``TeamScore`` reports the team's own figures.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from torch import Tensor

from unspoken.agents.policy import MlpNetwork, masked
from unspoken.envs import make_game
from unspoken.envs.faces.aec import agent_names
from unspoken.envs.faces.one_game import OneGame

WINDOW = 1000
"""Games over which ``TeamScore`` takes its means."""

Observations = dict[str, dict[str, Any]]


class RLlibEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game, in which the seat to act is the only one that is shown anything.

    An observation has the keys that RLlib's masking modules want: ``observations``, and ``action_mask``,
    ``(A,) float32``. Each seat is rewarded with what the team gets, in the same step. All seats end in the
    same step, all terminated or all truncated, and all see the final position, with a mask of ones: there is
    nothing left to choose, and the logarithm of an empty mask is no number. The infos of that step are each
    seat's ``score``, ``won`` (of several levels all), ``illegal`` and, where a game has several, ``tries``.

    Attributes:
        possible_agents: ``player_0`` and so on. agents: the same.
        observation_spaces, action_spaces: one for each agent, all alike.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Of the keys of RLlib's ``env_config``.

        ``task`` and the options of the game are as for ``unspoken.envs.make_game``; ``observation`` is
        ``"onehot"`` (default), ``(onehot_size,) float32``, or ``"compact"``, ``(F,) int8``.

        Raises:
            ValueError, TypeError: a value is not allowed; the message names it and what is allowed.
        """
        settings = dict(config)
        if "task" not in settings:
            raise ValueError("env_config without 'task': must name a task, such as 'syzygy-base5-3p'")
        observation = settings.pop("observation", "onehot")
        game = make_game(settings.pop("task"), **settings)
        self._one = OneGame(game, observation)
        self.possible_agents = agent_names(game.config.n_players)
        self.agents = list(self.possible_agents)
        high = (game.layout.cardinalities - 1).astype(np.int8)
        compact = spaces.Box(np.zeros_like(high), high, dtype=np.int8)
        space = spaces.Dict(
            {
                "observations": game.layout.onehot_space() if observation == "onehot" else compact,
                "action_mask": spaces.Box(0.0, 1.0, (game.config.n_actions,), np.float32),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(game.config.n_actions) for agent in self.possible_agents}
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal slot 0, episode 0 of a batch with this ``seed``; without one, the next episode."""
        self._one.deal(seed)
        return self._observe([self._one.seat]), {}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play ``actions``, that of the seat to act alone; an illegal one ends the game with reward -1."""
        one = self._one
        finished = one.play(one.check_action(actions[self.possible_agents[one.seat]], one.n_actions))
        rewards = dict.fromkeys(self.possible_agents, one.reward)
        terminated = finished and not one.truncated
        names = [*self.possible_agents, "__all__"]
        infos = {}
        if finished:
            info = {**one.infos(), "won": one.won}
            infos = {agent: dict(info) for agent in self.possible_agents}
        return (
            self._observe(range(one.n_players) if finished else [one.seat]),
            rewards,
            dict.fromkeys(names, terminated),
            dict.fromkeys(names, finished and one.truncated),
            infos,
        )

    def _observe(self, seats: Sequence[int]) -> Observations:
        one = self._one
        ones = np.ones(one.n_actions, np.float32)
        return {
            self.possible_agents[seat]: {
                "observations": one.observe(seat),
                "action_mask": ones.copy() if one.finished else one.mask(seat).astype(np.float32),
            }
            for seat in seats
        }


class TeamModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """Our ``MlpNetwork`` as RLlib's module, for compact observations; make it with ``spec``.

    Attributes:
        network: the network, which ``unspoken.agents.checkpoint.save_policy`` writes.
    """

    network: MlpNetwork
    offsets: Tensor

    @classmethod
    def spec(cls, task: str, hidden: Sequence[int] = (256, 256), **options: Any) -> RLModuleSpec:
        """What builds the module for games of ``task`` with ``options``, and hidden layers this wide."""
        return RLModuleSpec(cls, model_config={"task": task, "options": options, "hidden": tuple(hidden)})

    def setup(self) -> None:
        """Build the network."""
        game = make_game(self.model_config["task"], **self.model_config["options"])
        self.network = MlpNetwork(game.layout, game.items, self.model_config["hidden"])
        self.register_buffer("offsets", torch.from_numpy(np.array(game.layout.offsets)), persistent=False)

    def _forward(self, batch: dict[str, Any], **ignored: Any) -> dict[str, Tensor]:
        logits, value = self._decide(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: value}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """``(m,) float32``: the values of ``batch``; ``embeddings`` are what ``_forward`` gave, if it has."""
        return self._decide(batch)[1] if embeddings is None else embeddings

    def _decide(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        """Masked logits ``(m, A)`` and values ``(m,)``."""
        features = batch[Columns.OBS]["observations"]
        width = self.network.body[0].in_features
        onehot = torch.zeros(len(features), width, dtype=torch.float32, device=features.device)
        onehot.scatter_(1, features.long() + self.offsets, 1.0)
        logits, value = self.network((onehot,))[:2]
        return masked(logits, batch[Columns.OBS]["action_mask"]), value


class TeamScore(RLlibCallback):  # type: ignore[misc]
    """Reports ``team_score`` and ``team_win_rate``, means over the last games."""

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **ignored: Any) -> None:
        """Note the score of a game."""
        info = episode.get_infos(-1)["player_0"]
        metrics_logger.log_value("team_score", info["score"], reduce="mean", window=WINDOW)
        metrics_logger.log_value("team_win_rate", float(info["won"]), reduce="mean", window=WINDOW)
