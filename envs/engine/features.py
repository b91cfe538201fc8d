"""The public layout of an observation: a vector of named categorical features.

An engine writes small integers. A ``FeatureLayout`` says what each of them means and turns a vector into a
dictionary of names, into a one-hot vector, or into the spaces of Gymnasium.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from numba import njit


@dataclass(frozen=True)
class Feature:
    """``size`` neighbouring entries of an observation, each with a value from 0 to ``cardinality - 1``."""

    name: str
    start: int
    size: int
    cardinality: int
    meaning: str

    @property
    def slice(self) -> slice:
        """Where the feature lies in the compact vector."""
        return slice(self.start, self.start + self.size)


class FeatureLayout:
    """The features of one observation, in order.

    Attributes:
        features: the ``Feature`` entries in the order of the vector.
        size: number of entries of the compact ``int8`` vector.
        cardinalities: ``(size,) int64``, number of values of each entry.
        offsets: ``(size,) int64``, where each entry's block starts in the one-hot vector.
        onehot_size: length of the one-hot vector.
    """

    def __init__(self, parts: Sequence[tuple[str, int, int, str]]) -> None:
        """``parts``: (name, size, cardinality, meaning) of each feature, in order."""
        features = []
        start = 0
        for name, size, cardinality, meaning in parts:
            features.append(Feature(name, start, size, cardinality, meaning))
            start += size
        self.features = tuple(features)
        self.size = start
        self.cardinalities = np.repeat(
            np.array([feature.cardinality for feature in features], np.int64),
            [feature.size for feature in features],
        )
        self.offsets = np.concatenate([[0], np.cumsum(self.cardinalities)[:-1]]).astype(np.int64)
        self.onehot_size = int(self.cardinalities.sum())
        self._by_name = {feature.name: feature for feature in features}

    def __getitem__(self, name: str) -> Feature:
        """The feature called ``name``; ``KeyError`` names the ones there are."""
        try:
            return self._by_name[name]
        except KeyError:
            raise KeyError(f"no feature {name!r}; there are {', '.join(self._by_name)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def decode(self, observation: npt.ArrayLike) -> dict[str, npt.NDArray[np.int64]]:
        """Split an observation, compact ``(size,)`` or one-hot ``(onehot_size,)``, into named integer arrays.

        Raises:
            ValueError: the observation has neither length.
        """
        vector = np.asarray(observation)
        if vector.shape == (self.onehot_size,):
            vector = self.compact(vector)
        if vector.shape != (self.size,):
            raise ValueError(
                f"observation of shape {vector.shape}: must be ({self.size},) or ({self.onehot_size},)"
            )
        return {feature.name: vector[feature.slice].astype(np.int64) for feature in self.features}

    def compact(self, onehot: npt.NDArray[np.generic]) -> npt.NDArray[np.int8]:
        """The compact vector ``(size,) int8`` of a one-hot one ``(onehot_size,)``."""
        ends = self.offsets + self.cardinalities
        pairs = zip(self.offsets, ends, strict=True)
        return np.array([int(np.argmax(onehot[start:end])) for start, end in pairs], np.int8)

    def onehot(
        self, features: npt.NDArray[np.int8], out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Expand compact ``(..., size)`` to ``(..., onehot_size) float32``: one observation or a batch."""
        if out is None:
            out = np.zeros((*features.shape[:-1], self.onehot_size), np.float32)
        else:
            out.fill(0.0)
        if features.ndim == 1:
            out[features + self.offsets] = 1.0
        else:
            _expand(features, self.offsets, out)
        return out

    def onehot_space(self) -> spaces.Box:
        """``Box(0, 1, (onehot_size,), float32)``."""
        return spaces.Box(0.0, 1.0, (self.onehot_size,), np.float32)

    def compact_space(self) -> "spaces.MultiDiscrete[Any]":
        """``MultiDiscrete`` of the cardinalities, ``int8``."""
        space: spaces.MultiDiscrete[Any] = spaces.MultiDiscrete(self.cardinalities, dtype=np.int8)
        # Gymnasium gives the cardinalities this type too; adding them up, as others do, would overflow.
        space.nvec = space.nvec.astype(np.int64)
        return space

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FeatureLayout) and self.features == other.features

    def __hash__(self) -> int:
        return hash(self.features)


@njit(cache=True, nogil=True)
def _expand(features, offsets, out):  # type: ignore[no-untyped-def]
    for game in range(features.shape[0]):
        for entry in range(features.shape[1]):
            out[game, offsets[entry] + features[game, entry]] = 1.0
