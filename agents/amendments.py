"""What a policy plays instead of its network's choice: a table from observations to actions.

A search over all deals (``unspoken.train.improve``) finds better actions for single observations. They are
kept beside the network, each under a 64-bit key of the observation.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import njit
from torch import Tensor, from_numpy

PREFIX = "amendments."
"""Of the names of the tensors in a checkpoint."""


@dataclass(frozen=True)
class Amendments:
    """Actions by observation.

    Attributes:
        keys: ``(m,) uint64``, rising (see ``observation_keys``). actions: ``(m,) uint8``.
    """

    keys: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.keys.dtype != np.uint64 or self.actions.dtype != np.uint8:
            raise ValueError(f"amendments of {self.keys.dtype}, {self.actions.dtype}: must be uint64, uint8")
        if self.keys.ndim != 1 or self.keys.shape != self.actions.shape:
            raise ValueError(
                f"amendments of shapes {self.keys.shape}, {self.actions.shape}: must be equal, with one axis"
            )
        if np.any(self.keys[1:] <= self.keys[:-1]):
            raise ValueError("amendments: keys must be rising")

    def apply(self, features: npt.NDArray[np.int8], actions: npt.NDArray[np.int64]) -> None:
        """Change the ``actions``, ``(m,)``, in those of ``features``, ``(m, F) int8``, that are amended."""
        if len(self.keys) == 0:
            return
        keys = observation_keys(features)
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        amended = self.keys[found] == keys
        actions[amended] = self.actions[found[amended]]

    def tensors(self) -> dict[str, Tensor]:
        """As a checkpoint holds them: safetensors has no unsigned 64-bit numbers in every version."""
        return {
            f"{PREFIX}key": from_numpy(self.keys.view(np.int64)),
            f"{PREFIX}action": from_numpy(self.actions),
        }

    @classmethod
    def from_tensors(cls, tensors: dict[str, Tensor]) -> "Amendments | None":
        """Take them out of the tensors of a checkpoint; ``None`` if there are none.

        Raises:
            KeyError, ValueError: they are not what ``tensors()`` made.
        """
        if not any(name.startswith(PREFIX) for name in tensors):
            return None
        keys = tensors.pop(f"{PREFIX}key").numpy()
        actions = tensors.pop(f"{PREFIX}action").numpy()
        if keys.dtype != np.int64:
            raise ValueError(f"{PREFIX}key of {keys.dtype}: must be int64")
        return cls(keys.view(np.uint64), actions)


def observation_keys(features: npt.NDArray[np.int8]) -> npt.NDArray[np.uint64]:
    """``(m,) uint64``: keys of compact observations ``(m, F) int8``.

    The sum of the entries, each times an odd number of its own, modulo 2**64: two given observations have
    equal keys by a chance of about 2**-60.
    """
    keys = np.empty(len(features), np.uint64)
    _write_keys(features, multipliers(features.shape[1]), keys)
    return keys


def multipliers(size: int) -> npt.NDArray[np.uint64]:
    """``(size,) uint64``: the odd numbers that ``observation_keys`` multiplies entries by; part of the files'
    format."""
    numbers = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (numbers ^ (numbers >> np.uint64(31))) | np.uint64(1)


@njit(cache=True, nogil=True)
def key_of(features, factors):  # type: ignore[no-untyped-def]
    """The key of one observation, ``features[: len(factors)]``."""
    key = np.uint64(0)
    for entry in range(factors.shape[0]):
        key += np.uint64(features[entry]) * factors[entry]
    return key


@njit(cache=True, nogil=True)
def _write_keys(features, factors, keys):  # type: ignore[no-untyped-def]
    for row in range(features.shape[0]):
        keys[row] = key_of(features[row], factors)
