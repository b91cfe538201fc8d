"""The log of a study: one JSON line for each game that all its people let be recorded."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any

from unspoken.envs import __version__
from unspoken.train.replay_format import set_up
from unspoken.train.seating import PERSON
from unspoken.train.server.match import Match

FORMAT = "unspoken-study"
VERSION = 1


@dataclass(frozen=True)
class ConsentForm:
    """What people are asked before anything is recorded: a ``text`` and which ``version`` of it."""

    text: str
    version: str


OUR_CONSENT = ConsentForm(
    version="1",
    text="The host of this table studies how people play together without speaking. If you agree, the "
    "games you play here are written to a file on the host's computer: the cards dealt, each move and "
    "how long it took, when the game began and how it ended, and a random number in place of you. "
    "Nothing else about you is kept: no name, no address, nothing from your browser. Only games to "
    "which everybody at the table agrees are written. You can play without agreeing, and you can "
    "change your answer at any time; a game that is still going on is then left out, and games that "
    "have ended stay.",
)

LONGEST_CONSENT = 10_000
"""Characters of a text of one's own."""


def read_consent(path: Path) -> ConsentForm:
    """A text of one's own: the file's, whose version is the beginning of its SHA-256.

    Raises:
        OSError: it cannot be read. ValueError: it is not UTF-8, empty or too long.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise ValueError(f"consent={str(path)!r}: must be a text in UTF-8") from None
    if not 1 <= len(text) <= LONGEST_CONSENT:
        raise ValueError(
            f"consent={str(path)!r}: {len(text)} characters; must be from 1 to {LONGEST_CONSENT}"
        )
    return ConsentForm(text, sha256(text.encode()).hexdigest()[:12])


class TableStudy:
    """What one table adds to the log.

    Attributes:
        consent: what people are asked. consented: their answers by seat, ``None`` until they answer.
    """

    def __init__(self, people: Sequence[int], consent: ConsentForm) -> None:
        """``people``: their seats."""
        self.consent = consent
        self.consented: dict[int, bool | None] = dict.fromkeys(people)
        self._visits: dict[int, str] = {}
        self._decisions: list[dict[str, Any]] = []
        self._agreed = True
        self._began = _now()

    @property
    def agreed(self) -> bool:
        """Whether all have let the whole of the game be kept, and still do."""
        return self._agreed and all(self.consented.values())

    def begin(self) -> None:
        """A new game."""
        self._decisions = []
        self._agreed = True
        self._began = _now()

    def visit(self, seat: int) -> str | None:
        """The random number that stands for a person in the log, while it agrees."""
        return self._visits.get(seat)

    def answer(self, seat: int, given: bool) -> None:
        """A person agrees to be recorded, or does not (any more)."""
        if given and seat not in self._visits:
            self._visits[seat] = secrets.token_hex(8)
        if not given:
            self._visits.pop(seat, None)
            if self._decisions:
                self._agreed = False
                self._decisions = []
        self.consented[seat] = given

    def decide(self, seat: int, action: int, legal: int, seconds: float | None, ms: int | None) -> None:
        """Note a decision: one of ``legal`` actions, taken after ``seconds``, in the page after ``ms``."""
        self._agreed = self.agreed
        if self._agreed:
            waited = None if seconds is None else round(seconds, 3)
            self._decisions.append(
                {"seat": seat, "action": action, "legal": legal, "seconds": waited, "page_ms": ms}
            )

    def line(self, match: Match) -> dict[str, Any]:
        """The game as it stands, for the log; only to be asked for if all have ``agreed``."""
        seats = [
            {"kind": "person", "id": self._visits[seat]} if name == PERSON else {"kind": "bot", "name": name}
            for seat, name in enumerate(match.names)
        ]
        return {
            "format": FORMAT,
            "version": VERSION,
            "package": __version__,
            "consent": {
                "version": self.consent.version,
                "text": self.consent.text,
                "given_by": sorted(self._visits),
            },
            **set_up(match.game),
            "seed": match.seed,
            "slot": match.slot,
            "episode": match.episode,
            "began": self._began,
            "seats": seats,
            "decisions": self._decisions,
            "finished": match.one.finished,
            "result": match.result(),
        }


def _now() -> str:
    """The time in UTC, to the second, such as ``2025-01-31T09:05:00+00:00``."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
