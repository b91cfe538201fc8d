"""The networks of learned policies: compact features in, one logit for each action and a value out."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import deepcopy
from itertools import pairwise
from threading import get_ident
from typing import Any, ClassVar, NamedTuple

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


class HiddenLinear(nn.Linear):
    """A linear layer of the kind that may compute in low precision (see ``PolicyNetwork.in_precision``)."""


class Decision(NamedTuple):
    """What a network says of ``m`` positions.

    Attributes:
        logits: ``(m, n_actions) float32``, before masking.
        value: ``(m,) float32``, the reward that is still to come.
        memory: ``(m, memory)``, what the seat keeps until its next decision; ``None`` without memory.
    """

    logits: Tensor
    value: Tensor
    memory: Tensor | None


class PolicyNetwork(nn.Module, ABC):
    """A network shared by all seats.

    It expands compact features to one-hot itself, so everybody else stores and moves a byte a feature. With a
    memory, each seat carries a vector from one of its decisions to its next (a gated recurrent unit after the
    hidden layers), for observations that do not hold all that the seat has seen.

    Attributes:
        kind: its name in settings and checkpoints.
        n_actions: number of logits. hidden: widths of the hidden layers. memory: width of the memory, 0 for
            none. dtype: of the hidden layers.
    """

    kind: ClassVar[str]
    _places: Tensor

    def __init__(self, layout: FeatureLayout, items: Items, hidden: Sequence[int], memory: int = 0) -> None:
        """In float32. Initial parameters come from torch's global generator."""
        super().__init__()
        self.n_actions = items.n_actions(layout)
        self.hidden = tuple(hidden)
        self.memory = memory
        self.dtype = torch.float32
        self._place([0] * layout.size, layout.offsets, [layout.onehot_size])
        self._onehots: dict[int, npt.NDArray[Any]] = {}

    def _add_memory(self) -> None:
        """To be called at the end of ``__init__``; a network without memory has no parameters for it."""
        if self.memory:
            self.remember = nn.GRUCell(self.hidden[-1], self.memory)
            self.recall = HiddenLinear(self.memory, self.hidden[-1])

    def _place(self, blocks: npt.ArrayLike, offsets: npt.ArrayLike, widths: Sequence[int]) -> None:
        """Say where the one-hot vector of each feature starts: in which block, and how far into its row."""
        self._block = np.asarray(blocks, np.int64)
        self._offset = np.asarray(offsets, np.int64)
        self._width = np.asarray(widths, np.int64)
        # On a GPU the blocks are parts of one row.
        places = (np.cumsum(self._width) - self._width)[self._block] + self._offset
        self.register_buffer("_places", torch.from_numpy(places), persistent=False)

    def in_precision(self, precision: str) -> "PolicyNetwork":
        """A copy whose hidden layers are kept and computed in ``precision``, a key of ``PRECISIONS``.

        ``"bfloat16"`` is several times faster where the processor has matrix instructions for it. The last
        layers and everything after them stay ``float32``.
        """
        copy = deepcopy(self)
        copy.dtype = PRECISIONS[precision]
        for module in copy.modules():
            if isinstance(module, (HiddenLinear, nn.GRUCell)):
                module.to(copy.dtype)
        return copy

    def expand(self, features: Tensor, rows: Tensor | None = None) -> tuple[Tensor, ...]:
        """``rows`` ``(m,) int64`` (default: all) of ``(n, F) int8`` features, one-hot, in ``dtype``.

        In as many blocks ``(m, width)`` as the network wants. On the CPU overwritten by the next call in the
        same thread: fresh memory for it would cost as much as a layer.
        """
        if features.device.type != "cpu":
            return self._expand_on_device(features if rows is None else features.index_select(0, rows))
        chosen = np.arange(len(features)) if rows is None else rows.numpy()
        bits = self._onehots.get(get_ident())
        size = len(chosen) * int(self._width.sum())
        kind = np.int16 if self.dtype is torch.bfloat16 else np.float32
        if bits is None or len(bits) < size:
            bits = self._onehots[get_ident()] = np.empty(size, kind)
        bits = bits[:size]
        ends = len(chosen) * np.cumsum(self._width)
        starts = (ends - len(chosen) * self._width)[self._block] + self._offset
        one = _BFLOAT16_ONE if self.dtype is torch.bfloat16 else np.float32(1.0)
        _write_onehot(features.numpy(), chosen, starts, self._width[self._block], one, bits)
        blocks = torch.split(torch.from_numpy(bits).view(self.dtype), (len(chosen) * self._width).tolist())
        return tuple(
            block.view(len(chosen), width) for block, width in zip(blocks, self._width.tolist(), strict=True)
        )

    def _expand_on_device(self, features: Tensor) -> tuple[Tensor, ...]:
        shape = (len(features), int(self._width.sum()))
        onehot = torch.zeros(shape, dtype=self.dtype, device=features.device)
        onehot.scatter_(1, features.view(torch.uint8).long() + self._places, 1.0)
        return tuple(torch.split(onehot, self._width.tolist(), 1))

    def forward(self, blocks: tuple[Tensor, ...], memory: Tensor | None = None) -> Decision:
        """Of expanded features, and of the memories ``(m, memory)`` of the seats to act if there are any."""
        encoded = self.encode(blocks)
        hidden = encoded[0]
        if memory is not None:
            memory = self.remember(hidden, memory.to(hidden.dtype))
            hidden = self.reminded(hidden, memory)
        return Decision(*self.decide(encoded, hidden), memory)

    def unroll(
        self, blocks: tuple[Tensor, ...], player: Tensor, done: Tensor, memory: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Of ``T`` decisions in each of ``n`` games, one game's next to the other's: ``T * n`` rows.

        Args:
            blocks: expanded features of the rows.
            player: ``(T, n) int64``, the seat. done: ``(T, n) bool``, the game ended, and memories with it.
            memory: ``(n, n_players, memory)``, what each seat remembers before the first decision.

        Returns:
            Logits ``(T * n, n_actions) float32``, values ``(T * n,) float32``.
        """
        encoded = self.encode(blocks)
        steps, games = player.shape
        seen = encoded[0].view(steps, games, self.hidden[-1])
        memory = memory.to(seen.dtype)
        every = torch.arange(games, device=player.device)
        remembered = []
        for step in range(steps):
            kept = self.remember(seen[step], memory[every, player[step]])
            remembered.append(kept)
            memory = memory.index_put((every, player[step]), kept) * ~done[step, :, None, None]
        return self.decide(encoded, self.reminded(encoded[0], torch.cat(remembered)))

    def reminded(self, hidden: Tensor, memory: Tensor) -> Tensor:
        """The last hidden layer ``(m, hidden[-1])`` together with what is remembered, ``(m, memory)``."""
        return hidden + functional.relu(self.recall(memory))

    @abstractmethod
    def encode(self, blocks: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The last hidden layer ``(m, hidden[-1])`` of expanded features, and what else ``decide`` needs."""

    @abstractmethod
    def decide(self, encoded: tuple[Tensor, ...], hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Logits ``(m, n_actions) float32`` and values ``(m,) float32``, of ``encode(...)``.

        ``hidden`` is used instead of ``encoded[0]``: it may have been changed by the memory.
        """

    @abstractmethod
    def appraise(self, blocks: tuple[Tensor, ...]) -> Tensor:
        """The values alone, ``(m,) float32``, of expanded features: for a network that is only a critic."""


class MlpNetwork(PolicyNetwork):
    """A multi-layer perceptron over the one-hot features in the order of the layout."""

    kind = "mlp"

    def __init__(self, layout: FeatureLayout, items: Items, hidden: Sequence[int], memory: int = 0) -> None:
        """See ``PolicyNetwork``."""
        super().__init__(layout, items, hidden, memory)
        widths = (layout.onehot_size, *self.hidden)
        self.depth = len(self.hidden)
        for index, pair in enumerate(pairwise(widths)):
            self.add_module(f"body_{index}", HiddenLinear(*pair))
        self.head = nn.Linear(widths[-1], self.n_actions + 1)
        self._add_memory()
        with torch.no_grad():
            for layer in self.body:
                nn.init.orthogonal_(layer.weight, math.sqrt(2.0))
                nn.init.zeros_(layer.bias)
            # A first policy that is close to uniform, and a value of ordinary size.
            nn.init.orthogonal_(self.head.weight[: self.n_actions], 0.01)
            nn.init.orthogonal_(self.head.weight[self.n_actions :], 1.0)
            nn.init.zeros_(self.head.bias)

    @property
    def body(self) -> list[Any]:
        """The hidden layers, first to last."""
        return [getattr(self, f"body_{index}") for index in range(self.depth)]

    def encode(self, blocks: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """See ``PolicyNetwork.encode``."""
        (hidden,) = blocks
        for layer in self.body:
            hidden = functional.relu(layer(hidden), inplace=True)
        return (hidden,)

    def decide(self, encoded: tuple[Tensor, ...], hidden: Tensor) -> tuple[Tensor, Tensor]:
        """See ``PolicyNetwork.decide``."""
        out = self.head(hidden.float())
        return out[:, : self.n_actions], out[:, self.n_actions]

    def appraise(self, blocks: tuple[Tensor, ...]) -> Tensor:
        """See ``PolicyNetwork.appraise``."""
        encoded = self.encode(blocks)
        return self.decide(encoded, encoded[0])[1]


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
