"""The network of a learned policy: compact features in, one logit for each action and a value out."""

import math
from collections.abc import Sequence
from itertools import pairwise
from threading import get_ident
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from numba import njit
from torch import Tensor, nn
from torch.nn import functional

from unspoken.envs.engine.features import FeatureLayout

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
FORBIDDEN = -1e9
"""The logit of an action that the mask forbids: its probability is exactly 0."""

_BFLOAT16_ONE = np.int16(0x3F80)
"""The bits of 1.0, since numpy and numba have no bfloat16."""


class PolicyNetwork(nn.Module):
    """A multi-layer perceptron shared by all seats.

    The network expands compact features to one-hot itself, so everybody else stores and moves a byte a
    feature. The hidden layers may compute in ``bfloat16`` (several times faster where the processor has
    matrix instructions for it); parameters, the last layer and everything after it are ``float32``.

    Attributes:
        n_actions: number of logits. hidden: widths of the hidden layers. dtype: of the hidden layers.
    """

    def __init__(
        self, layout: FeatureLayout, n_actions: int, hidden: Sequence[int], precision: str = "float32"
    ) -> None:
        """``precision`` is a key of ``PRECISIONS``. Initial parameters come from torch's global generator."""
        super().__init__()
        self.n_actions = n_actions
        self.hidden = tuple(hidden)
        self.dtype = PRECISIONS[precision]
        self._onehot_size = layout.onehot_size
        self._offsets = layout.offsets.astype(np.uint32)
        self._one = _BFLOAT16_ONE if self.dtype is torch.bfloat16 else np.float32(1.0)
        self._onehots: dict[int, npt.NDArray[Any]] = {}
        widths = (layout.onehot_size, *self.hidden)
        self.body = [nn.Linear(*pair) for pair in pairwise(widths)]
        for index, layer in enumerate(self.body):
            self.add_module(f"body_{index}", layer)
        self.head = nn.Linear(widths[-1], n_actions + 1)
        with torch.no_grad():
            for layer in self.body:
                nn.init.orthogonal_(layer.weight, math.sqrt(2.0))
                nn.init.zeros_(layer.bias)
            # A first policy that is close to uniform, and a value of ordinary size.
            nn.init.orthogonal_(self.head.weight[:n_actions], 0.01)
            nn.init.orthogonal_(self.head.weight[n_actions:], 1.0)
            nn.init.zeros_(self.head.bias)

    def expand(self, features: npt.NDArray[np.int8], rows: npt.NDArray[np.int64] | None = None) -> Tensor:
        """``(m, onehot_size)`` in ``dtype``: ``rows`` (default: all) of ``(n, F) int8`` features, one-hot.

        Overwritten by the next call in the same thread: fresh memory for it would cost as much as a layer.
        """
        chosen = np.arange(len(features)) if rows is None else rows
        bits = self._onehots.get(get_ident())
        if bits is None or len(bits) < len(chosen):
            kind = np.int16 if self.dtype is torch.bfloat16 else np.float32
            bits = self._onehots[get_ident()] = np.empty((len(chosen), self._onehot_size), kind)
        bits = bits[: len(chosen)]
        _write_onehot(features, chosen, self._offsets, self._one, bits)
        return torch.from_numpy(bits).view(self.dtype)

    def forward(self, onehot: Tensor) -> tuple[Tensor, Tensor]:
        """Logits ``(m, n_actions) float32`` before masking, values ``(m,) float32``, of expanded features."""
        hidden = onehot
        for layer in self.body:
            weight, bias = layer.weight.to(self.dtype), layer.bias.to(self.dtype)
            hidden = functional.relu(functional.linear(hidden, weight, bias))
        out = self.head(hidden.float())
        return out[:, : self.n_actions], out[:, self.n_actions]


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """The logits ``(m, A) float32``, out of reach for the actions that ``mask``, ``(m, A) int8``, forbids."""
    # A sum, because filling is an order of magnitude slower on the CPU.
    return logits + (mask.float() - 1.0) * -FORBIDDEN


@njit(cache=True, nogil=True)
def _write_onehot(features, rows, offsets, one, out):  # type: ignore[no-untyped-def]
    # Unsigned numbers spare numba the test for an index that counts from the end.
    for row in range(rows.shape[0]):
        source = features[rows[row]]
        target = out[row]
        target[:] = 0
        for entry in range(source.shape[0]):
            target[offsets[entry] + np.uint32(np.uint8(source[entry]))] = one
