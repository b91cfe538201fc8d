"""Reading JSON that people may have edited or cut off: every field is checked, errors say what is allowed."""

import json
import os
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from reprlib import Repr
from typing import Any

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


class Fields:
    """The fields of a JSON object, taken one by one.

    Attributes:
        where: what the object is, at the head of every error.
    """

    def __init__(self, where: str, value: object, error: type[ValueError] = ValueError) -> None:
        """``error``: what is raised for everything that is not allowed."""
        self.where = where
        self._error = error
        if not isinstance(value, dict):
            raise error(f"{where}: {_SHORT.repr(value)}: must be an object")
        self._left: dict[str, Any] = dict(value)

    def fail(self, name: str, value: object, allowed: str) -> ValueError:
        """The error that says what is allowed instead of ``value``."""
        return self._error(f"{self.where}: {name}={_SHORT.repr(value)}: must be {allowed}")

    def take(self, name: str, allowed: str, fits: Callable[[Any], bool]) -> Any:
        """The value of a field that must be there and fit."""
        if name not in self._left:
            raise self._error(f"{self.where}: has no {name!r}; must be {allowed}")
        value = self._left.pop(name)
        if not fits(value):
            raise self.fail(name, value, allowed)
        return value

    def optional(self, name: str, allowed: str, fits: Callable[[Any], bool]) -> Any:
        """The value of a field that may be left out or ``null``, which both give ``None``."""
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return None
        return self.take(name, f"{allowed}, or null", fits)

    def integer(self, name: str, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``."""
        value: int = self.take(name, f"an integer from {low} to {high}", lambda it: is_integer(it, low, high))
        return value

    def text(self, name: str) -> str:
        """A string."""
        value: str = self.take(name, "a string", lambda it: isinstance(it, str))
        return value

    def yes_or_no(self, name: str) -> bool:
        """``true`` or ``false``."""
        value: bool = self.take(name, "true or false", lambda it: isinstance(it, bool))
        return value

    def number(self, name: str) -> float:
        """A finite number."""
        return float(self.take(name, "a number", is_number))

    def items(self, name: str) -> list[Any]:
        """A list."""
        value: list[Any] = self.take(name, "a list", lambda it: isinstance(it, list))
        return value

    def end(self) -> None:
        """Refuse what has not been taken."""
        for name in self._left:
            raise self._error(f"{self.where}: {_SHORT.repr(name)}: there is no such field")


def is_integer(value: object, low: int, high: int) -> bool:
    """Whether ``value`` is an integer (not ``true`` or ``false``) from ``low`` to ``high``."""
    return type(value) is int and low <= value <= high


def is_number(value: object) -> bool:
    """Whether ``value`` is a finite number."""
    return (type(value) is int and abs(value) < 2**53) or (type(value) is float and isfinite(value))


def read_json(path: str | os.PathLike[str], what: str, error: type[ValueError] = ValueError) -> Any:
    """What lies in a JSON file; ``what`` it should be is said in errors."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror or problem}") from None
    except (ValueError, RecursionError) as problem:
        reason = "nested too deeply" if isinstance(problem, RecursionError) else problem
        raise error(f"{path}: damaged or cut off, not JSON ({reason}); must be {what}") from None
