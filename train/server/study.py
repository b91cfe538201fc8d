"""The log of a study: one JSON line for each game that all its people let be recorded."""

import json
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from unspoken.envs import __version__
from unspoken.train.server.match import Match

FORMAT = "unspoken-study"
VERSION = 1

CONSENT_VERSION = "1"
CONSENT_TEXT = (
    "The host of this table studies how people play together without speaking. If you agree, the games "
    "you play here are written to a file on the host's computer: the cards dealt, each move and how "
    "long it took, how the game ended, and a random number in place of you. Nothing else about you is "
    "kept: no name, no address, nothing from your browser. Only games to which everybody at the table "
    "agrees are written. You can play without agreeing, and you can change your answer at any time; a "
    "game that is still going on is then left out, and games that have ended stay."
)


class StudyLog:
    """The file, to which whole lines are added.

    Attributes:
        path: where it lies.
    """

    def __init__(self, path: Path) -> None:
        """
        Raises:
            OSError: it cannot be written.
        """
        self.path = path
        self._lock = Lock()
        self.append_text("")

    def append(self, line: dict[str, Any]) -> None:
        """Add one line, on disk when this returns."""
        self.append_text(json.dumps(line, allow_nan=False) + "\n")

    def append_text(self, text: str) -> None:
        """Add text in one write, so that lines of several writers do not mix."""
        with self._lock:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, text.encode())
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


class TableStudy:
    """What one table adds to the log.

    Attributes:
        consent_text: what people are asked. consented: their answers by seat, ``None`` until they answer.
    """

    consent_text = CONSENT_TEXT

    def __init__(
        self, write: Callable[[dict[str, Any]], None], task: str, people: Sequence[int], bots: dict[int, str]
    ) -> None:
        """``write``: adds a line to the log. ``bots``: names by seat."""
        self.consented: dict[int, bool | None] = dict.fromkeys(people)
        self._write = write
        self._task = task
        self._bots = bots
        self._visits: dict[int, str] = {}
        self._decisions: list[dict[str, Any]] = []
        self._whole = True

    def begin(self) -> None:
        """A new game."""
        self._decisions = []
        self._whole = True

    def answer(self, seat: int, given: bool) -> None:
        """A person agrees to be recorded, or does not."""
        if given and not self.consented[seat]:
            self._visits[seat] = secrets.token_hex(8)
        self.consented[seat] = given
        if not given:
            self._visits.pop(seat, None)
            if self._decisions:
                self._whole = False
                self._decisions = []

    def decide(self, seat: int, action: int, legal: int, seconds: float | None, ms: int | None) -> None:
        """Note a decision: one of ``legal`` actions, taken after ``seconds``, in the page after ``ms``."""
        if not all(self.consented.values()):
            self._whole = False
        if self._whole:
            self._decisions.append(
                {
                    "seat": seat,
                    "action": action,
                    "legal": legal,
                    "seconds": None if seconds is None else round(seconds, 3),
                    "page_ms": ms,
                }
            )

    def finish(self, match: Match) -> None:
        """Write the game, finished or cut off by the end of the server, if all let it be written."""
        if not self._whole or not self._decisions:
            return
        config = match.game.config
        self._write(
            {
                "format": FORMAT,
                "version": VERSION,
                "package": __version__,
                "consent": {
                    "version": CONSENT_VERSION,
                    "text": self.consent_text,
                    "given_by": sorted(self._visits),
                },
                "task": self._task,
                "seed": match.seed,
                "slot": match.slot,
                "episode": match.episode,
                "seats": [
                    {"kind": "person", "id": self._visits[seat]}
                    if seat in self._visits
                    else {"kind": "bot", "name": self._bots[seat]}
                    for seat in range(config.n_players)
                ],
                "decisions": self._decisions,
                "finished": match.one.finished,
                "result": match.result(),
            }
        )
        self._decisions = []
