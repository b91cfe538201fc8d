"""The cards of Syzygy as sprites: twelve planets, each with its own look, their backs, and the Blackhole."""

import math
from functools import lru_cache

import numpy as np

from unspoken.envs.engine.canvas import DARK, GOLD, INK, PAPER, Colour, Sketch, Sprite
from unspoken.envs.engine.tokens import with_shadow

_SPACE: Colour = (22, 24, 52)
_BACK: Colour = (62, 70, 134)
_BACK_LINE: Colour = (116, 128, 200)
_HOLE: Colour = (8, 8, 14)

_BASE: dict[int, Colour] = {
    1: (168, 160, 152),
    2: (236, 208, 142),
    3: (70, 136, 220),
    4: (206, 96, 60),
    5: (222, 178, 132),
    6: (230, 196, 104),
    7: (128, 212, 214),
    8: (62, 84, 206),
    9: (188, 160, 214),
    10: (74, 46, 48),
    11: (236, 132, 162),
    12: (110, 184, 96),
}


def _craters(face: Sketch, x: float, y: float, r: float) -> None:
    for dx, dy, size in (
        (-0.35, -0.3, 0.22),
        (0.3, 0.1, 0.3),
        (-0.25, 0.45, 0.16),
        (0.25, -0.55, 0.13),
        (0.6, 0.55, 0.2),
    ):
        face.ellipse(x + dx * r, y + dy * r, size * r, size * r, (126, 118, 112))
        face.ellipse(
            x + dx * r + 0.04 * r, y + dy * r + 0.05 * r, size * r * 0.78, size * r * 0.78, (146, 138, 130)
        )


def _waves(
    face: Sketch, x: float, y: float, r: float, colours: tuple[Colour, ...], heights: tuple[float, ...]
) -> None:
    """Bands across the disc, a little wavy."""
    for colour, height in zip(colours, heights, strict=True):
        points = [
            (x + r * (k / 10 - 1), y + r * (height + 0.05 * math.sin(k * 0.9 + height * 9)))
            for k in range(21)
        ]
        face.line(points, colour, 0.16 * r)


def _land(face: Sketch, x: float, y: float, r: float) -> None:
    green = (84, 176, 96)
    for points in (
        (
            (-0.9, -0.5),
            (-0.3, -0.8),
            (-0.1, -0.45),
            (-0.35, -0.1),
            (-0.2, 0.35),
            (-0.5, 0.7),
            (-0.6, 0.1),
            (-0.95, -0.1),
        ),
        ((0.2, -0.3), (0.65, -0.6), (1.0, -0.2), (0.75, 0.3), (0.45, 0.65), (0.35, 0.2)),
    ):
        face.polygon([(x + a * r, y + b * r) for a, b in points], green, green, 0.1 * r)
    face.ellipse(x, y - r, 0.5 * r, 0.2 * r, (240, 246, 250))


def _caps(face: Sketch, x: float, y: float, r: float) -> None:
    for dx, dy, size in ((-0.3, 0.15, 0.3), (0.35, -0.1, 0.24), (0.15, 0.5, 0.2)):
        face.ellipse(x + dx * r, y + dy * r, size * 1.7 * r, size * 0.6 * r, (164, 66, 42))
    face.ellipse(x, y - 1.02 * r, 0.62 * r, 0.36 * r, (250, 244, 238))
    face.ellipse(x, y + 1.05 * r, 0.45 * r, 0.24 * r, (250, 244, 238))


def _storm(face: Sketch, x: float, y: float, r: float) -> None:
    light, brown = (244, 220, 186), (176, 112, 76)
    _waves(face, x, y, r, (brown, light, brown, light, brown), (-0.72, -0.38, -0.08, 0.26, 0.74))
    face.ellipse(x + 0.32 * r, y + 0.46 * r, 0.34 * r, 0.2 * r, (214, 84, 58), (250, 226, 196), 0.06 * r)


def _swirl(face: Sketch, x: float, y: float, r: float) -> None:
    cream = (252, 238, 200)
    for k, height in enumerate((-0.5, -0.05, 0.42)):
        points = [
            (x + r * (k2 / 8 - 1), y + r * (height + 0.16 * math.sin(k2 * 0.55 + 2 * k))) for k2 in range(17)
        ]
        face.line(points, cream, 0.13 * r)


def _streaks(face: Sketch, x: float, y: float, r: float) -> None:
    for dx, dy, long in ((-0.45, -0.45, 0.5), (0.25, -0.2, 0.4), (-0.1, 0.2, 0.6), (0.35, 0.55, 0.3)):
        face.line(
            [(x + (dx - long / 2) * r, y + dy * r), (x + (dx + long / 2) * r, y + (dy + 0.05) * r)],
            (204, 222, 255),
            0.09 * r,
        )
    face.ellipse(x - 0.35 * r, y + 0.5 * r, 0.26 * r, 0.17 * r, (24, 34, 110))


def _gold(face: Sketch, x: float, y: float, r: float) -> None:
    _waves(face, x, y, r, ((206, 162, 72), (246, 222, 150), (206, 162, 72)), (-0.5, -0.1, 0.5))


def _plain(face: Sketch, x: float, y: float, r: float) -> None:
    _waves(face, x, y, r, ((166, 232, 230), (166, 232, 230)), (-0.35, 0.35))


def _halves(face: Sketch, x: float, y: float, r: float) -> None:
    face.ellipse(x + 0.25 * r, y + 0.25 * r, 0.62 * r, 0.5 * r, (238, 228, 246))
    face.ellipse(x - 0.2 * r, y - 0.1 * r, 0.4 * r, 0.36 * r, (238, 228, 246))
    face.ellipse(x - 0.75 * r, y + 0.55 * r, 0.5 * r, 0.4 * r, (132, 96, 166))


def _lava(face: Sketch, x: float, y: float, r: float) -> None:
    for points in (
        ((-1, -0.2), (-0.5, -0.3), (-0.2, 0.1), (0.3, 0.0), (0.6, 0.4), (1, 0.35)),
        ((-0.3, -1), (-0.15, -0.5), (0.3, -0.45), (0.3, 0.0)),
        ((-0.2, 0.1), (-0.35, 0.5), (-0.05, 1)),
        ((0.3, -0.45), (0.9, -0.6)),
    ):
        for colour, thick in (((232, 92, 30), 0.15), ((255, 206, 92), 0.06)):
            face.line([(x + a * r, y + b * r) for a, b in points], colour, thick * r)


def _stripes(face: Sketch, x: float, y: float, r: float) -> None:
    for k in (-2, -1, 0, 1, 2):
        face.line(
            [(x + (0.42 * k - 0.45) * r, y + 1.1 * r), (x + (0.42 * k + 0.45) * r, y - 1.1 * r)],
            (255, 226, 234),
            0.17 * r,
        )


def _dots(face: Sketch, x: float, y: float, r: float) -> None:
    for dx, dy in (
        (-0.55, -0.25),
        (0.0, -0.6),
        (0.05, 0.05),
        (0.55, -0.2),
        (-0.4, 0.4),
        (0.4, 0.5),
        (0, 0.85),
    ):
        face.ellipse(x + dx * r, y + dy * r, 0.16 * r, 0.16 * r, (48, 116, 60))


_FACES = {
    1: _craters,
    2: _swirl,
    3: _land,
    4: _caps,
    5: _storm,
    6: _gold,
    7: _plain,
    8: _streaks,
    9: _halves,
    10: _lava,
    11: _stripes,
    12: _dots,
}
# Half axes of the ring as parts of the radius, its turn in degrees, and its colour.
_RINGS: dict[int, tuple[float, float, float, Colour]] = {
    6: (1.62, 0.42, 18, (250, 228, 168)),
    7: (1.5, 0.24, 74, (214, 244, 244)),
    11: (1.55, 0.3, -24, (255, 214, 226)),
}
# Parts of the radius: a planet with a ring or a moon is drawn smaller.
_SMALLER = {1: 0.82, 6: 0.78, 7: 0.86, 11: 0.8, 9: 0.9}
# Where moons stand, from the middle, and their sizes, as parts of the radius.
_MOONS = {3: ((0.95, -0.85, 0.15),), 9: ((-1.12, -0.6, 0.14),), 12: ((1.12, -0.5, 0.17), (-1.12, 0.55, 0.12))}


def _draw_planet(
    sketch: Sketch, width: float, height: float, number: int, x: float, y: float, radius: float
) -> None:
    r = radius * _SMALLER.get(number, 1.0)
    face = Sketch(width, height)
    face.ellipse(x, y, r, r, _BASE[number])
    marks = Sketch(width, height)
    _FACES[number](marks, x, y, r)
    face.inside(marks)
    face.shade(x - 0.4 * r, y - 0.45 * r, 1.75 * r, 0.62)
    ring = _RINGS.get(number)
    if ring is not None:
        _draw_ring(sketch, width, height, (x, y, r), ring, behind=True)
    sketch.over(face)
    if ring is not None:
        _draw_ring(sketch, width, height, (x, y, r), ring, behind=False)
    for dx, dy, size in _MOONS.get(number, ()):
        sketch.ellipse(x + dx * r, y + dy * r, size * r, size * r, (214, 210, 204))


def _draw_ring(
    sketch: Sketch,
    width: float,
    height: float,
    disc: tuple[float, float, float],
    ring: tuple[float, float, float, Colour],
    behind: bool,
) -> None:
    x, y, r = disc
    across, down, degrees, colour = ring
    turn = math.radians(degrees)
    points = []
    for k in range(41):
        angle = math.pi * k / 40 + (math.pi if behind else 0)
        along, off = across * r * math.cos(angle), down * r * math.sin(angle)
        points.append(
            (
                x + along * math.cos(turn) + off * math.sin(turn),
                y - along * math.sin(turn) + off * math.cos(turn),
            )
        )
    layer = Sketch(width, height)
    layer.line(points, colour, 0.13 * r)
    sketch.over(layer, 0.92)


def _stars(sketch: Sketch, left: float, top: float, width: float, height: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    for x, y, size in random.random((14, 3)):
        radius = 0.4 + 0.7 * size
        sketch.ellipse(
            left + 3 + x * (width - 6), top + 3 + y * (height - 6), radius, radius, (196, 200, 226)
        )


@lru_cache(maxsize=64)
def planet_card(number: int, width: int, height: int) -> Sprite:
    """A card that lies face up, on its shadow."""
    sketch = Sketch(width, height)
    sketch.box(0, 0, width, height, width * 0.1, PAPER, (196, 186, 158), 1.0)
    inset = width * 0.065
    window = height * 0.64
    sketch.box(inset, inset, width - 2 * inset, window, width * 0.08, _SPACE)
    _stars(sketch, inset, inset, width - 2 * inset, window, number)
    _draw_planet(sketch, width, height, number, width / 2, inset + window / 2, width * 0.31)
    sketch.text(width / 2, (height + inset + window) / 2, str(number), height * 0.235, DARK)
    return with_shadow(sketch.finish())


@lru_cache(maxsize=16)
def card_back(width: int, height: int) -> Sprite:
    """A card that lies face down: orbits around a sun, on its shadow."""
    sketch = Sketch(width, height)
    sketch.box(0, 0, width, height, width * 0.1, _BACK, (150, 160, 222), 1.2)
    inside = Sketch(width, height)
    inset = width * 0.08
    inside.box(
        inset, inset, width - 2 * inset, height - 2 * inset, width * 0.07, (46, 52, 108), _BACK_LINE, 1.0
    )
    marks = Sketch(width, height)
    x, y = width / 2, height / 2
    for k in range(1, 6):
        across = width * 0.145 * k
        marks.ellipse(x, y, across, across, None, (92, 104, 176), 1.1)
        angle = 2.4 * k + 0.4
        marks.ellipse(
            x + across * math.cos(angle),
            y + across * math.sin(angle),
            width * 0.032,
            width * 0.032,
            (182, 190, 238),
        )
    for k in range(12):
        angle = math.pi * k / 6
        far = 0.105 if k % 2 else 0.135
        marks.line(
            [(x, y), (x + width * far * math.cos(angle), y + width * far * math.sin(angle))],
            (206, 186, 120),
            1.2,
        )
    marks.ellipse(x, y, width * 0.06, width * 0.06, GOLD)
    inside.inside(marks)
    sketch.over(inside)
    return with_shadow(sketch.finish())


@lru_cache(maxsize=64)
def blackhole_card(planet: int | None, width: int, height: int) -> Sprite:
    """The Blackhole, and what lies there if that is known, on its shadow."""
    sketch = Sketch(width, height)
    sketch.box(0, 0, width, height, width * 0.1, _HOLE, (222, 150, 70), 1.4)
    _stars(sketch, 4, 4, width - 8, height - 8, 99)
    x, y, r = width / 2, height * 0.385, width * 0.2
    for k in range(5):
        colour = ((112, 50, 30), (172, 80, 36), (232, 128, 46), (252, 190, 98), (255, 236, 190))[k]
        size = 1.95 - 0.2 * k
        layer = Sketch(width, height)
        layer.ellipse(x, y, r * size, r * size * 0.42, colour)
        sketch.over(layer, 0.8)
    sketch.ellipse(x, y, r, r, None, (255, 214, 140), 2.2)
    sketch.ellipse(x, y, r * 0.94, r * 0.94, (0, 0, 0))
    front = Sketch(width, height)
    front.arc(x, y, r * 1.6, r * 0.5, (20, 160), (255, 226, 170), 2.4)
    sketch.over(front, 0.95)
    if planet is None:
        sketch.text(width / 2, height * 0.83, "Blackhole", width * 0.155, (242, 190, 120))
    else:
        sketch.text(width / 2, height * 0.83, str(planet), height * 0.235, INK)
    return with_shadow(sketch.finish())
