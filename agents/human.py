"""A person at the table: shown what its seat may know, and asked what to do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import State
from unspoken.agents.moves import meant, spans
from unspoken.agents.words import Sight, words_of
from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import Game

_MOST_NAMED = 8
"""Moves named in the answer to something that can mean several."""
_MOST_REASONS = 2
_MOST_TYPED = 80
"""Characters that are repeated of what was not understood."""

_UNDO = "There is no undo: a move is seen at once, and taking it back would tell the others something."
_TYPING = """\
Type a move by its name, in capitals or not, or as much of it as tells it
apart: mostly its numbers alone will do. #3 is the third move of the list. You
can also type:"""


class Dialogue(Protocol):
    """How a person is shown the game and asked: a terminal, or whatever stands for it."""

    @property
    def colour(self) -> bool:
        """Whether what is shown may be coloured."""

    def show(self, text: str) -> None:
        """Show lines."""

    def ask(self, prompt: str) -> str:
        """The next line that is typed; ``EOFError`` if there is none."""


@dataclass(frozen=True)
class Command:
    """Something that can be typed beside moves.

    Attributes:
        help: what it does, in a few words. run: does it.
    """

    help: str
    run: Callable[[], None]


class HumanAgent:
    """Plays what a person types, one game at a time, in as many seats as there are people at the keyboard.

    Attributes:
        last_action: (seat, action) that was played last, for the picture.
        news: lines about what has happened since the last decision. Whoever runs the game sets both.
    """

    name = "human"
    sees_state = False

    def __init__(self, dialogue: Dialogue, commands: Mapping[str, Command] | None = None) -> None:
        """
        Args:
            dialogue: how the person is shown the game and asked.
            commands: what else can be typed, such as ``quit``. What a command raises, ``act`` raises.
        """
        self.last_action: tuple[int, int] | None = None
        self.news: list[str] = []
        self._dialogue = dialogue
        self._commands = dict(commands or {})
        self._game: Game | None = None

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game; what it remembers is the person's own business."""
        self._game = game
        return None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """Ask for an action in each of the games, one after the other.

        Raises:
            EOFError: nothing more is typed.
        """
        assert self._game is not None, "the human agent plays the game that reset() binds"
        chosen = []
        for view, allowed in zip(features, mask, strict=True):
            sight = Sight(self._game, Scene(view, False, self.last_action))
            legal = [int(action) for action in np.flatnonzero(allowed)]
            chosen.append(_Decision(sight, legal, self._dialogue, self._commands).make(self.news))
        return np.array(chosen, np.int64), None


class _Decision:
    """One decision of a person."""

    def __init__(
        self, sight: Sight, legal: list[int], dialogue: Dialogue, commands: Mapping[str, Command]
    ) -> None:
        self._sight = sight
        self._game = sight.game
        self._legal = legal
        self._dialogue = dialogue
        self._words = words_of(sight.game)
        self._choices = self._words.choices(sight, legal)
        self._commands: dict[str, Command] = {
            "help": Command("the rules in short, what the picture shows, and this list", self._help),
            "moves": Command("the moves that are allowed now", self._list_moves),
            "look": Command("the picture again", self._look),
            **commands,
        }

    def make(self, news: list[str]) -> int:
        """Show the picture, the news and the moves, and ask until one of them is meant."""
        self._look()
        if news:
            self._dialogue.show("\n".join(["What has happened:", *(f"  {line}" for line in news)]))
        self._list_moves()
        while True:
            action = self._understand(self._dialogue.ask(f"player_{self._sight.scene['to_act']}> ").strip())
            if action is not None:
                return action

    def _look(self) -> None:
        draw = self._game.renderer.draw_text
        self._dialogue.show(draw(self._game, self._sight.shown, self._dialogue.colour))

    def _list_moves(self) -> None:
        lines = [self._words.question(self._sight, self._legal)]
        width = max(len(choice.name) for choice in self._choices)
        first = 1
        for choice in self._choices:
            numbers = spans(range(first, first + len(choice.actions)))
            lines.append(f"  #{numbers:<6} {choice.name:<{width}}  {choice.meaning}")
            first += len(choice.actions)
        self._dialogue.show("\n".join(lines))

    def _help(self) -> None:
        known = "\n".join(f"  {word:<6} {command.help}" for word, command in self._commands.items())
        self._dialogue.show(f"{self._words.RULES}\n\n{self._words.PICTURE}\n\n{_TYPING}\n{known}")

    def _understand(self, typed: str) -> int | None:
        """The action that is meant; ``None`` after anything else has been answered."""
        word = typed.casefold()
        if word in self._commands:
            self._commands[word].run()
        elif word == "undo":
            self._dialogue.show(_UNDO)
        elif typed.startswith("#"):
            return self._by_number(typed)
        elif typed:
            return self._by_name(typed)
        return None

    def _by_number(self, typed: str) -> int | None:
        ordered = [action for choice in self._choices for action in choice.actions]
        number = typed[1:].strip()
        if number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= len(ordered):
            return ordered[int(number) - 1]
        self._dialogue.show(f"{typed[:_MOST_TYPED]!r}: the list has the moves #1 to #{len(ordered)}.")
        return None

    def _by_name(self, typed: str) -> int | None:
        name = self._game.action_name
        found = meant(typed, {action: name(action) for action in self._legal})
        if len(found) == 1:
            return found[0]
        if found:
            more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
            named = ", ".join(name(action) for action in found[:_MOST_NAMED])
            self._dialogue.show(f"{typed[:_MOST_TYPED]!r} can mean {named}{more}.")
            return None
        commands = [known for known in self._commands if known.startswith(typed.casefold())]
        if len(commands) == 1:
            self._commands[commands[0]].run()
        else:
            self._dialogue.show(self._explain(typed[:_MOST_TYPED]))
        return None

    def _explain(self, typed: str) -> str:
        """Why nothing could be done with what was typed."""
        name = self._game.action_name
        found = meant(typed, {action: name(action) for action in range(self._game.config.n_actions)})
        if not found:
            return f"{typed!r} is not understood. Type a move, or one of {', '.join(self._commands)}."
        reasons: dict[str, int] = {}
        for action in found:
            reasons.setdefault(self._words.refusal(self._sight, action), action)
        if len(reasons) > _MOST_REASONS:
            return f"{typed!r} is not allowed now. Type moves to see what is."
        if len(reasons) == 1 < len(found):
            return f"{typed!r} is not allowed: {next(iter(reasons))}."
        return "\n".join(f"{name(action)} is not allowed: {reason}." for reason, action in reasons.items())
