"""What the features and actions of a game are about: the things on the table, of a few kinds.

A network that knows which entries of an observation belong to the same thing can treat all things of a kind
alike. Nothing else depends on this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from unspoken.envs.engine.features import FeatureLayout

Choice: TypeAlias = "int | Sequence[str]"
"""Neighbouring actions: a number of actions that are about nothing, one for each item of a kind
(``["hand"]``), or one for each pair, the second item changing fastest (``["hand", "slot"]``)."""


@dataclass(frozen=True)
class Items:
    """The items of a game, and how its actions name them.

    Attributes:
        features: by kind of item, the names of the features that have one entry for each item of that kind.
        choices: the actions, from the first to the last.
    """

    features: Mapping[str, Sequence[str]]
    choices: Sequence[Choice]

    def sizes(self, layout: FeatureLayout) -> dict[str, int]:
        """How many items there are of each kind.

        Raises:
            KeyError: ``layout`` has no such feature. ValueError: the features of a kind differ in size.
        """
        sizes = {}
        for kind, names in self.features.items():
            found = {layout[name].size for name in names}
            if len(found) != 1:
                raise ValueError(f"the features of {kind!r} must have one entry for each: {', '.join(names)}")
            sizes[kind] = found.pop()
        return sizes

    def n_actions(self, layout: FeatureLayout) -> int:
        """How many actions the choices are."""
        sizes = self.sizes(layout)
        return sum(
            choice if isinstance(choice, int) else prod(sizes[kind] for kind in choice)
            for choice in self.choices
        )
