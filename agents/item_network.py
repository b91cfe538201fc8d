"""A network that treats all cards of a kind alike: each is embedded by the same weights.

An action is about a card (discard this one), about two (this spell on that monster), or about none. Its logit
is computed from the embeddings of the cards that it names, so what is learned of a card in one place holds in
every other. It needs a fraction of the decisions that a multi-layer perceptron needs.
"""

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from unspoken.agents.policy import HiddenLinear, MlpNetwork, PolicyNetwork
from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.items import Items

ITEM_WIDTH = 64
"""Length of an embedding."""


class ItemNetwork(PolicyNetwork):
    """Embeddings of items, hidden layers over all of them and the other features, and back to the items.

    ``hidden`` are the widths of the layers over everything; ``items`` says what the items and actions are.
    """

    kind: ClassVar[str] = "items"

    def __init__(self, layout: FeatureLayout, items: Items, hidden: Sequence[int], memory: int = 0) -> None:
        """See ``PolicyNetwork``."""
        super().__init__(layout, items, hidden, memory)
        sizes = items.sizes(layout)
        self._sizes = tuple(sizes.values())
        self._widths = tuple(
            sum(layout[name].cardinality for name in names) for names in items.features.values()
        )
        blocks, offsets = _item_by_item(layout, items)
        widths = [size * width for size, width in zip(self._sizes, self._widths, strict=True)]
        others = layout.onehot_size - sum(widths)
        self._place(blocks, offsets, [*widths, others])
        kinds = list(sizes)
        self._choices = tuple(
            choice if isinstance(choice, int) else tuple(kinds.index(kind) for kind in choice)
            for choice in items.choices
        )
        first, last = self.hidden[0], self.hidden[-1]
        self.embed = nn.ModuleList(HiddenLinear(width, ITEM_WIDTH, bias=False) for width in self._widths)
        self.place = nn.ParameterList(torch.zeros(size, ITEM_WIDTH) for size in self._sizes)
        self.from_items = nn.ModuleList(
            HiddenLinear(size * ITEM_WIDTH, first, bias=False) for size in self._sizes
        )
        self.from_others = HiddenLinear(others, first)
        self.body = nn.ModuleList(
            HiddenLinear(before, after) for before, after in zip(self.hidden, self.hidden[1:], strict=False)
        )
        self.to_items = nn.ModuleList(HiddenLinear(last, ITEM_WIDTH) for _ in self._sizes)
        self.mix = nn.ModuleList(HiddenLinear(ITEM_WIDTH, ITEM_WIDTH, bias=False) for _ in self._sizes)
        self.heads = nn.ModuleList(_head(choice, last) for choice in self._choices)
        self.value = nn.Linear(last, 1)
        self._add_memory()
        self._initialise()

    def _initialise(self) -> None:
        with torch.no_grad():
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    nn.init.orthogonal_(module.weight, math.sqrt(2.0))
                    if module.bias is not None:
                        nn.init.zeros_(module.bias)
            # A first policy that is close to uniform, and a value of ordinary size.
            for head in self.heads.modules():
                if isinstance(head, nn.Linear):
                    nn.init.orthogonal_(head.weight, 0.01)
            nn.init.orthogonal_(self.value.weight, 1.0)

    def encode(self, blocks: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The last hidden layer, then for each kind the embeddings ``(m, size, ITEM_WIDTH)``."""
        *seen, others = blocks
        embedded = []
        for block, size, width, layer, place in zip(
            seen, self._sizes, self._widths, self.embed, self.place, strict=True
        ):
            each = layer(block.reshape(len(block), size, width))
            embedded.append(functional.relu(each + place.to(self.dtype), inplace=True))
        hidden = self.from_others(others)
        for layer, each in zip(self.from_items, embedded, strict=True):
            hidden = hidden + layer(each.flatten(1))
        hidden = functional.relu(hidden, inplace=True)
        for layer in self.body:
            hidden = functional.relu(layer(hidden), inplace=True)
        return hidden, *embedded

    def decide(self, encoded: tuple[Tensor, ...], hidden: Tensor) -> tuple[Tensor, Tensor]:
        """See ``PolicyNetwork.decide``."""
        items = [
            functional.relu(mix(each) + back(hidden)[:, None], inplace=True)
            for mix, each, back in zip(self.mix, encoded[1:], self.to_items, strict=True)
        ]
        summary = hidden.float()
        logits = []
        for choice, head in zip(self._choices, self.heads, strict=True):
            if isinstance(choice, int):
                logits.append(head(summary))
            elif len(choice) == 1:
                logits.append(head(items[choice[0]].float()).flatten(1))
            else:
                first, second = (items[kind] for kind in choice)
                logits.append(torch.bmm(head(first), second.transpose(1, 2)).flatten(1).float())
        return torch.cat(logits, 1), self.value(summary)[:, 0]

    def appraise(self, blocks: tuple[Tensor, ...]) -> Tensor:
        """See ``PolicyNetwork.appraise``."""
        values: Tensor = self.value(self.encode(blocks)[0].float())
        return values[:, 0]


def _head(choice: int | tuple[int, ...], width: int) -> nn.Linear:
    """What turns embeddings into the logits of a choice."""
    if isinstance(choice, int):
        return nn.Linear(width, choice)
    if len(choice) == 1:
        return nn.Linear(ITEM_WIDTH, 1)
    return HiddenLinear(ITEM_WIDTH, ITEM_WIDTH, bias=False)


def _item_by_item(layout: FeatureLayout, items: Items) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Block and offset of each feature: a block for each kind, item after item, and one for the others."""
    blocks = np.full(layout.size, len(items.features))
    offsets = np.zeros(layout.size, np.int64)
    for block, names in enumerate(items.features.values()):
        width = sum(layout[name].cardinality for name in names)
        within = 0
        for name in names:
            feature = layout[name]
            blocks[feature.slice] = block
            offsets[feature.slice] = within + width * np.arange(feature.size)
            within += feature.cardinality
    others = blocks == len(items.features)
    sizes = layout.cardinalities[others]
    offsets[others] = np.cumsum(sizes) - sizes
    return blocks, offsets


NETWORKS: dict[str, type[MlpNetwork] | type[ItemNetwork]] = {
    network.kind: network for network in (MlpNetwork, ItemNetwork)
}
"""The networks that a training run can choose from."""
