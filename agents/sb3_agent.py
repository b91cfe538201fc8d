"""Stable-Baselines3 models as agents, and the network part they need for compact observations."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from unspoken.agents.base import State, Thought
from unspoken.agents.identity import GameIdentity
from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.game import Game

_NOTED = "unspoken_game"
"""The attribute of a model that says which game it learned."""


class OneHotExtractor(BaseFeaturesExtractor):
    """A first layer that expands compact features to one-hot itself, so that buffers hold one byte a feature.

    Use it as ``policy_kwargs={"features_extractor_class": OneHotExtractor}`` with ``observation="compact"``.
    """

    def __init__(self, observation_space: spaces.Box, features_dim: int = 256) -> None:
        """``observation_space``: the compact one of the adapter. ``features_dim``: width of the layer."""
        super().__init__(observation_space, features_dim)
        cardinalities = observation_space.high.astype(np.int64) + 1
        offsets = np.concatenate([[0], np.cumsum(cardinalities)[:-1]])
        self.offsets: Tensor
        self.register_buffer("offsets", torch.from_numpy(offsets), persistent=False)
        self.layer = nn.Linear(int(cardinalities.sum()), features_dim)

    def forward(self, observations: Tensor) -> Tensor:
        """``(m, features_dim)`` of ``(m, F)`` compact features."""
        onehot = observations.new_zeros(len(observations), self.layer.in_features, dtype=torch.float32)
        onehot.scatter_(1, observations.long() + self.offsets, 1.0)
        return torch.relu(self.layer(onehot))


class SB3Agent:
    """A ``MaskablePPO`` model in every seat it is given; it plays its most likely action.

    It may have learned on compact or on one-hot observations (see ``unspoken.train.adapters.sb3``).
    """

    sees_state = False

    def __init__(self, model: MaskablePPO, name: str = "sb3") -> None:
        self.name = name
        self._model = model
        self._onehot: FeatureLayout | None = None

    @classmethod
    def load(cls, path: str | Path) -> "SB3Agent":
        """The model saved at ``path``. Stable-Baselines3 unpickles it: load only files that you trust.

        Raises:
            ValueError: the file is not a ``MaskablePPO`` model.
        """
        try:
            model = MaskablePPO.load(path, device="cpu")
        except (KeyError, ValueError, AttributeError, EOFError) as error:
            raise ValueError(f"agent {str(path)!r}: not a MaskablePPO model ({error})") from None
        return cls(model, str(path))

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Check that the model plays ``game``; there is no state.

        Raises:
            ValueError: the model was trained for another game (see ``note_game``), or its spaces are not this
                game's.
        """
        noted = getattr(self._model, _NOTED, None)
        if noted is not None:
            try:
                GameIdentity(**noted).check(game)
            except (TypeError, ValueError) as error:
                raise ValueError(f"agent {self.name!r}: {error}") from None
        layout, space = game.layout, self._model.observation_space
        if space in (compact_space(layout), layout.compact_space()):
            self._onehot = None
        elif space == layout.onehot_space():
            self._onehot = layout
        else:
            raise ValueError(
                f"agent {self.name!r}: learned on observations {space}, not this game's "
                f"({layout.size} features, or {layout.onehot_size} one-hot)"
            )
        n_actions = getattr(self._model.action_space, "n", None)
        if n_actions != game.config.n_actions:
            raise ValueError(
                f"agent {self.name!r}: learned {n_actions} actions, this game has {game.config.n_actions}"
            )
        return None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """The most likely allowed actions."""
        actions, _ = self._model.predict(self._seen(features), deterministic=True, action_masks=mask)
        return np.asarray(actions, np.int64), None

    def think(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> Thought:
        """What the model's policy thinks."""
        policy = self._model.policy
        policy.set_training_mode(False)
        with torch.inference_mode():
            observations, _ = policy.obs_to_tensor(self._seen(features))
            chances: Any = policy.get_distribution(observations, action_masks=mask).distribution
            values = policy.predict_values(observations).flatten()
        return Thought(chances.probs.cpu().numpy(), values.float().cpu().numpy(), None)

    def _seen(self, features: npt.NDArray[np.int8]) -> Any:
        """The features as the model knows them."""
        return features if self._onehot is None else self._onehot.onehot(features)


def note_game(model: MaskablePPO, game: Game) -> None:
    """Write into a model, to be saved with it, which game it learns: spaces do not tell rules or cards."""
    setattr(model, _NOTED, asdict(GameIdentity.of_game(game)))


def compact_space(layout: FeatureLayout) -> spaces.Box:
    """The compact observation of a layout as ``Box``, ``int8``: what Stable-Baselines3 stores as it is.

    From a ``MultiDiscrete`` it would make one-hot vectors feature by feature, which is slow.
    """
    high = (layout.cardinalities - 1).astype(np.int8)
    return spaces.Box(np.zeros_like(high), high, dtype=np.int8)
