"""A scene of Syzygy composed of sprites: the row of cards, the chips under them, each player's turns."""

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.canvas import FAINT, GOLD, INK, Canvas, Sprite
from unspoken.envs.engine.drawing import Seen
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.tokens import (
    EDGE,
    HEADER,
    MARGIN,
    SEATS,
    WIDTH,
    arch,
    arrow,
    draw_header,
    eye,
    glow,
    panel,
    token,
)
from unspoken.envs.syzygy.config import CHIPS
from unspoken.envs.syzygy.sprites import blackhole_card, card_back, planet_card

_ARROWS = 58
_STEP = 112
"""From card to card, unless the row is too long for that."""
_CHIP = 30
_CHIPS_A_ROW = 3
_PANEL = 220
_TURN = 29
_PANEL_HEAD = 40
_RAISED = 12


class _Layout:
    """Where things lie."""

    def __init__(self, n_cards: int, n_players: int) -> None:
        self.step = min(_STEP, (WIDTH - 2 * EDGE) // n_cards)
        self.card_width = self.step - self.step // 8
        self.card_height = round(self.card_width * 1.4)
        self.left = (WIDTH - n_cards * self.step) / 2
        self.cards = HEADER + _ARROWS
        self.numbers = self.cards + self.card_height + 14
        self.chips = self.numbers + 14
        self.panels = self.chips + _CHIP * -(-n_players // _CHIPS_A_ROW) + 18
        gap = 10
        self.panel_width = min(_PANEL, (WIDTH - 2 * EDGE + gap) // n_players - gap)
        self.panel_step = self.panel_width + gap
        self.panel_left = (WIDTH - n_players * self.panel_step + gap) / 2
        self.panel_height = _PANEL_HEAD + CHIPS * _TURN + 6
        self.height = self.panels + self.panel_height + EDGE

    def middle(self, position: int) -> float:
        """Of a card."""
        return self.left + (position + 0.5) * self.step


def draw(game: Game, seen: Seen) -> npt.NDArray[np.uint8]:
    """A scene as ``scene.describe`` gives it, ``(H, W, 3) uint8``."""
    layout = _Layout(game.config.n_positions, game.config.n_players)
    canvas = Canvas(WIDTH, layout.height)
    draw_header(canvas, seen)
    for position in range(len(seen["cards"])):
        _draw_card(canvas, layout, seen, position)
    _draw_last_move(canvas, layout, seen)
    for seat in range(seen["n_players"]):
        _draw_player(canvas, layout, seen, seat)
    return canvas.finish()


def _draw_card(canvas: Canvas, layout: _Layout, seen: Seen, position: int) -> None:
    card = seen["cards"][position]
    size = (layout.card_width, layout.card_height)
    left, top = layout.middle(position) - layout.card_width / 2, float(layout.cards)
    looked_at = position == seen["looked_at"]
    if looked_at:
        top -= _RAISED
        canvas.paste(glow(*size), left - 2 * MARGIN, top - 2 * MARGIN)
        canvas.paste_centred(eye(36), layout.middle(position), top - 20)
    canvas.paste(_face(card, *size), left - MARGIN, top - MARGIN)
    canvas.text(
        layout.middle(position), layout.numbers, str(position), 16, GOLD if looked_at else FAINT, "middle"
    )
    for seat, chip in enumerate(card["chips"]):
        if chip:
            row, column = divmod(seat, _CHIPS_A_ROW)
            columns = min(seen["n_players"], _CHIPS_A_ROW)
            x = layout.middle(position) + (column - (columns - 1) / 2) * min(_CHIP, layout.step / columns)
            canvas.paste_centred(token(seat, str(chip), _CHIP), x, layout.chips + (row + 0.5) * _CHIP)


def _face(card: Seen, width: int, height: int) -> Sprite:
    if card["blackhole"]:
        return blackhole_card(card["planet"], width, height)
    if card["planet"] is None:
        return card_back(width, height)
    return planet_card(card["planet"], width, height)


def _draw_last_move(canvas: Canvas, layout: _Layout, seen: Seen) -> None:
    """The way that the card moved last has gone, if that was the last action."""
    last = seen["last"]
    turns = seen["seats"][last["seat"]]["turns"] if last else []
    if not turns or turns[-1]["destination"] is None or seen["looked_at"] is not None:
        return
    source, destination = turns[-1]["source"], turns[-1]["destination"]
    along = round(layout.middle(destination) - layout.middle(source))
    sprite = arch(along, 46, SEATS[last["seat"]])
    canvas.paste_centred(sprite, (layout.middle(source) + layout.middle(destination)) / 2, layout.cards - 30)


def _draw_player(canvas: Canvas, layout: _Layout, seen: Seen, seat: int) -> None:
    left, top = layout.panel_left + seat * layout.panel_step, layout.panels
    acts = seat == seen["to_act"]
    canvas.paste(panel(layout.panel_width, layout.panel_height, acts, SEATS[seat]), left, top)
    canvas.paste_centred(token(seat, "", 26), left + 22, top + 23)
    colour = INK if acts or seat == seen["observer"] else FAINT
    width = canvas.text(left + 42, top + 23, f"player_{seat}", 18, colour, bold=acts)
    note = "to play" if acts else "you" if seat == seen["observer"] else ""
    if layout.panel_width - width > 100:
        canvas.text(left + layout.panel_width - 12, top + 23, note, 15, GOLD if acts else FAINT, "right")
    turns = seen["seats"][seat]["turns"]
    for chip in range(1, CHIPS + 1):
        y = top + _PANEL_HEAD + (chip - 0.5) * _TURN
        begun = chip <= len(turns)
        canvas.paste_centred(token(seat, str(chip), 26, hollow=not begun), left + 22, y)
        if begun:
            _draw_turn(canvas, turns[chip - 1], left + 44, y)
        elif acts and chip == len(turns) + 1 and seen["looked_at"] is not None:
            canvas.text(left + 44, y, f"looks at {seen['looked_at']}", 16, GOLD)


def _draw_turn(canvas: Canvas, turn: Seen, x: float, y: float) -> None:
    if turn["passed"]:
        canvas.text(x, y, "passed", 16, FAINT)
    else:
        canvas.text(x + 22, y, str(turn["source"]), 17, INK, "right")
        canvas.paste_centred(arrow(20), x + 38, y)
        canvas.text(x + 54, y, str(turn["destination"]), 17, INK)
        if turn["emotion"] is not None:
            canvas.text(x + 82, y, f"says {turn['emotion']}", 15, FAINT)
