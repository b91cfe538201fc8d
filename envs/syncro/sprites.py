"""The cards and signs of Syncro as sprites: cards of the horde, spells, thumbs, piles."""

from functools import lru_cache

from unspoken.envs.engine.canvas import DARK, FAINT, GOLD, PAPER, Colour, Sketch, Sprite
from unspoken.envs.engine.tokens import with_shadow
from unspoken.envs.syncro.emblems import WINDOWS, emblem

# From pale to deep, so that a high spell looks heavy; the number on it is what counts.
_SPELLS: tuple[Colour, ...] = (
    (188, 214, 236),
    (144, 204, 214),
    (138, 204, 150),
    (222, 210, 110),
    (240, 170, 80),
    (228, 112, 84),
    (186, 90, 168),
)
_SPELL_BACK: Colour = (92, 66, 136)
_THUMBS: dict[str, tuple[Colour, float]] = {
    "good": ((84, 200, 140), 0),
    "average": ((236, 204, 92), 90),
    "bad": ((236, 122, 100), 180),
}
WINDOW_PART = 0.47
"""Of a card's height: what the emblem's window takes."""


def _mixed(colour: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(colour, other, strict=True))
    return red, green, blue


@lru_cache(maxsize=256)
def foe_card(kind: str, back: str, width: int, height: int, face_up: bool, covered: bool) -> Sprite:
    """A card whose face is known, without its name and numbers, on its shadow.

    Args:
        kind: ``"mushroom"`` and so on. back: its card back. face_up: whether all can see it; if not, it
            shows a rim of its back. covered: something lies over it.
    """
    sketch = Sketch(width, height)
    paper = PAPER if face_up else _mixed(PAPER, WINDOWS[back], 0.35)
    sketch.box(
        0, 0, width, height, 8, paper, (196, 186, 158) if face_up else _rim(back), 1.0 if face_up else 4.0
    )
    window = Sketch(width, height)
    inset = 5
    high = height * WINDOW_PART
    window.box(inset, inset, width - 2 * inset, high, 6, WINDOWS[kind])
    _glimmer(window, width, high, inset, WINDOWS[kind])
    sketch.over(window)
    emblem(sketch, kind, width / 2, inset + high / 2, min(high * 0.78, width * 0.62))
    if covered:
        sketch.inside(_veil(width, height), 0.34)
    return with_shadow(sketch.finish())


@lru_cache(maxsize=64)
def foe_back(back: str, width: int, height: int, covered: bool) -> Sprite:
    """A card that lies face down, on its shadow."""
    sketch = Sketch(width, height)
    colour = WINDOWS[back]
    sketch.box(0, 0, width, height, 8, _mixed(colour, DARK, 0.25), _rim(back), 1.6)
    inside = Sketch(width, height)
    inside.box(6, 6, width - 12, height - 12, 5, colour)
    lattice = Sketch(width, height)
    for k in range(-height, width, 12):
        lattice.line([(k, 0), (k + height, height)], _mixed(colour, PAPER, 0.16), 1.0)
        lattice.line([(k + height, 0), (k, height)], _mixed(colour, PAPER, 0.16), 1.0)
    inside.inside(lattice)
    sketch.over(inside)
    high = height * WINDOW_PART
    disc = Sketch(width, height)
    across = min(high * 0.62, width * 0.4)
    disc.ellipse(width / 2, 6 + high / 2, across, high * 0.5, _mixed(colour, DARK, 0.35), _rim(back), 1.2)
    sketch.over(disc)
    emblem(sketch, back, width / 2, 6 + high / 2, min(high * 0.62, width * 0.5))
    if covered:
        sketch.inside(_veil(width, height), 0.3)
    return with_shadow(sketch.finish())


def _rim(back: str) -> Colour:
    return _mixed(WINDOWS[back], PAPER, 0.55)


def _glimmer(window: Sketch, width: float, high: float, inset: float, colour: Colour) -> None:
    """A lighter patch behind the emblem."""
    light = Sketch(*window.size)
    light.ellipse(
        width / 2, inset + high * 0.55, min(width * 0.36, high * 0.9), high * 0.5, _mixed(colour, PAPER, 0.3)
    )
    window.inside(light, 0.55)


def _veil(width: float, height: float) -> Sketch:
    veil = Sketch(width, height)
    veil.box(0, 0, width, height, 8, (10, 12, 30))
    return veil


@lru_cache(maxsize=16)
def empty_place(width: int, height: int) -> Sprite:
    """Where a card of the horde lay."""
    outline = Sketch(width, height)
    outline.box(1, 1, width - 2, height - 2, 8, None, FAINT, 1.2)
    sketch = Sketch(width, height)
    sketch.over(outline, 0.35)
    return sketch.finish()


@lru_cache(maxsize=128)
def spell(value: int | None, width: int, height: int) -> Sprite:
    """A spell from the front, with its value, or from the back for ``None``."""
    sketch = Sketch(width, height)
    edge = max(1.0, width / 26)
    if value is None:
        sketch.box(0, 0, width, height, width * 0.14, _SPELL_BACK, (180, 158, 220), edge)
        _sparkle(sketch, width / 2, height / 2, width * 0.3, (206, 186, 240))
        return sketch.finish()
    colour = _SPELLS[min(value, len(_SPELLS)) - 1]
    sketch.box(0, 0, width, height, width * 0.14, colour, DARK, edge)
    _sparkle(sketch, width / 2, height / 2, min(width, height) * 0.52, _mixed(colour, PAPER, 0.6))
    sketch.text(width / 2, height / 2, str(value), min(height * 0.56, width * 0.8), DARK)
    return sketch.finish()


@lru_cache(maxsize=64)
def spell_sum(label: str, width: int, height: int, face_up: bool) -> Sprite:
    """The top card of spells on a monster, with their sum, or what is known of it."""
    if not face_up and not label:
        return spell(None, width, height)
    sketch = Sketch(width, height)
    paper = (250, 246, 232) if face_up else _SPELL_BACK
    sketch.box(0, 0, width, height, width * 0.14, paper, DARK if face_up else (180, 158, 220), 1.0)
    sketch.text(
        width / 2, height / 2, label, width * (0.66 if len(label) < 2 else 0.52), DARK if face_up else PAPER
    )
    return sketch.finish()


def _sparkle(sketch: Sketch, x: float, y: float, r: float, colour: Colour) -> None:
    corners = ((0, -1), (0.22, -0.22), (1, 0), (0.22, 0.22), (0, 1), (-0.22, 0.22), (-1, 0), (-0.22, -0.22))
    sketch.polygon([(x + a * r, y + b * r) for a, b in corners], colour)


@lru_cache(maxsize=64)
def strength_badge(strength: int, size: int) -> Sprite:
    """A monster's strength."""
    sketch = Sketch(size, size)
    sketch.ellipse(size / 2, size / 2, size / 2, size / 2, PAPER, DARK, 2.0)
    high = (0.62, 0.54, 0.42)[len(str(strength)) - 1]
    sketch.text(size / 2, size / 2, str(strength), size * high, DARK)
    return sketch.finish()


@lru_cache(maxsize=64)
def slot_tag(number: int, lit: bool) -> Sprite:
    """The number of a slot."""
    width, height = 24, 18
    sketch = Sketch(width, height)
    sketch.box(0, 0, width, height, 5, GOLD if lit else (20, 24, 48), (92, 102, 150), 1.0)
    sketch.text(width / 2, height / 2, str(number), 13, DARK if lit else PAPER)
    return sketch.finish()


@lru_cache(maxsize=8)
def thumb(estimate: str, size: int) -> Sprite:
    """A thumb: up (good), to the side (average) or down (bad)."""
    colour, turn = _THUMBS[estimate]
    sketch = Sketch(size, size)
    unit = size / 20
    hand = [
        (8.2, 9),
        (10.6, 2.6),
        (13.2, 3.2),
        (12.6, 8),
        (17.4, 8),
        (17.8, 9.6),
        (16.4, 17),
        (15, 17.6),
        (8.2, 17),
    ]
    sketch.polygon([(a * unit, b * unit) for a, b in hand], colour, DARK, 1.4)
    sketch.box(2.6 * unit, 8.4 * unit, 4.6 * unit, 9.2 * unit, unit, colour, DARK, 1.4)
    sketch.turn(turn)
    return sketch.finish()


@lru_cache(maxsize=2)
def crown(width: int) -> Sprite:
    """The leader's sign."""
    height = round(width * 0.75)
    sketch = Sketch(width, height)
    corners = ((0.06, 0.92), (0.02, 0.2), (0.28, 0.5), (0.5, 0.06), (0.72, 0.5), (0.98, 0.2), (0.94, 0.92))
    sketch.polygon([(1 + a * (width - 2), b * (height - 1)) for a, b in corners], GOLD, DARK, 1.2)
    return sketch.finish()


@lru_cache(maxsize=8)
def chest(width: int) -> Sprite:
    """A Reward."""
    height = round(width * 0.8)
    sketch = Sketch(width, height)
    sketch.box(1, height * 0.1, width - 2, height * 0.85, 3, (176, 112, 52), DARK, 1.4)
    sketch.line([(2, height * 0.45), (width - 2, height * 0.45)], DARK, 1.6)
    sketch.box(width * 0.4, height * 0.34, width * 0.2, height * 0.28, 1.5, GOLD, DARK, 1.0)
    return sketch.finish()


@lru_cache(maxsize=16)
def pile(kind: str, height: int) -> Sprite:
    """A small pile: of the cards with this back, ``"spell"`` or ``"reward"``."""
    width = round(height * 0.8)
    sketch = Sketch(width + 6, height)
    colour = {"spell": _SPELL_BACK, "reward": (128, 84, 40)}.get(kind) or WINDOWS[kind]
    for k in range(3):
        sketch.box(6 - 3 * k, 0 + 1.0 * k, width, height - 2, 3, colour, _mixed(colour, PAPER, 0.6), 1.0)
    x, y = width / 2, height / 2 + 1
    if kind == "spell":
        _sparkle(sketch, x, y, width * 0.32, (206, 186, 240))
    elif kind == "reward":
        sketch.box(x - width * 0.26, y - height * 0.16, width * 0.52, height * 0.34, 2, GOLD, DARK, 1.0)
    else:
        emblem(sketch, kind, x, y, height * 0.5)
    return sketch.finish()
