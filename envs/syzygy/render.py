"""Pictures of Syzygy: text for a terminal and an image drawn in memory, both from one view of the game.

A view holds what its observer may know and nothing else, so a picture of a seat's view cannot show more.
"""

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Canvas, Colour, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syzygy.config import CHIPS

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


class _View:
    """What a scene shows, with seats and positions of the table instead of the observer's."""

    def __init__(self, game: Game, scene: Scene) -> None:
        config = game.config
        features = game.layout.decode(scene.features)
        observer = int(features["seat"][0])
        self.n: int = config.n_positions
        self.n_players: int = config.n_players
        self.looked_at = int(features["confirmed"][0]) - 1
        self.values = features["value"]
        blackhole = config.n_positions // 2 if config.has_blackhole else -1
        self.is_hole = features["origin"] == blackhole
        relative = [(seat - observer) % config.n_players for seat in range(config.n_players)]
        self.chips = [features[f"chip_{seat}"] for seat in relative]
        self.passed = [
            [chip + 1 for chip in range(CHIPS) if features[f"source_{seat}"][chip] == 1] for seat in relative
        ]
        turn = int(features["turn"][0])
        self.to_act = turn % config.n_players if scene.result is None else -1
        who = "all cards turned up" if scene.everything else f"as player_{observer} sees it"
        self.title = f"Syzygy {config.variant}, {config.n_players} players: {who}"
        self.status = self._status(turn, config.n_turns, scene.result)
        self.last = "Last: -"
        if scene.last_action is not None:
            seat, action = scene.last_action
            self.last = f"Last: player_{seat} {game.action_name(action)}"

    def _status(self, turn: int, n_turns: int, result: str | None) -> str:
        if result is not None:
            ends = {"won": "Won.", "lost": "Lost.", "illegal": "Lost by an illegal action."}
            return f"Turn {turn} of {n_turns} is over. {ends[result]}"
        doing = "chooses a card or passes"
        if self.looked_at >= 0:
            doing = f"looks at card {self.looked_at} and chooses where it goes"
        return f"Turn {turn + 1} of {n_turns}. player_{self.to_act} {doing}."

    def card(self, position: int) -> str:
        """A card's face: its planet, ``?``, or ``@`` (and what lies there, if seen) for the Blackhole."""
        value = str(self.values[position]) if self.values[position] else ""
        return f"@{value}" if self.is_hole[position] else value or "?"


def draw_text(game: Game, scene: Scene) -> str:
    """The scene as lines of text, for a terminal."""
    view = _View(game, scene)
    lines = [view.title, view.status, view.last, ""]
    lines.append(_text_row("position", [str(position) for position in range(view.n)]))
    faces = [view.card(position) for position in range(view.n)]
    if view.looked_at >= 0:
        faces[view.looked_at] = f"[{faces[view.looked_at]}]"
    lines.append(_text_row("planet", faces))
    for seat in range(view.n_players):
        marker = ">" if seat == view.to_act else " "
        row = _text_row(f"player_{seat}", [str(chip) if chip else "." for chip in view.chips[seat]], marker)
        if view.passed[seat]:
            row += f"   passed {' '.join(map(str, view.passed[seat]))}"
        lines.append(row)
    return "\n".join(lines) + "\n"


def _text_row(label: str, cells: list[str], marker: str = " ") -> str:
    return f"{marker} {label:<9}" + "".join(f"{cell:>4} " for cell in cells).rstrip()


def draw_image(game: Game, scene: Scene) -> npt.NDArray[np.uint8]:
    """The scene as a picture, ``(H, W, 3) uint8``."""
    view = _View(game, scene)
    width = max(_LEAST_WIDTH, 2 * _MARGIN + _LABELS + view.n * _CELL + 3 * _CELL)
    chips_top = _MARGIN + _HEADER + _LINE + _CARD_HEIGHT + 12
    canvas = Canvas(width, chips_top + view.n_players * _ROW + _MARGIN, BACKGROUND)
    for line, (text, colour) in enumerate([(view.title, INK), (view.status, INK), (view.last, FAINT)]):
        canvas.text(_MARGIN, _MARGIN + line * _LINE, text, colour)
    for position in range(view.n):
        _draw_card(canvas, view, position, _MARGIN + _LABELS + position * _CELL, _MARGIN + _HEADER)
    for seat in range(view.n_players):
        _draw_seat(canvas, view, seat, chips_top + seat * _ROW)
    return canvas.image


def _draw_card(canvas: Canvas, view: _View, position: int, left: int, top: int) -> None:
    canvas.centred(left, top, _CELL, _LINE, str(position), FAINT)
    top += _LINE
    if position == view.looked_at:
        canvas.rectangle(left, top, _CELL, _CARD_HEIGHT, LOOKED_AT)
    face = CARD if view.values[position] else CARD_BACK
    paper = HOLE if view.is_hole[position] else face
    ink = CARD_INK if paper == CARD else INK
    canvas.rectangle(left + 4, top + 4, _CELL - 8, _CARD_HEIGHT - 8, paper)
    canvas.centred(left, top, _CELL, _CARD_HEIGHT, view.card(position), ink, 3)


def _draw_seat(canvas: Canvas, view: _View, seat: int, top: int) -> None:
    colour = SEATS[seat]
    if seat == view.to_act:
        canvas.rectangle(_MARGIN - 8, top + 4, 4, _ROW - 8, colour)
    canvas.text(_MARGIN, top + 9, f"player_{seat}", colour)
    for position, chip in enumerate(view.chips[seat]):
        if chip:
            left = _MARGIN + _LABELS + position * _CELL
            canvas.rectangle(left + 14, top + 3, _CELL - 28, _ROW - 6, colour)
            canvas.centred(left, top, _CELL, _ROW, str(chip), CARD_INK)
    if view.passed[seat]:
        left = _MARGIN + _LABELS + view.n * _CELL + 8
        canvas.text(left, top + 9, f"passed {' '.join(map(str, view.passed[seat]))}", FAINT)
