"""How the cards of a level lie on the table, written as rows of text and drawn as text.

A row of a pattern is a string in steps of half a card. Each slot is two characters, the width of a card: a
letter for the card's back (``M`` monster, ``F`` fog, ``L`` lieutenant, ``B`` boss, ``C`` cerberus) and ``+``
for a card that lies face up or ``-`` for one that lies face down; a space is half a card of empty table. The
top row is placed first, and each slot lies over the slots of the rows above that it overlaps::

     M-M-          two face-down monsters, each under two of the cards
    M+M+M+         of the row below

A single ``B-`` is Boss I; ``B-B-B-`` are the three cards of Boss II, one slot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from unspoken.envs.syncro.limits import MAX_SLOTS, MAX_WIDTH

Back = Literal["monster", "fog", "lieutenant", "boss", "cerberus"]

BACKS: dict[str, Back] = {"M": "monster", "F": "fog", "L": "lieutenant", "B": "boss", "C": "cerberus"}
"""The letter of each card back."""
CARD_WIDTH = 2
"""Half cards that a card is wide."""
BIG_BOSS_CARDS = 3
"""Cards that Boss II is wide."""
CERBERUS_CARDS = 2
"""Cerberus that lie before Boss II."""

_LETTERS = {back: letter for letter, back in BACKS.items()}


class PatternError(ValueError):
    """A pattern that cannot be played.

    Attributes:
        row: the row at fault, 0 the top one.
    """

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class Slot:
    """A place in the horde.

    Attributes:
        back: which cards lie here, by their back.
        face_up: whether the card is placed face up.
        row: 0 is the top row, placed first.
        left: the left edge, in half cards.
        width: in half cards; 2, or 6 for Boss II.
    """

    back: Back
    face_up: bool
    row: int
    left: int
    width: int = CARD_WIDTH

    @property
    def is_big_boss(self) -> bool:
        """Whether this is Boss II."""
        return self.width > CARD_WIDTH

    def overlaps(self, other: "Slot") -> bool:
        """Whether the two slots share half a card of width."""
        return self.left < other.left + other.width and other.left < self.left + self.width

    def __str__(self) -> str:
        card = _LETTERS[self.back] + "-+"[self.face_up]
        return card * (self.width // CARD_WIDTH)


@dataclass(frozen=True)
class Horde:
    """The slots of a level: ``slots`` in the order in which they are filled, top row first, left to right."""

    slots: tuple[Slot, ...]

    @cached_property
    def covered_by(self) -> tuple[tuple[int, ...], ...]:
        """For each slot the slots that lie over it, as indices into ``slots``."""
        return tuple(
            tuple(
                index
                for index, over in enumerate(self.slots)
                if over.row > under.row and over.overlaps(under)
            )
            for under in self.slots
        )

    @cached_property
    def resolution_order(self) -> tuple[int, ...]:
        """The slots bottom row first, left to right in a row: the order of resolution and of turning up."""
        return tuple(
            sorted(range(len(self.slots)), key=lambda index: (-self.slots[index].row, self.slots[index].left))
        )

    def count(self, back: Back) -> int:
        """How many slots have this back."""
        return sum(slot.back == back for slot in self.slots)

    def all_over(self, index: int) -> set[int]:
        """Every slot that must be empty before this one is accessible, directly or through others."""
        over: set[int] = set()
        waiting = [index]
        while waiting:
            new = set(self.covered_by[waiting.pop()]) - over
            over |= new
            waiting.extend(new)
        return over

    def rows(self) -> tuple[str, ...]:
        """The pattern, as ``parse_pattern`` reads it."""
        lines = [""] * (1 + max(slot.row for slot in self.slots))
        for slot in self.slots:
            lines[slot.row] = lines[slot.row].ljust(slot.left) + str(slot)
        return tuple(lines)


def parse_pattern(rows: Sequence[str]) -> Horde:
    """Read a pattern, top row first, and check that it can be played.

    Raises:
        PatternError: a row is not written as it must be, or the level could not be played with it.
    """
    if not rows:
        raise PatternError("no rows: must have at least one", 0)
    slots: list[Slot] = []
    for row, text in enumerate(rows):
        found = _parse_row(text, row)
        if not found:
            raise PatternError("an empty row: must have at least one slot", row)
        slots.extend(found)
    if len(slots) > MAX_SLOTS:
        raise PatternError(f"{len(slots)} slots: must be at most {MAX_SLOTS} (Boss II is one)", len(rows) - 1)
    horde = Horde(tuple(slots))
    _check_backs(horde)
    _check_bosses(horde)
    _check_accessible(horde)
    return horde


def _parse_row(text: str, row: int) -> list[Slot]:
    if len(text.rstrip()) > MAX_WIDTH:
        raise PatternError(
            f"{len(text.rstrip())} half cards: a row must be at most {MAX_WIDTH} half cards wide", row
        )
    slots: list[Slot] = []
    column = 0
    while column < len(text):
        if text[column] == " ":
            column += 1
            continue
        card = text[column : column + CARD_WIDTH]
        if len(card) < CARD_WIDTH or card[0] not in BACKS or card[1] not in "+-":
            letters = ", ".join(f"{letter} ({back})" for letter, back in BACKS.items())
            raise PatternError(
                f"{card!r} at column {column + 1}: a slot must be one of {letters}, "
                "followed by + (face up) or - (face down)",
                row,
            )
        slots.append(Slot(BACKS[card[0]], card[1] == "+", row, column))
        column += CARD_WIDTH
    return _join_boss(slots)


def _join_boss(slots: list[Slot]) -> list[Slot]:
    """The slots of a row, with neighbouring cards of a boss made one."""
    joined: list[Slot] = []
    for slot in slots:
        last = joined[-1] if joined else None
        if last and slot.back == last.back == "boss" and slot.left == last.left + last.width:
            width = last.width + slot.width
            joined[-1] = Slot("boss", last.face_up or slot.face_up, slot.row, last.left, width)
        else:
            joined.append(slot)
    return joined


def _check_backs(horde: Horde) -> None:
    for slot in horde.slots:
        if slot.face_up and slot.back != "monster":
            down = _LETTERS[slot.back] + "-"
            raise PatternError(f"{slot}: a {slot.back} card must lie face down, {down}", slot.row)


def _check_bosses(horde: Horde) -> None:
    bosses = [slot for slot in horde.slots if slot.back == "boss"]
    for boss in bosses:
        cards = boss.width // CARD_WIDTH
        if cards not in (1, BIG_BOSS_CARDS):
            raise PatternError(
                f"{boss}: a boss must be one card (Boss I, B-) or three (Boss II, B-B-B-)", boss.row
            )
    if len(bosses) > 1:
        raise PatternError(f"{len(bosses)} bosses: there must be at most one", bosses[-1].row)
    dogs = [index for index, slot in enumerate(horde.slots) if slot.back == "cerberus"]
    big = any(boss.is_big_boss for boss in bosses)
    if len(dogs) != CERBERUS_CARDS * big:
        row = horde.slots[dogs[-1]].row if dogs else bosses[0].row
        needed = "Boss II (B-B-B-) needs exactly 2" if big else "they must lie before Boss II (B-B-B-) only"
        raise PatternError(f"{len(dogs)} Cerberus: {needed}", row)
    for dog in dogs:
        for index in sorted(horde.all_over(dog)):
            over = horde.slots[index]
            if over.back == "cerberus" or over.is_big_boss:
                raise PatternError(
                    f"{over} lies over a Cerberus, directly or through others: "
                    "the two Cerberus and Boss II must not, or they could never be attacked",
                    over.row,
                )


def _check_accessible(horde: Horde) -> None:
    for slot, over in zip(horde.slots, horde.covered_by, strict=True):
        if not over and not slot.face_up:
            raise PatternError(
                f"{slot} at column {slot.left + 1} is not covered: "
                "a card accessible from the start must be a monster that lies face up, M+",
                slot.row,
            )


_HALF = 3
"""Characters that half a card is wide in a drawing."""


def draw_horde(horde: Horde) -> str:
    """The horde as it lies, in lines of text: what lies over other cards hides their lower edge."""
    height = 2 * len(horde.rows()) + 1
    width = _HALF * max(slot.left + slot.width for slot in horde.slots) + 1
    canvas = [[" "] * width for _ in range(height)]
    for slot in horde.slots:
        inner = _HALF * slot.width - 1
        edge = "+" + "-" * inner + "+"
        face = str(slot)[:CARD_WIDTH]
        for line, text in enumerate((edge, "|" + face.center(inner) + "|", edge)):
            left = _HALF * slot.left
            canvas[2 * slot.row + line][left : left + len(text)] = text
    return "\n".join("".join(line).rstrip() for line in canvas)
