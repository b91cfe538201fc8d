"""What stands on the cards of Syncro: a drawing for each kind of monster, in a window of its colour."""

import math
from collections.abc import Callable

from unspoken.envs.engine.canvas import DARK, GOLD, PAPER, Colour, Point, Sketch

WINDOWS: dict[str, Colour] = {
    "mushroom": (98, 62, 46),
    "golem": (62, 82, 98),
    "dragon": (124, 52, 28),
    "fog": (96, 110, 136),
    "lieutenant": (104, 80, 34),
    "boss": (104, 24, 38),
    "cerberus": (80, 44, 98),
    "monster": (44, 92, 70),
}
"""The colour behind each kind of card; ``"monster"``: its back, while nobody knows which kind it is."""

_STONE: Colour = (164, 172, 178)
_STONE_DARK: Colour = (112, 122, 132)
_MIST: Colour = (222, 228, 238)
_SCALES: Colour = (232, 132, 52)
_FUR: Colour = (92, 70, 84)


def emblem(sketch: Sketch, kind: str, x: float, y: float, size: float) -> None:
    """Draw the emblem of a kind of card around a point, about ``size`` high."""
    _EMBLEMS[kind](sketch, x, y, size / 2)


def _at(x: float, y: float, r: float, points: list[Point]) -> list[Point]:
    return [(x + a * r, y + b * r) for a, b in points]


def _mirrored(x: float, y: float, r: float, points: list[Point]) -> list[Point]:
    return [(x - a * r, y + b * r) for a, b in points]


def _eyes(sketch: Sketch, x: float, y: float, r: float, apart: float, colour: Colour) -> None:
    for side in (-1, 1):
        sketch.ellipse(x + side * apart * r, y, 0.11 * r, 0.13 * r, colour)


def _mushroom(sketch: Sketch, x: float, y: float, r: float) -> None:
    stem = [(-0.3, -0.1), (0.3, -0.1), (0.42, 0.85), (0.2, 1.0), (-0.2, 1.0), (-0.42, 0.85)]
    sketch.polygon(_at(x, y, r, stem), (240, 224, 196), DARK, 0.07 * r)
    dome = [(-math.cos(math.pi * k / 16), 0.12 - 1.05 * math.sin(math.pi * k / 16)) for k in range(17)]
    cap = [(1.12 * a, b) for a, b in dome] + [(0.6, 0.28), (0.0, 0.34), (-0.6, 0.28)]
    sketch.polygon(_at(x, y, r, cap), (214, 66, 54), DARK, 0.07 * r)
    for a, b, size in ((-0.55, -0.25, 0.17), (0.05, -0.55, 0.2), (0.6, -0.2, 0.15), (0.0, -0.05, 0.12)):
        sketch.ellipse(x + a * r, y + b * r, size * r, size * 0.85 * r, (252, 240, 226))
    _eyes(sketch, x, y + 0.55 * r, r, 0.16, DARK)


def _golem(sketch: Sketch, x: float, y: float, r: float) -> None:
    thick = 0.06 * r
    for side in (-1, 1):
        sketch.box(
            x + side * 0.95 * r - 0.22 * r,
            y - 0.2 * r,
            0.44 * r,
            0.85 * r,
            0.18 * r,
            _STONE_DARK,
            DARK,
            thick,
        )
        sketch.box(
            x + side * 0.34 * r - 0.24 * r,
            y + 0.55 * r,
            0.48 * r,
            0.48 * r,
            0.12 * r,
            _STONE_DARK,
            DARK,
            thick,
        )
    sketch.box(x - 0.75 * r, y - 0.35 * r, 1.5 * r, 1.0 * r, 0.22 * r, _STONE, DARK, thick)
    sketch.box(x - 0.42 * r, y - 1.0 * r, 0.84 * r, 0.68 * r, 0.16 * r, _STONE, DARK, thick)
    crack = [(0.1, -0.3), (-0.08, -0.05), (0.12, 0.15), (0.0, 0.45)]
    sketch.line(_at(x, y, r, crack), (86, 96, 106), 0.06 * r)
    _eyes(sketch, x, y - 0.64 * r, r, 0.2, (110, 230, 240))


def _dragon(sketch: Sketch, x: float, y: float, r: float) -> None:
    wing = [
        (0.2, -0.1),
        (0.75, -0.95),
        (1.5, -0.75),
        (1.2, -0.4),
        (1.45, 0.0),
        (1.0, 0.0),
        (1.05, 0.4),
        (0.6, 0.25),
        (0.3, 0.5),
    ]
    for place in (_at, _mirrored):
        sketch.polygon(place(x, y, r, wing), (176, 74, 34), DARK, 0.06 * r)
    body = [(0.0, 1.05), (-0.34, 0.55), (-0.3, 0.05), (0.3, 0.05), (0.34, 0.55)]
    sketch.polygon(_at(x, y, r, body), _SCALES, DARK, 0.06 * r)
    for k in range(3):
        sketch.line(_at(x, y, r, [(-0.16, 0.3 + 0.2 * k), (0.16, 0.3 + 0.2 * k)]), (250, 206, 120), 0.08 * r)
    head = [
        (-0.42, -0.55),
        (-0.5, -1.05),
        (-0.22, -0.75),
        (0.22, -0.75),
        (0.5, -1.05),
        (0.42, -0.55),
        (0.3, -0.1),
    ]
    head += [(0.16, 0.12), (-0.16, 0.12), (-0.3, -0.1)]
    sketch.polygon(_at(x, y, r, head), _SCALES, DARK, 0.06 * r)
    for side in (-1, 1):
        slit = [(side * 0.1, -0.38), (side * 0.3, -0.5), (side * 0.27, -0.32)]
        sketch.polygon(_at(x, y, r, slit), (255, 240, 150))
        sketch.ellipse(x + side * 0.08 * r, y - 0.0 * r, 0.035 * r, 0.05 * r, DARK)


def _fog(sketch: Sketch, x: float, y: float, r: float) -> None:
    for a, b, size in (
        (-0.75, 0.1, 0.42),
        (-0.25, -0.3, 0.55),
        (0.4, -0.18, 0.48),
        (0.85, 0.15, 0.36),
        (0.1, 0.15, 0.5),
    ):
        sketch.ellipse(x + a * r, y + b * r, size * r, size * r, _MIST)
    for k, (left, right) in enumerate(((-1.25, 0.9), (-0.8, 1.3), (-1.1, 0.6))):
        height = 0.5 + 0.24 * k
        points = [(left + (right - left) * j / 10, height + 0.05 * math.sin(1.3 * j + k)) for j in range(11)]
        sketch.line(_at(x, y, r, points), (188, 198, 216), 0.11 * r)
    curl = [(0.3 - 0.02 * j * math.cos(0.55 * j), -0.1 - 0.02 * j * math.sin(0.55 * j)) for j in range(15)]
    sketch.line(_at(x, y, r, curl), (150, 162, 186), 0.08 * r)


def _lieutenant(sketch: Sketch, x: float, y: float, r: float) -> None:
    shield = [
        (-0.78, -0.9),
        (0.0, -1.02),
        (0.78, -0.9),
        (0.74, 0.1),
        (0.45, 0.65),
        (0.0, 1.0),
        (-0.45, 0.65),
        (-0.74, 0.1),
    ]
    sketch.polygon(_at(x, y, r, shield), (226, 182, 82), DARK, 0.08 * r)
    inner = [(a * 0.78, b * 0.78) for a, b in shield]
    sketch.polygon(_at(x, y, r, inner), (132, 44, 40))
    for k in range(3):
        chevron = [(-0.42, -0.12 + 0.3 * k), (0.0, -0.42 + 0.3 * k), (0.42, -0.12 + 0.3 * k)]
        sketch.line(_at(x, y, r, chevron), (250, 226, 150), 0.13 * r)


def _boss(sketch: Sketch, x: float, y: float, r: float) -> None:
    horn = [(0.45, -0.35), (0.95, -0.55), (1.15, -1.1), (1.32, -0.45), (1.0, 0.0), (0.6, 0.1)]
    for place in (_at, _mirrored):
        sketch.polygon(place(x, y, r, horn), (216, 204, 180), DARK, 0.06 * r)
    mask = [(-0.72, -0.35), (0.72, -0.35), (0.66, 0.3), (0.3, 0.95), (0.0, 1.05), (-0.3, 0.95), (-0.66, 0.3)]
    sketch.polygon(_at(x, y, r, mask), (54, 44, 60), (20, 14, 24), 0.06 * r)
    crown = [
        (-0.66, -0.3),
        (-0.74, -0.95),
        (-0.36, -0.62),
        (0.0, -1.05),
        (0.36, -0.62),
        (0.74, -0.95),
        (0.66, -0.3),
    ]
    sketch.polygon(_at(x, y, r, crown), GOLD, DARK, 0.06 * r)
    for side in (-1, 1):
        slit = [(side * 0.14, 0.16), (side * 0.52, -0.06), (side * 0.44, 0.24)]
        sketch.polygon(_at(x, y, r, slit), (255, 96, 60))
    for k in (-2, -1, 0, 1, 2):
        tooth = [(0.16 * k - 0.07, 0.56), (0.16 * k + 0.07, 0.56), (0.16 * k, 0.78)]
        sketch.polygon(_at(x, y, r, tooth), PAPER)


def _hound(sketch: Sketch, x: float, y: float, r: float) -> None:
    head = [
        (-0.6, -0.3),
        (-0.72, -1.0),
        (-0.25, -0.62),
        (0.25, -0.62),
        (0.72, -1.0),
        (0.6, -0.3),
        (0.36, 0.4),
    ]
    head += [(0.2, 0.85), (-0.2, 0.85), (-0.36, 0.4)]
    sketch.polygon(_at(x, y, r, head), _FUR, (28, 18, 30), 0.09 * r)
    _eyes(sketch, x, y - 0.15 * r, r * 1.3, 0.22, (255, 212, 90))
    sketch.ellipse(x, y + 0.72 * r, 0.17 * r, 0.12 * r, (20, 14, 20))


def _cerberus(sketch: Sketch, x: float, y: float, r: float) -> None:
    for side in (-1, 1):
        _hound(sketch, x + side * 0.78 * r, y + 0.12 * r, 0.72 * r)
    _hound(sketch, x, y, 0.95 * r)


def _monster(sketch: Sketch, x: float, y: float, r: float) -> None:
    for side in (-1, 1):
        sketch.ellipse(x + side * 0.48 * r, y - 0.1 * r, 0.36 * r, 0.42 * r, (236, 240, 190), DARK, 0.05 * r)
        sketch.ellipse(x + side * 0.44 * r, y - 0.04 * r, 0.12 * r, 0.22 * r, DARK)
    grin = [(-0.85, 0.5), (-0.4, 0.62), (0.4, 0.62), (0.85, 0.5), (0.45, 0.95), (-0.45, 0.95)]
    sketch.polygon(_at(x, y, r, grin), (16, 34, 28))
    for k in range(5):
        left = -0.6 + 0.25 * k
        fang = [(left, 0.58), (left + 0.2, 0.58), (left + 0.1, 0.8)]
        sketch.polygon(_at(x, y, r, fang), PAPER)


_EMBLEMS: dict[str, Callable[[Sketch, float, float, float], None]] = {
    "mushroom": _mushroom,
    "golem": _golem,
    "dragon": _dragon,
    "fog": _fog,
    "lieutenant": _lieutenant,
    "boss": _boss,
    "cerberus": _cerberus,
    "monster": _monster,
}
