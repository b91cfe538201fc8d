"""A game in words, for people: what there is to decide, what each move means, and what the others did.

Each game has a module ``unspoken.agents.<game>.words`` with what ``Words`` lists. All of it is made of what
one seat may know, so it can tell nobody more.
"""

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import Game


@dataclass(frozen=True)
class Sight:
    """A moment of a game as somebody sees it.

    Attributes:
        game: what is played. shown: the view, with the last action and the result.
    """

    game: Game
    shown: Scene

    @cached_property
    def scene(self) -> dict[str, Any]:
        """The moment as plain data (see the game's ``scene.describe``)."""
        described: dict[str, Any] = self.game.renderer.describe(self.game, self.shown)
        return described

    @cached_property
    def features(self) -> dict[str, npt.NDArray[np.int64]]:
        """The same by the names of the features, with seats relative to the one that sees it."""
        return self.game.layout.decode(self.shown.features)


@dataclass(frozen=True)
class Choice:
    """One or several legal moves of a kind, as a line of a list.

    Attributes:
        actions: the moves. name: ``CONFIRM 0-3, 5``. meaning: what they do, in plain words.
    """

    actions: tuple[int, ...]
    name: str
    meaning: str


class Words(Protocol):
    """What a game's module of words has."""

    RULES: str
    """The rules in short."""
    PICTURE: str
    """What the picture in the terminal shows."""

    def question(self, sight: Sight, legal: list[int]) -> str:
        """What the seat that sees this has to decide."""

    def choices(self, sight: Sight, legal: list[int]) -> list[Choice]:
        """All its legal moves, each once."""

    def refusal(self, sight: Sight, action: int) -> str:
        """Why an action is not legal."""

    def together(self, sight: Sight) -> bool:
        """Whether all decide this at once, so that no choice may be seen before the last is made."""

    def all_chose(self, before: Sight, after: Sight) -> bool:
        """Whether a choice that all make at once, made between these two moments, was the last of them."""

    def did(self, before: Sight, after: Sight, turned_up: Sight, seat: int, action: int) -> str:
        """One sentence about an action that all have seen, with ``you`` for the one who sees this.

        ``turned_up`` is ``before`` with all cards turned up, for cards that everybody sees by ``after``.
        """

    def chose(self, sight: Sight, choices: dict[int, int]) -> list[str]:
        """Lines about choices by seat that all made at once, when the last is made."""

    def consequences(self, before: Sight, after: Sight, turned_up: Sight) -> list[str]:
        """Lines about what an action brought about that all have seen; ``turned_up`` as in ``did``."""

    def spells_turned_up(self, before: Sight, after: Sight, turned_up: Sight) -> list[tuple[int, int, int]]:
        """``(slot, seat, value)`` of spells that lay face down and that all have seen now, as in ``did``."""

    def ending(self, turned_up: Sight) -> str:
        """How the game ended, and what the cards were."""


def words_of(game: Game) -> Words:
    """The game's module of words."""
    words: Any = import_module(f"unspoken.agents.{game.config.game}.words")
    return words  # type: ignore[no-any-return]


def who(seat: int, sight: Sight) -> str:
    """``you`` for the seat that sees this, else ``player_2``."""
    return "you" if seat == sight.scene["observer"] else f"player_{seat}"


def verb(seat: int, sight: Sight, plain: str, third: str | None = None) -> str:
    """A verb after ``who``: ``pass`` or ``passes``."""
    return plain if seat == sight.scene["observer"] else third or f"{plain}s"


def sentence(text: str) -> str:
    """``text`` with a capital at its beginning, but for a ``player_2``."""
    return text if text.startswith("player_") else text[:1].upper() + text[1:]
