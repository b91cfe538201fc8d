"""Plain text for the command line: tables, percentages, and options written as ``key=value``."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its columns aligned: the first one to the left, the others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def plain(text: str) -> str:
    """``text`` with escapes in place of what is no letter, number or sign: a terminal would obey some of it.

    Names in files that others have written may hold it.
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def percent(rate: float) -> str:
    """A rate as a percentage; 100.00% and 0.00% only where they are exact.

    Rounding must not turn 99.996% into a perfect score.
    """
    shown = f"{100 * rate:.2f}%"
    if shown == "100.00%" and rate < 1:
        return ">99.99%"
    if shown == "0.00%" and rate > 0:
        return "<0.01%"
    return shown


def add_set_argument(parser: argparse.ArgumentParser, more: str = "") -> None:
    """``--set KEY=VALUE ...``, for ``parse_options``; ``more`` is said in its help as well."""
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help=f"further settings of the game, such as emotions=2{more}",
    )


def parse_options(pairs: Iterable[str]) -> dict[str, Any]:
    """``["emotions=2", "memory=none"]`` as ``{"emotions": 2, "memory": "none"}``; values are read as YAML.

    Raises:
        ValueError: an entry is not of the form key=value, its value is not YAML, or a key is given twice.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise ValueError(f"option {pair!r}: must be of the form key=value")
        if key in options:
            raise ValueError(f"option {pair!r}: {key} is given twice")
        try:
            options[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ValueError(f"option {pair!r}: {value!r} is not a value in YAML") from None
    return options


def parse_settings(
    defaults: Mapping[str, Any], pairs: Iterable[str], may_be_zero: Sequence[str]
) -> dict[str, Any]:
    """The settings in ``key=value`` pairs, each of the type of its default; a folder is text.

    Raises:
        ValueError, TypeError: a key that has no default, a value of another type, or an integer below 1
            (below 0 for those that ``may_be_zero``); the message says what is allowed.
    """
    options = parse_options(pairs)
    for name, value in options.items():
        if name not in defaults:
            raise ValueError(f"{name}={value!r}: unknown setting; there are {', '.join(defaults)}")
        wanted = str if name == "folder" else type(defaults[name])
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            options[name] = float(value)
        elif not isinstance(value, wanted) or isinstance(value, bool):
            raise TypeError(f"{name}={value!r}: must be of type {wanted.__name__}")
        elif isinstance(value, int) and value < (0 if name in may_be_zero else 1):
            raise ValueError(f"{name}={value!r}: must be positive")
    return options
