"""The game at a table, without clocks and connections: what is played, and what each seat may know of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unspoken.agents.words import Sight, words_of
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.display import scene_of
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import Recorder, Replay
from unspoken.train.seating import PERSON

LOG_LENGTH = 50
"""Decisions of the log that a view holds."""


@dataclass
class _Entry:
    """One decision of the log; not ``public`` while those who decide together do not see it.

    ``spells`` are those of Syncro that it let all see: of each the slot, the seat and the value.
    """

    seat: int
    action: int
    public: bool = False
    spells: list[tuple[int, int, int]] = field(default_factory=list)


class Match:
    """Games at one table, one after the other.

    Attributes:
        game: what is played. names: who plays, by seat; people are ``PERSON``. seed, slot: of the deals.
        one: the game in progress. number: decisions made in it. game_number: games begun, this one included.
    """

    def __init__(self, game: Game, names: Sequence[str], seed: int, slot: int) -> None:
        self.game = game
        self.names = tuple(names)
        self.seed = seed
        self.slot = slot
        self.one = OneGame(game, "compact")
        self._people = [seat for seat, name in enumerate(names) if name == PERSON]
        self.number = 0
        self.game_number = 0
        self._log: list[_Entry] = []
        self._scenes: dict[int | None, dict[str, Any]] = {}

    @property
    def episode(self) -> int:
        """The deal's number, from 0."""
        return self.game_number - 1

    def begin(self) -> None:
        """Deal the next game."""
        self.game_number += 1
        self.number = 0
        self._log = []
        self._scenes = {}
        self._recorder = Recorder(self.game, self.names, self.seed, self.slot, self.episode)
        self.one.deal(self.seed, self.slot, self.episode)
        self._open = self._turned_up()

    def play(self, action: int) -> None:
        """Play a legal action for the seat to act."""
        seat, before = self.one.seat, self._open
        self._recorder.append(seat, action)
        self.one.play(action)
        self._open = self._turned_up()
        shown = words_of(self.game).spells_turned_up(before, self._open, before)
        self._log.append(_Entry(seat, action, spells=shown))
        self.number += 1
        self._scenes = {}
        other = next((person for person in self._people if person != seat), (seat + 1) % self.one.n_players)
        for entry in self._log[-LOG_LENGTH:]:
            if not entry.public:
                entry.public = self._last(entry, other)["action"] is not None

    def legal(self) -> list[int]:
        """The actions that the seat to act may choose from; none at the end."""
        return [action for action in range(self.one.n_actions) if self.one.is_legal(action)]

    def scene(self, seat: int | None) -> dict[str, Any]:
        """What ``seat`` may know, ready for JSON; ``None``: with all cards turned up."""
        if seat not in self._scenes:
            self._scenes[seat] = self.game.renderer.describe(self.game, scene_of(self.one, seat))
        return self._scenes[seat]

    def log(self, seat: int) -> list[dict[str, Any]]:
        """The last decisions as ``seat`` may know them."""
        return [
            {
                "seat": entry.seat,
                "text": self.game.action_name(entry.action)
                if entry.public
                else self._last(entry, seat)["text"],
                "spells": entry.spells,
            }
            for entry in self._log[-LOG_LENGTH:]
        ]

    def _turned_up(self) -> Sight:
        """The table now, with all cards turned up."""
        return Sight(self.game, scene_of(self.one, None).kept())

    def result(self) -> dict[str, Any] | None:
        """How the game ended; ``None`` while it goes on."""
        one = self.one
        if not one.finished:
            return None
        return {
            "won": one.won,
            "score": one.score,
            "max_score": self.game.max_score,
            "truncated": one.truncated,
            "tries": one.tries,
        }

    def replay(self) -> Replay:
        """The game so far, as a replay."""
        return self._recorder.replay(self.one)

    def _last(self, entry: _Entry, seat: int) -> dict[str, Any]:
        """A decision as ``seat`` may know it now: the ``last`` of a scene."""
        if entry is self._log[-1]:
            last: dict[str, Any] = self.scene(seat)["last"]
            return last
        scene = replace(scene_of(self.one, seat), last_action=(entry.seat, entry.action))
        last = self.game.renderer.describe(self.game, scene)["last"]
        return last
