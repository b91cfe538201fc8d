"""What the files of recorded games have in common: their format, its version, and checked fields."""

from unspoken.agents.identity import ENVIRONMENTS
from unspoken.train.checked_json import Fields, is_integer, is_number

FORMAT = "unspoken-replay"
VERSION = 1
"""Goes up when the file changes in a way that old readers cannot know."""

DIGITS = 4
"""Decimal places of probabilities and values."""


class ReplayError(ValueError):
    """A replay that cannot be used; the message says which and why."""


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


def take_game(taken: Fields) -> tuple[str, str]:
    """The game and the version of its rules, which must be the present one."""
    names = tuple(ENVIRONMENTS)
    game: str = taken.take("game", f"one of {', '.join(map(repr, names))}", lambda it: it in names)
    now = ENVIRONMENTS[game]
    taken.take("environment", f"{now!r}, the rules of this release", lambda it: it == now)
    return game, now


def take_seats(taken: Fields) -> tuple[str, ...]:
    """The names of those who played, by seat."""
    return tuple(taken.take("seats", "a list of names", _are_names))


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


def _are_names(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(each, str) for each in value)
