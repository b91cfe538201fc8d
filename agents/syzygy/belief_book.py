"""Books: plans of the first turns, made at leisure.

A node early in the game has thousands of rows, too many to search while others wait. For the games in
``BOOKS`` the plans of the first turns are read instead (see ``unspoken.train.write_book``).
"""

import json
from importlib import resources
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unspoken.agents.syzygy.belief_plan import codes_of

BOOKS = {(9, 8, False): "base-2p", (7, 8, True): "trial-2p"}
"""Of games by cards, turns and whether there is a Blackhole: the file in ``books`` with their first turns."""

Ints = npt.NDArray[np.int64]
Record = tuple[int, ...]
"""The public moves so far: ``source * n + destination``, or ``n * n`` for a pass."""

_PASS = "pass"
_NEVER = "."
"""Instead of a destination for a card that cannot be found there."""


class Plan(NamedTuple):
    """One turn for everything that the mover may have seen.

    Attributes:
        sources: what the mover knows (``code_of``) -> position to take, n for a pass.
        destinations: what the mover knows * n + the card it found -> position to move it to.
    """

    sources: dict[int, int]
    destinations: dict[int, int]

    @classmethod
    def of(cls, rows: Ints, action: Ints, known: int, n: int) -> "Plan":
        """The plan by which each of ``rows`` has its action, of a mover that knows the cards at ``known``."""
        codes = codes_of(rows, known, n)
        source = action // n
        unique, first = np.unique(codes, return_index=True)
        taken = source < n
        card = (rows >> (4 * np.minimum(source, n - 1))) & 15
        keys, at = np.unique((codes * n + card)[taken], return_index=True)
        return cls(
            dict(zip(unique.tolist(), source[first].tolist(), strict=True)),
            dict(zip(keys.tolist(), (action % n)[taken][at].tolist(), strict=True)),
        )

    def actions(self, rows: Ints, known: int, n: int) -> Ints:
        """The action for each of ``rows``, the other way round.

        Raises:
            ValueError: the plan does not say one.
        """
        codes, number = np.unique(codes_of(rows, known, n), return_inverse=True)
        sources = np.array([self.sources.get(code, -1) for code in codes.tolist()])
        places = np.array(
            [[self.destinations.get(code * n + card, -1) for card in range(n)] for code in codes.tolist()]
        )
        source = sources[number]
        card = (rows >> (4 * np.clip(source, 0, n - 1))) & 15
        place = places[number, card]
        if ((source < 0) | ((source < n) & (place < 0))).any():
            raise ValueError("the plan does not say what to do with all that may be seen")
        return np.where(source == n, n * n, source * n + place)


Book = dict[Record, Plan]


def load_book(n: int, turns: int, has_blackhole: bool) -> Book:
    """The book of a game; empty where there is none."""
    name = BOOKS.get((n, turns, has_blackhole))
    if name is None:
        return {}
    return parse_book(
        resources.files("unspoken.agents.syzygy").joinpath(f"books/{name}.json").read_text("utf-8"), n
    )


def parse_book(text: str, n: int) -> Book:
    """What ``format_book`` has written."""
    book = {}
    for record, lines in json.loads(text)["plans"].items():
        plan = Plan({}, {})
        for seen, line in lines.items():
            code = 0
            for card in seen:
                code = code * n + int(card) - 1
            if line == _PASS:
                plan.sources[code] = n
                continue
            source, places = line.split(" ")
            plan.sources[code] = int(source) - 1
            for card, place in enumerate(places):
                if place != _NEVER:
                    plan.destinations[code * n + card] = int(place) - 1
        book[tuple(_move_of(word, n) for word in record.split())] = plan
    return book


def format_book(task: str, book: Book, n_players: int, n: int) -> str:
    """A book as JSON. Cards and positions are counted from 1, so all are digits.

    A record is a word for each move (``37``: from position 3 to 7, or ``pass``). For the cards that the mover
    has seen, from left to right, a plan says the position to take and, for each card that may lie there, the
    position to move it to.
    """
    lines = []
    for record, plan in book.items():
        words = " ".join(_PASS if move == n * n else f"{move // n + 1}{move % n + 1}" for move in record)
        # Every card that a player has moved bears its chip, and those are the ones it has seen.
        chips = sum(move != n * n for move in record[len(record) % n_players :: n_players])
        entries = {}
        for code, source in plan.sources.items():
            seen = "".join(str(code // n**digit % n + 1) for digit in reversed(range(chips)))
            places = [plan.destinations.get(code * n + card) for card in range(n)]
            text = "".join(_NEVER if place is None else str(place + 1) for place in places)
            entries[seen] = _PASS if source == n else f"{source + 1} {text}"
        lines.append(f"    {json.dumps(words)}: {json.dumps(entries)}")
    return f'{{\n  "task": {json.dumps(task)},\n  "plans": {{\n' + ",\n".join(lines) + "\n  }\n}\n"


def _move_of(word: str, n: int) -> int:
    return n * n if word == _PASS else (int(word[0]) - 1) * n + int(word[1]) - 1
