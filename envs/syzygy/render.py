"""Pictures of Syzygy: text for a terminal and an image drawn in memory, both from one view of the game.

A view holds what its observer may know and nothing else, so a picture of a seat's view cannot show more.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Canvas, Colour, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syzygy.scene import describe

BACKGROUND: Colour = (24, 26, 38)
INK: Colour = (232, 230, 220)
FAINT: Colour = (110, 114, 134)
CARD: Colour = (240, 232, 206)
CARD_BACK: Colour = (58, 66, 110)
CARD_INK: Colour = (36, 32, 48)
HOLE: Colour = (6, 6, 10)
LOOKED_AT: Colour = (250, 200, 60)
SEATS: tuple[Colour, ...] = (
    (226, 92, 80),
    (86, 156, 230),
    (110, 190, 110),
    (236, 176, 66),
    (176, 124, 214),
    (88, 196, 196),
)

_MARGIN = 16
_LABELS = 124
_CELL = 56
_CARD_HEIGHT = 72
_ROW = 32
_LINE = 24
_HEADER = 4 * _LINE
_LEAST_WIDTH = 800


def _face(scene: dict[str, Any], position: int) -> str:
    """A card's face: its planet, ``?``, or ``@`` (and what lies there, if seen) for the Blackhole."""
    card = scene["cards"][position]
    value = str(card["planet"] or "")
    return f"@{value}" if card["blackhole"] else value or "?"


def _passed(scene: dict[str, Any], seat: int) -> str:
    chips = [str(turn["chip"]) for turn in scene["seats"][seat]["turns"] if turn["passed"]]
    return f"passed {' '.join(chips)}" if chips else ""


def draw_text(game: Game, scene: Scene) -> str:
    """The scene as lines of text, for a terminal."""
    seen = describe(game, scene)
    lines = [seen["title"], seen["status"], seen["last_text"], ""]
    positions = range(len(seen["cards"]))
    lines.append(_text_row("position", [str(position) for position in positions]))
    faces = [_face(seen, position) for position in positions]
    if seen["looked_at"] is not None:
        faces[seen["looked_at"]] = f"[{faces[seen['looked_at']]}]"
    lines.append(_text_row("planet", faces))
    for seat in range(seen["n_players"]):
        marker = ">" if seat == seen["to_act"] else " "
        chips = [card["chips"][seat] for card in seen["cards"]]
        row = _text_row(f"player_{seat}", [str(chip) if chip else "." for chip in chips], marker)
        if passed := _passed(seen, seat):
            row += f"   {passed}"
        lines.append(row)
    return "\n".join(lines) + "\n"


def _text_row(label: str, cells: list[str], marker: str = " ") -> str:
    return f"{marker} {label:<9}" + "".join(f"{cell:>4} " for cell in cells).rstrip()


def draw_image(game: Game, scene: Scene) -> npt.NDArray[np.uint8]:
    """The scene as a picture, ``(H, W, 3) uint8``."""
    seen = describe(game, scene)
    n, n_players = len(seen["cards"]), seen["n_players"]
    width = max(_LEAST_WIDTH, 2 * _MARGIN + _LABELS + n * _CELL + 3 * _CELL)
    chips_top = _MARGIN + _HEADER + _LINE + _CARD_HEIGHT + 12
    canvas = Canvas(width, chips_top + n_players * _ROW + _MARGIN, BACKGROUND)
    header = [(seen["title"], INK), (seen["status"], INK), (seen["last_text"], FAINT)]
    for line, (text, colour) in enumerate(header):
        canvas.text(_MARGIN, _MARGIN + line * _LINE, text, colour)
    for position in range(n):
        _draw_card(canvas, seen, position, _MARGIN + _LABELS + position * _CELL, _MARGIN + _HEADER)
    for seat in range(n_players):
        _draw_seat(canvas, seen, seat, chips_top + seat * _ROW)
    return canvas.image


def _draw_card(canvas: Canvas, seen: dict[str, Any], position: int, left: int, top: int) -> None:
    canvas.centred(left, top, _CELL, _LINE, str(position), FAINT)
    top += _LINE
    if position == seen["looked_at"]:
        canvas.rectangle(left, top, _CELL, _CARD_HEIGHT, LOOKED_AT)
    card = seen["cards"][position]
    face = CARD if card["planet"] else CARD_BACK
    paper = HOLE if card["blackhole"] else face
    ink = CARD_INK if paper == CARD else INK
    canvas.rectangle(left + 4, top + 4, _CELL - 8, _CARD_HEIGHT - 8, paper)
    canvas.centred(left, top, _CELL, _CARD_HEIGHT, _face(seen, position), ink, 3)


def _draw_seat(canvas: Canvas, seen: dict[str, Any], seat: int, top: int) -> None:
    colour = SEATS[seat]
    if seat == seen["to_act"]:
        canvas.rectangle(_MARGIN - 8, top + 4, 4, _ROW - 8, colour)
    canvas.text(_MARGIN, top + 9, f"player_{seat}", colour)
    for position, card in enumerate(seen["cards"]):
        if chip := card["chips"][seat]:
            left = _MARGIN + _LABELS + position * _CELL
            canvas.rectangle(left + 14, top + 3, _CELL - 28, _ROW - 6, colour)
            canvas.centred(left, top, _CELL, _ROW, str(chip), CARD_INK)
    left = _MARGIN + _LABELS + len(seen["cards"]) * _CELL + 8
    canvas.text(left, top + 9, _passed(seen, seat), FAINT)
