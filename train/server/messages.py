"""What a page may say, checked: everything else is answered with a problem and changes nothing."""

import json
from dataclasses import dataclass
from typing import Any

MAX_LENGTH = 4096
"""Characters of a message."""
MAX_MS = 86_400_000
"""Longest time a page may claim, a day."""


class Problem(Exception):  # noqa: N818 - the page is told; it is no error of the server
    """What is wrong with a message.

    Attributes:
        code, message: as the page is told.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def as_message(self) -> dict[str, Any]:
        """For the page."""
        return {"type": "problem", "code": self.code, "message": self.message}


@dataclass(frozen=True)
class Act:
    """``action`` in answer to the view with ``number``, ``ms`` after it was shown if the page says so."""

    number: int
    action: int
    ms: int | None


@dataclass(frozen=True)
class Consent:
    """Consent to the study, ``given`` or refused."""

    given: bool


@dataclass(frozen=True)
class Again:
    """The wish to play another game."""


@dataclass(frozen=True)
class Resend:
    """The wish to have the view once more."""


Message = Act | Consent | Again | Resend


def read_message(text: str) -> Message:
    """What a page says.

    Raises:
        Problem: it is not a message.
    """
    try:
        content = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Problem("not-json", "a message must be a JSON object in text") from None
    if not isinstance(content, dict):
        raise Problem("not-json", "a message must be a JSON object in text")
    kind = content.pop("type", None)
    if kind == "act":
        number, action = _integer(content, "number"), _integer(content, "action")
        ms = _integer(content, "ms") if content.get("ms") is not None else content.pop("ms", None)
        message: Message = Act(number, action, ms)
        if ms is not None and not 0 <= ms <= MAX_MS:
            raise Problem("bad-field", f"'ms' must be from 0 to {MAX_MS}")
    elif kind == "consent":
        given = content.pop("given", None)
        if not isinstance(given, bool):
            raise Problem("bad-field", "'given' must be true or false")
        message = Consent(given)
    elif kind == "again":
        message = Again()
    elif kind == "resend":
        message = Resend()
    else:
        raise Problem("unknown-type", "'type' must be one of act, again, consent, resend")
    if content:
        raise Problem("bad-field", f"a message of type {kind!r} has other fields than it may have")
    return message


def _refuse(name: str) -> None:
    raise ValueError(name)


def _integer(content: dict[str, Any], name: str) -> int:
    value = content.pop(name, None)
    if type(value) is not int:
        raise Problem("bad-field", f"{name!r} must be an integer")
    return value
