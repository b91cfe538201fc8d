"""What the files of recorded games have in common: the format, the game they are of, checked fields."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any

from unspoken.agents.identity import ENVIRONMENTS
from unspoken.envs import __version__, make_game, task_name
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.one_game import OneGame
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint
from unspoken.train.checked_json import Fields, is_integer, is_number

FORMAT = "unspoken-replay"
VERSION = 1
"""Goes up when the file changes in a way that old readers cannot know."""

DIGITS = 4
"""Decimal places of probabilities and values."""

MOST = 2**63 - 1
"""The largest integer of a file, but for seeds."""

_NOT_OPTIONS = ("cards", "card_set")
"""Cards are told apart by their fingerprint: the path of a file says nothing on another machine."""


class ReplayError(ValueError):
    """A recorded game that cannot be used; the message says which and why."""


@dataclass(frozen=True, kw_only=True)
class SetUp:
    """What was played.

    Attributes:
        task: the task's name. game: ``"syzygy"`` or ``"syncro"``. options: every setting of its
            configuration but the cards.
        cards: of Syncro, the fingerprint of its cards.
        environment: name and version of the rules, such as ``"syzygy_v0"``.
        version: of the package that wrote it.
        source: where it comes from, for messages.
    """

    task: str
    game: str
    options: dict[str, Any]
    cards: str | None
    environment: str
    version: str = __version__
    source: str = field(default="replay", compare=False)


@dataclass(frozen=True)
class Result:
    """How a game ended.

    Attributes:
        score: the team's; won: whether that is all there was to win.
        illegal: an illegal action, the last one, ended the game. truncated: it was cut off for its length.
        tries: begun, where a game has several; else 1.
    """

    score: float
    won: bool
    illegal: bool
    truncated: bool
    tries: int

    @classmethod
    def of(cls, one: OneGame) -> "Result | None":
        """The result of a game; ``None`` while it goes on."""
        if not one.finished:
            return None
        return cls(one.score, one.won, one.illegal, one.truncated, one.tries)


def set_up(game: Game) -> dict[str, Any]:
    """The fields of ``SetUp`` that follow from a game."""
    config = game.config
    names = (each.name for each in fields(config) if each.name not in _NOT_OPTIONS)
    return {
        "task": task_name(config),
        "game": config.game,
        "options": {name: getattr(config, name) for name in names},
        "cards": fingerprint(config.card_set) if isinstance(config, SyncroConfig) else None,
        "environment": ENVIRONMENTS[config.game],
    }


def recorded_game(recorded: SetUp, cards: str | PathLike[str] | None = None) -> Game:
    """The game that something was recorded in.

    Args:
        recorded: a replay, or what one seat saw.
        cards: of Syncro, the file or folder of the cards it was played with, if not the package's own.

    Raises:
        ReplayError: the options or the cards do not fit; the message says how.
    """
    given = {} if cards is None else {"cards": cards}
    for name in _NOT_OPTIONS:  # no file of somebody's says which other files are read here
        if name in recorded.options:
            raise ReplayError(
                f"{recorded.source}: options: {name!r}: there is no such setting in a recording"
            )
    try:
        game: Game = make_game(recorded.game, **recorded.options, **given)
    except (TypeError, ValueError) as error:
        raise ReplayError(f"{recorded.source}: options: {error}") from None
    now = set_up(game)
    if recorded.cards != now["cards"]:
        raise ReplayError(
            f"{recorded.source}: played with the cards of fingerprint {recorded.cards}, which must be given; "
            f"cards={cards!r} have {now['cards']}"
        )
    for name in ("task", "options"):
        if getattr(recorded, name) != now[name]:
            raise ReplayError(f"{recorded.source}: {name}={getattr(recorded, name)!r}: must be {now[name]!r}")
    return game


def file_text(kind: str, recorded: SetUp, rest: dict[str, Any], name: str, lines: Sequence[object]) -> str:
    """The content of a file: the set-up, the ``rest``, and the list ``name`` with an entry a line."""
    head = {"format": FORMAT, "version": VERSION, "kind": kind}
    for each in ("task", "game", "options", "cards", "environment"):
        head[each] = getattr(recorded, each)
    head = {**head, "package": recorded.version, **rest}
    text = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    entries = ",\n".join(f"  {json.dumps(each)}" for each in lines)
    return "{\n" + text + f" {json.dumps(name)}: [\n{entries}\n ]\n}}\n"


def open_fields(content: object, source: str) -> Fields:
    """The fields of a file of this format and version."""
    taken = Fields(source, content, ReplayError)
    taken.take("format", repr(FORMAT), lambda it: it == FORMAT)
    taken.take(
        "version",
        f"{VERSION}, the version that this release reads",
        lambda it: is_integer(it, VERSION, VERSION),
    )
    return taken


def take_set_up(taken: Fields) -> dict[str, Any]:
    """The fields of ``SetUp``; the version of the rules must be the present one."""
    names = tuple(ENVIRONMENTS)
    game: str = taken.take("game", f"one of {', '.join(map(repr, names))}", lambda it: it in names)
    now = ENVIRONMENTS[game]
    taken.take("environment", f"{now!r}, the rules of this release", lambda it: it == now)
    return {
        "task": taken.text("task"),
        "game": game,
        "options": taken.take("options", "an object", lambda it: isinstance(it, dict)),
        "cards": taken.optional("cards", "a fingerprint", lambda it: isinstance(it, str)),
        "environment": now,
        "version": taken.text("package"),
        "source": taken.where,
    }


def take_result(taken: Fields) -> Result | None:
    """The result, where there is one."""
    value = taken.optional("result", "an object", lambda it: isinstance(it, dict))
    if value is None:
        return None
    inner = Fields(f"{taken.where}: result", value, ReplayError)
    result = Result(
        score=inner.number("score"),
        won=inner.yes_or_no("won"),
        illegal=inner.yes_or_no("illegal"),
        truncated=inner.yes_or_no("truncated"),
        tries=inner.integer("tries", 1, MOST),
    )
    inner.end()
    return result


def take_probabilities(taken: Fields) -> dict[int, float] | None:
    """Probabilities by action, where there are any."""
    allowed = "an object of actions with numbers from 0 to 1"
    given = taken.optional("probabilities", allowed, _are_probabilities)
    return None if given is None else {int(action): float(each) for action, each in given.items()}


def take_value(taken: Fields) -> float | None:
    """The value, where there is one."""
    value = taken.optional("value", "a number", is_number)
    return None if value is None else float(value)


def _are_probabilities(value: object) -> bool:
    return isinstance(value, dict) and all(
        action.isascii() and action.isdigit() and len(action) < 8 and is_number(each) and 0 <= each <= 1
        for action, each in value.items()
    )
