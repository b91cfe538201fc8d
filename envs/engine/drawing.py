"""What a renderer is given to show."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Seen = dict[str, Any]
"""A scene as plain data, or a part of it (see a game's ``scene.describe``)."""

ENDINGS = {"won": "Won.", "lost": "Lost.", "illegal": "Lost by an illegal action."}
"""What is said of a game that is over, by its result."""


@dataclass(frozen=True)
class Scene:
    """One moment of a game as somebody sees it: all that a renderer is given.

    Attributes:
        features: ``(F,) int8``, the view.
        everything: the view has all cards turned up.
        last_action: (seat, action) played last, or ``None``; the action is ``None`` if it is not known.
        result: ``"won"``, ``"lost"``, ``"illegal"`` (lost by an illegal action); ``None`` during the game.
    """

    features: npt.NDArray[np.int8]
    everything: bool
    last_action: tuple[int, int | None] | None = None
    result: str | None = None

    def kept(self) -> "Scene":
        """The same with features of its own, which stay as they are when the game goes on."""
        return replace(self, features=self.features.copy())
