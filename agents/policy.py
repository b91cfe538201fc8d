"""The networks of learned policies: compact features in, one logit for each action and a value out."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from threading import get_ident
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from numba import njit
from torch import Tensor, nn
from torch.nn import functional

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.items import Items

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
FORBIDDEN = -1e9
"""The logit of an action that the mask forbids: its probability is exactly 0."""

_BFLOAT16_ONE = np.int16(0x3F80)
"""The bits of 1.0, since numpy and numba have no bfloat16."""


class PolicyNetwork(nn.Module, ABC):
    """A network shared by all seats.

    It expands compact features to one-hot itself, so everybody else stores and moves a byte a feature. The
    hidden layers may compute in ``bfloat16`` (several times faster where the processor has matrix
    instructions for it); parameters, the last layers and everything after them are ``float32``.

    Attributes:
        kind: its name in settings and checkpoints.
        n_actions: number of logits. hidden: widths of the hidden layers. dtype: of the hidden layers.
    """

    kind: ClassVar[str]

    def __init__(self, layout: FeatureLayout, items: Items, hidden: Sequence[int], precision: str) -> None:
        """``precision`` is a key of ``PRECISIONS``. Initial parameters come from torch's global generator."""
        super().__init__()
        self.n_actions = items.n_actions(layout)
        self.hidden = tuple(hidden)
        self.dtype = PRECISIONS[precision]
        self._place([0] * layout.size, layout.offsets, [layout.onehot_size])
        self._one = _BFLOAT16_ONE if self.dtype is torch.bfloat16 else np.float32(1.0)
        self._onehots: dict[int, npt.NDArray[Any]] = {}

    def _place(self, blocks: npt.ArrayLike, offsets: npt.ArrayLike, widths: Sequence[int]) -> None:
        """Say where the one-hot vector of each feature starts: in which block, and how far into its row."""
        self._block = np.asarray(blocks, np.int64)
        self._offset = np.asarray(offsets, np.int64)
        self._width = np.asarray(widths, np.int64)

    def expand(
        self, features: npt.NDArray[np.int8], rows: npt.NDArray[np.int64] | None = None
    ) -> tuple[Tensor, ...]:
        """``rows`` (default: all) of ``(n, F) int8`` features, one-hot, in ``dtype``.

        In as many blocks ``(m, width)`` as the network wants. Overwritten by the next call in the same
        thread: fresh memory for it would cost as much as a layer.
        """
        chosen = np.arange(len(features)) if rows is None else rows
        bits = self._onehots.get(get_ident())
        size = len(chosen) * int(self._width.sum())
        if bits is None or len(bits) < size:
            kind = np.int16 if self.dtype is torch.bfloat16 else np.float32
            bits = self._onehots[get_ident()] = np.empty(size, kind)
        bits = bits[:size]
        ends = len(chosen) * np.cumsum(self._width)
        starts = (ends - len(chosen) * self._width)[self._block] + self._offset
        _write_onehot(features, chosen, starts, self._width[self._block], self._one, bits)
        blocks = torch.split(torch.from_numpy(bits).view(self.dtype), (len(chosen) * self._width).tolist())
        return tuple(
            block.view(len(chosen), width) for block, width in zip(blocks, self._width.tolist(), strict=True)
        )

    @abstractmethod
    def forward(self, blocks: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        """Logits ``(m, n_actions) float32`` before masking, values ``(m,) float32``, of expanded features."""

    def _linear(self, layer: Any, values: Tensor) -> Tensor:
        """``layer``, an ``nn.Linear`` (a list of modules does not say so), in ``dtype``."""
        bias = None if layer.bias is None else layer.bias.to(self.dtype)
        return functional.linear(values, layer.weight.to(self.dtype), bias)


class MlpNetwork(PolicyNetwork):
    """A multi-layer perceptron over the one-hot features in the order of the layout."""

    kind = "mlp"

    def __init__(
        self, layout: FeatureLayout, items: Items, hidden: Sequence[int], precision: str = "float32"
    ) -> None:
        """See ``PolicyNetwork``."""
        super().__init__(layout, items, hidden, precision)
        widths = (layout.onehot_size, *self.hidden)
        self.body = [nn.Linear(*pair) for pair in pairwise(widths)]
        for index, layer in enumerate(self.body):
            self.add_module(f"body_{index}", layer)
        self.head = nn.Linear(widths[-1], self.n_actions + 1)
        with torch.no_grad():
            for layer in self.body:
                nn.init.orthogonal_(layer.weight, math.sqrt(2.0))
                nn.init.zeros_(layer.bias)
            # A first policy that is close to uniform, and a value of ordinary size.
            nn.init.orthogonal_(self.head.weight[: self.n_actions], 0.01)
            nn.init.orthogonal_(self.head.weight[self.n_actions :], 1.0)
            nn.init.zeros_(self.head.bias)

    def forward(self, blocks: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        """See ``PolicyNetwork.forward``."""
        (hidden,) = blocks
        for layer in self.body:
            hidden = functional.relu(self._linear(layer, hidden))
        out = self.head(hidden.float())
        return out[:, : self.n_actions], out[:, self.n_actions]


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """The logits ``(m, A) float32``, out of reach for the actions that ``mask``, ``(m, A) int8``, forbids."""
    # A sum, because filling is an order of magnitude slower on the CPU.
    return logits + (mask.float() - 1.0) * -FORBIDDEN


@njit(cache=True, nogil=True)
def _write_onehot(features, rows, starts, widths, one, out):  # type: ignore[no-untyped-def]
    # Unsigned numbers spare numba the test for an index that counts from the end.
    out[:] = 0
    for row in range(rows.shape[0]):
        source = features[rows[row]]
        for entry in range(source.shape[0]):
            out[np.uint64(starts[entry] + row * widths[entry]) + np.uint64(np.uint8(source[entry]))] = one
