"""What the pictures of both games share: their size and header, the players' tokens, glows, arrows."""

import math
from functools import lru_cache

import numpy as np
from PIL import Image, ImageFilter

from unspoken.envs.engine.canvas import DARK, FAINT, GOLD, INK, PAPER, Canvas, Colour, Point, Sketch, Sprite
from unspoken.envs.engine.drawing import Seen

SEATS: tuple[Colour, ...] = (
    (238, 120, 64),
    (96, 186, 240),
    (52, 190, 146),
    (240, 216, 84),
    (222, 146, 196),
    (136, 152, 244),
)
"""The players' colours, told apart with every kind of colour vision; each has a shape of its own too."""

WIDTH = 1040
"""Of a picture, in pixels."""
EDGE = 28
"""Room around what a picture shows."""
HEADER = 104
"""Height of the header."""
MARGIN = 8
"""Room around a card sprite for its shadow."""


def draw_header(canvas: Canvas, seen: Seen) -> None:
    """The three lines of a scene, and how its game ended."""
    room = WIDTH - 2 * EDGE
    if seen["result"] is not None:
        sprite = ribbon(seen["result"] == "won")
        canvas.paste_centred(sprite, WIDTH - EDGE - sprite.width / 2, HEADER / 2)
        room -= sprite.width + 12
    canvas.text(EDGE, 32, seen["title"], 17, FAINT, room=room)
    canvas.text(EDGE, 62, seen["status"], 24, INK, bold=True, room=room)
    canvas.text(EDGE, 91, seen["last_text"], 17, FAINT, room=room)


@lru_cache(maxsize=256)
def card_shadow(width: int, height: int) -> Sprite:
    """What lies under a card; ``MARGIN`` larger on each side."""
    shadow = Image.new("L", (width + 2 * MARGIN, height + 2 * MARGIN))
    shadow.paste(150, (MARGIN, MARGIN + 2, MARGIN + width, MARGIN + 2 + height))
    sprite = Image.new("RGBA", shadow.size)
    sprite.putalpha(shadow.filter(ImageFilter.GaussianBlur(3)))
    return Sprite(sprite)


@lru_cache(maxsize=64)
def glow(width: int, height: int, colour: Colour = GOLD) -> Sprite:
    """A shine around a card; ``2 * MARGIN`` larger on each side."""
    around = 2 * MARGIN
    shine = Image.new("L", (width + 2 * around, height + 2 * around))
    shine.paste(255, (around - 3, around - 3, around + width + 3, around + height + 3))
    blurred = np.asarray(shine.filter(ImageFilter.GaussianBlur(6)), np.float32)
    sprite = Image.new("RGBA", shine.size, colour)
    sprite.putalpha(Image.fromarray(np.minimum(255, 1.5 * blurred).astype(np.uint8)))
    return Sprite(sprite)


def with_shadow(card: Sprite) -> Sprite:
    """A card on its shadow, ``MARGIN`` larger on each side."""
    sprite = card_shadow(card.width, card.height).image.copy()
    sprite.alpha_composite(card.image, (MARGIN, MARGIN))
    return Sprite(sprite)


def _shape(seat: int, x: float, y: float, radius: float) -> list[Point] | None:
    """The corners of a player's shape; ``None`` for a circle."""
    # Corners, the direction of the first in degrees, and how much larger than the circle, so that all look
    # alike in size.
    corners, first, larger = (
        (0, 0, 1.0),
        (4, 45, 1.2),
        (6, 0, 1.06),
        (3, -90, 1.3),
        (4, 0, 1.2),
        (5, 234, 1.1),
    )[seat]
    if corners == 0:
        return None
    lower = 0.14 * radius if corners == 3 else 0.0
    angles = [math.radians(first + 360 * k / corners) for k in range(corners)]
    reach = larger * radius
    return [(x + reach * math.cos(angle), y + lower + reach * math.sin(angle)) for angle in angles]


@lru_cache(maxsize=512)
def token(seat: int, label: str, size: int, hollow: bool = False) -> Sprite:
    """A player's token with a label; ``hollow``: only its outline, for a chip that has not been played."""
    sketch = Sketch(size, size)
    middle, radius = size / 2, size / 2 - size * 0.13
    fill, edge = (None, FAINT) if hollow else (SEATS[seat], DARK)
    thick = max(1.2, size / 16)
    points = _shape(seat, middle, middle, radius)
    if points is None:
        sketch.ellipse(middle, middle, radius + thick / 2, radius + thick / 2, fill, edge, thick)
    else:
        sketch.polygon(points, fill, edge, thick)
    triangle = seat == 3
    lower, high = (0.11 * size, 0.44 * size) if triangle else (0.0, 0.52 * size)
    sketch.text(middle, middle + lower, label, high, FAINT if hollow else DARK)
    return sketch.finish()


@lru_cache(maxsize=1024)
def arch(along: int, height: int, colour: Colour) -> Sprite:
    """An arrow that rises and comes down ``along`` pixels further right (left if negative)."""
    across = abs(along)
    around = 8
    sketch = Sketch(across + 2 * around, height + around)
    steps = 24
    points = []
    for k in range(steps + 1):
        part = k / steps
        points.append((around + part * across, height - (height - 4) * math.sin(math.pi * part) ** 0.8))
    if along < 0:
        points = [(across + 2 * around - x, y) for x, y in points]
    end, head = points[-1], 11.0
    before = points[-4]
    length = math.hypot(end[0] - before[0], end[1] - before[1])
    ahead = ((end[0] - before[0]) / length, (end[1] - before[1]) / length)
    neck = (end[0] - head * ahead[0], end[1] - head * ahead[1])
    points[-2:] = [neck]
    for thick, ink in ((5.4, DARK), (3.4, colour)):
        sketch.line(points, ink, thick)
    wing = (0.62 * head * ahead[1], -0.62 * head * ahead[0])
    tip = [(neck[0] + wing[0], neck[1] + wing[1]), end, (neck[0] - wing[0], neck[1] - wing[1])]
    sketch.polygon(tip, colour, DARK, 1.0)
    return sketch.finish()


@lru_cache(maxsize=32)
def arrow(width: int, colour: Colour = FAINT) -> Sprite:
    """A small arrow to the right."""
    sketch = Sketch(width, 10)
    sketch.line([(1, 5), (width - 2, 5)], colour, 1.6)
    sketch.line([(width - 5, 2), (width - 2, 5), (width - 5, 8)], colour, 1.6)
    return sketch.finish()


@lru_cache(maxsize=64)
def panel(width: int, height: int, lit: bool, edge: Colour) -> Sprite:
    """A dark plate that something is written on; ``lit`` for the player to act."""
    sketch = Sketch(width, height)
    paper, rim = ((61, 71, 118), edge) if lit else ((19, 24, 52), (74, 84, 132))
    sketch.box(0, 0, width, height, 9, paper, rim, 2.2 if lit else 1.0)
    return sketch.finish()


@lru_cache(maxsize=8)
def ribbon(won: bool) -> Sprite:
    """The end of a game: a word on green with a tick, or on red with a cross."""
    width, height = 128, 40
    sketch = Sketch(width, height)
    sketch.box(0, 0, width, height, 20, (38, 150, 104) if won else (188, 62, 62), PAPER, 1.6)
    mark = [(18, 20), (24, 27), (35, 13)] if won else [(19, 13), (33, 27)]
    sketch.line(mark, PAPER, 3.6)
    if not won:
        sketch.line([(33, 13), (19, 27)], PAPER, 3.6)
    sketch.text(78, 20, "WON" if won else "LOST", 21, PAPER)
    return sketch.finish()


@lru_cache(maxsize=8)
def eye(width: int) -> Sprite:
    """An eye: somebody looks here."""
    height = round(width * 0.66)
    sketch = Sketch(width, height)
    middle, high = width / 2, height / 2
    lid = []
    for sign in (1, -1):
        xs = [k / 12 for k in range(13)] if sign > 0 else [k / 12 for k in range(12, -1, -1)]
        lid += [(2 + x * (width - 4), high - sign * (high - 2) * math.sin(math.pi * x)) for x in xs]
    sketch.polygon(lid, PAPER, DARK, 1.6)
    sketch.ellipse(middle, high, high * 0.62, high * 0.62, (60, 110, 190))
    sketch.ellipse(middle, high, high * 0.3, high * 0.3, DARK)
    return sketch.finish()
