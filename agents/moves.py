"""Which of the named actions somebody means who types a few words.

A name such as ``ATTACK 8 with 2`` is meant by its words in their order, any of them left out or cut short,
in capitals or not: ``attack 8 with 2``, ``a 8 2``, ``8, 2``. Numbers are whole, and there is nothing else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

_WORDS = re.compile(r"[^\W\d]+|\d+|[^\s,.:]")


def meant(typed: str, names: Mapping[int, str]) -> list[int]:
    """The actions whose names ``typed`` can mean; none for an empty line.

    The whole name, or all its numbers without any word, means that action alone, even if it could be short
    for another one.

    Args:
        typed: what was typed.
        names: the names to choose from, by action.
    """
    words = _split(typed)
    if not words:
        return []
    found = {}
    for action, name in names.items():
        parts = _split(name)
        if words == parts:
            return [action]
        if _is_short_for(words, parts):
            found[action] = parts
    exact = [action for action, parts in found.items() if words == [part for part in parts if part.isdigit()]]
    return exact if len(exact) == 1 else list(found)


def _split(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def _is_short_for(words: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the words, in their order, are each equal to a part or the beginning of one."""
    left = iter(parts)
    return all(
        any(word == part if word.isdigit() else part.startswith(word) for part in left) for word in words
    )


def spans(numbers: Iterable[int]) -> str:
    """Ascending numbers in short: ``0, 2-5``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
