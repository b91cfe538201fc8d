"""Stable-Baselines3: a ``VecEnv`` over the batch engine, with action masks.

::

    from sb3_contrib import MaskablePPO
    from unspoken.train.adapters.sb3 import make_sb3

    env = make_sb3("syzygy-base5-3p", num_envs=256, seed=0)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=2048, gamma=1.0)
    model.learn(500_000)

One policy plays all the seats: each decision is one step of one game, seen by the seat to act, and rewarded
with what the team gets. Everything is relative to the observer, so the policy need not know the seat it sits
in.
"""

import time
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvObs, VecEnvStepReturn

from unspoken.agents.sb3_agent import compact_space
from unspoken.envs import BatchEnv, make_vec
from unspoken.envs.engine.random import check_seed

OBSERVATIONS = ("onehot", "compact")


class SB3VecEnv(VecEnv):
    """All the games of a batch as the environments of Stable-Baselines3.

    Finished games start anew in the same step. The infos of their rows then have ``terminal_observation``,
    ``episode`` (return ``r``, length ``l``, time ``t``, as from a ``Monitor``), ``is_success`` (the team has
    won, of several levels all), ``score``, ``illegal`` (an illegal action ended the game), and
    ``TimeLimit.truncated`` (the game was cut off for its length); all others are empty.

    Attributes:
        vec: the batch of games.
        observation_space: ``Box(0, 1, (onehot_size,), float32)`` or, compact, ``Box`` of ``(F,) int8``.
        action_space: ``Discrete(n_actions)``.
    """

    def __init__(self, vec: BatchEnv, observation: str = "onehot") -> None:
        """``vec``: a batch with the numpy backend. ``observation``: ``"onehot"`` or ``"compact"``."""
        if observation not in OBSERVATIONS:
            raise ValueError(
                f"observation={observation!r}: must be one of {', '.join(map(repr, OBSERVATIONS))}"
            )
        if vec.backend != "numpy":
            raise ValueError(f"vec has backend={vec.backend!r}: must be 'numpy'")
        self.vec = vec
        self._onehot = observation == "onehot"
        space = vec.layout.onehot_space() if self._onehot else compact_space(vec.layout)
        super().__init__(vec.num_envs, space, spaces.Discrete(vec.n_actions))
        self._actions: npt.NDArray[np.integer[Any]] | None = None
        self._next_seed: int | None = None
        self._returns = np.zeros(vec.num_envs)
        self._lengths = np.zeros(vec.num_envs, np.int64)
        self._started = time.time()
        # One object for all the unfinished games: a new dictionary a step and game would cost more than the
        # game.
        self._no_info: dict[str, Any] = {}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """``(num_envs, n_actions) int8``, new: 1 for each action that the seat to act may play."""
        masks: npt.NDArray[np.int8] = self.vec.mask.copy()
        return masks

    def reset(self) -> VecEnvObs:
        """Deal new games everywhere, keyed by what ``seed`` was given since the last call, if anything."""
        self.vec.reset(self._next_seed)
        self._next_seed = None
        self._reset_seeds()
        self._reset_options()
        self._returns.fill(0.0)
        self._lengths.fill(0)
        return self._observe(self.vec.features)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Key the games dealt by the next ``reset``: game i is slot i of a batch with this seed."""
        self._next_seed = check_seed(seed)
        return [self._next_seed] * self.num_envs

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Note the actions, ``(num_envs,)`` integers."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the noted actions; returns new arrays."""
        if self._actions is None:
            raise RuntimeError("call step_async() first")
        vec = self.vec
        vec.step(self._actions)
        self._actions = None
        self._returns += vec.reward
        self._lengths += 1
        infos = [self._no_info] * self.num_envs
        finished = np.flatnonzero(vec.done)
        if len(finished):
            last = self._observe(vec.final_features[finished])
            elapsed = round(time.time() - self._started, 6)
            for row, observation in zip(finished.tolist(), last, strict=True):
                infos[row] = {
                    "terminal_observation": observation,
                    "TimeLimit.truncated": bool(vec.truncated[row]),
                    "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": elapsed},
                    "is_success": bool(vec.score[row] >= vec.game.max_score),
                    "score": float(vec.score[row]),
                    "illegal": bool(vec.illegal[row]),
                }
            self._returns[finished] = 0.0
            self._lengths[finished] = 0
        return self._observe(vec.features), vec.reward.copy(), vec.done.copy(), infos

    def close(self) -> None:
        """Let the engine's threads go."""
        self.vec.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of this object, once for each game asked for.

        Raises:
            AttributeError: there is no such attribute.
        """
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Always ``AttributeError``: the games of a batch have no attributes of their own."""
        raise AttributeError(
            f"{attr_name!r} cannot be set: the games of a batch have no attributes of their own"
        )

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """The rows of ``action_masks()``, the one method a game has.

        Raises:
            AttributeError: another method.
        """
        if method_name != "action_masks":
            raise AttributeError(f"{method_name!r}: the games of a batch have only 'action_masks'")
        masks = self.action_masks()
        return list(masks) if indices is None else [masks[index] for index in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """True for ``Monitor``, whose infos these games give themselves; false for the others."""
        return [issubclass(wrapper_class, Monitor)] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Nothing: a batch is not drawn."""
        return [None] * self.num_envs

    def _observe(self, features: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
        return self.vec.layout.onehot(features) if self._onehot else features.copy()


def make_sb3(
    task: str,
    num_envs: int,
    *,
    seed: int | None = None,
    observation: str = "onehot",
    threads: int | None = None,
    **options: Any,
) -> SB3VecEnv:
    """Games of one task for Stable-Baselines3.

    Args:
        task, num_envs, seed, threads, options: as for ``unspoken.envs.make_vec``.
        observation: ``"onehot"``, ready for ``"MlpPolicy"``; or ``"compact"``, one byte a feature, together
            with ``unspoken.agents.sb3_agent.OneHotExtractor``: the same network, and rollouts take six times
            less memory.

    Raises:
        ValueError, TypeError: an argument is not allowed.
    """
    return SB3VecEnv(make_vec(task, num_envs, seed=seed, threads=threads, **options), observation)
