"""A saved adventure: the level reached and the cards unlocked, in a small JSON file.

As at the table, hands, Rewards and the order of the decks are not kept: whoever loads an adventure begins the
level reached with a new deal, and with one Reward each from chapter II on.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.syncro.cards import CardSet
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.limits import HAND_LIMITS, LEVELS

FORMAT = "unspoken-syncro-adventure"
VERSION = 1


class ProgressError(ValueError):
    """A saved adventure that cannot be used; the message names the file and says why."""


@dataclass(frozen=True)
class Progress:
    """How far an adventure has come.

    Attributes:
        level: the level to begin with.
        unlocked: the three cards of the end of the adventure are in the decks.
        n_players: wizards.
        cards: fingerprint of the card set (see ``fingerprint``).
    """

    level: str
    unlocked: bool
    n_players: int
    cards: str

    def config(self, reward: str = "sparse", cards: str | PathLike[str] | None = None) -> SyncroConfig:
        """The adventure from here on.

        Args:
            reward, cards: as in ``SyncroConfig``.

        Raises:
            ProgressError: the adventure was begun with other cards.
        """
        config = SyncroConfig("adventure", self.n_players, reward, self.unlocked, self.level, cards)
        given = fingerprint(config.card_set)
        if given != self.cards:
            raise ProgressError(
                f"cards={cards!r}: these have the fingerprint {given}; the adventure was begun with "
                f"other cards, which must be given, of fingerprint {self.cards}"
            )
        return config


def fingerprint(cards: CardSet) -> str:
    """Sixteen hexadecimal digits that are the same for the same cards, wherever they were read from."""
    data = cards.model_dump(mode="json", exclude={"sources"})
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def progress_of(config: SyncroConfig, state: Any) -> Progress:
    """What is to be saved of a game as it stands (``state`` is one record of ``STATE_DTYPE``).

    A level that is not won yet is begun anew. After the last level a second adventure begins, with the three
    cards it has unlocked.
    """
    # Not from the level of the state: a game may end, by an illegal action, between two levels.
    reached = int(config.params[0].first_level) + int(state["levels_won"])
    if reached == len(LEVELS):
        return Progress(LEVELS[0], True, config.n_players, fingerprint(config.card_set))
    return Progress(LEVELS[reached], config.unlocked, config.n_players, fingerprint(config.card_set))


def save_progress(path: str | PathLike[str], progress: Progress) -> None:
    """Write a saved adventure, whole or not at all: what was at ``path`` before stays until then.

    Raises:
        OSError: the file cannot be written.
    """
    data = {"format": FORMAT, "version": VERSION, **asdict(progress)}
    write_whole(path, json.dumps({**data, "check": _check(data)}, indent=2) + "\n")


def load_progress(path: str | PathLike[str]) -> Progress:
    """Read a saved adventure.

    Raises:
        ProgressError: there is no such file, it is damaged, or of another version.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ProgressError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise ProgressError(f"{path}: damaged, not JSON; must be a saved adventure") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ProgressError(f"{path}: must be a saved adventure (format {FORMAT!r})")
    if data.get("version") != VERSION:
        raise ProgressError(f"{path}: version {data.get('version')!r}; this release reads version {VERSION}")
    check = data.pop("check", None)
    if check != _check(data):
        raise ProgressError(f"{path}: damaged, its content does not fit its check")
    return _validated(path, data)


def _check(data: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def _validated(path: str | PathLike[str], data: dict[str, Any]) -> Progress:
    expected = {
        "level": f"one of {', '.join(LEVELS)}",
        "unlocked": "true or false",
        "n_players": f"from {min(HAND_LIMITS)} to {max(HAND_LIMITS)}",
        "cards": "a fingerprint",
    }
    fits = {
        "level": data.get("level") in LEVELS,
        "unlocked": isinstance(data.get("unlocked"), bool),
        "n_players": type(data.get("n_players")) is int and data["n_players"] in HAND_LIMITS,
        "cards": isinstance(data.get("cards"), str),
    }
    for key, allowed in expected.items():
        if not fits[key]:
            raise ProgressError(f"{path}: {key}={data.get(key)!r}: must be {allowed}")
    return Progress(**{key: data[key] for key in expected})
