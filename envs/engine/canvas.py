"""Drawing pictures in memory with Pillow: a canvas, and sketches of small pictures that are drawn once.

Only what draws a picture imports this module, so that nobody else loads Pillow.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Point = tuple[float, float]
INK: Colour = (236, 234, 226)
FAINT: Colour = (158, 164, 190)
DARK: Colour = (30, 30, 46)
GOLD: Colour = (250, 204, 84)
PAPER: Colour = (244, 238, 220)

_SCALE = 4
"""How much larger a sketch is drawn than it is shown, so that its edges come out smooth."""
_STARS = 260
_SHADES = 30
_LEAST_SIZE = 9
_WORTH_PARTING = 3000
"""Pixels: a smaller sprite is blended as a whole."""
_ROUNDING = 12
"""Most pixels that round corners and soft edges reach into a sprite."""


class Sprite:
    """A small picture with transparency, ``"RGBA"``; shared, so it must not be changed.

    Attributes:
        parts: where its parts lie in it, left and top, and the parts. The opaque inside of a large sprite is
            a part without transparency, because laying that down is ten times as fast as blending it.
    """

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.width, self.height = image.size
        self.parts: list[tuple[int, int, Image.Image]] = []
        left, top, right, bottom = inside = self._opaque_inside()
        if right <= left:
            self.parts.append((0, 0, image))
            return
        self.parts.append((left, top, image.crop(inside).convert("RGB")))
        around = (
            (0, 0, self.width, top),
            (0, bottom, self.width, self.height),
            (0, top, left, bottom),
            (right, top, self.width, bottom),
        )
        for box in around:
            if box[0] < box[2] and box[1] < box[3]:
                self.parts.append((box[0], box[1], image.crop(box)))

    def _opaque_inside(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom edge of a rectangle that is opaque; empty if there is no large one."""
        opaque = np.asarray(self.image.getchannel("A")) == 255
        rows, columns = opaque.any(axis=1).nonzero()[0], opaque.any(axis=0).nonzero()[0]
        if opaque.sum() >= _WORTH_PARTING:
            for inset in range(_ROUNDING):
                left, right = int(columns[0]) + inset, int(columns[-1]) + 1 - inset
                top, bottom = int(rows[0]) + inset, int(rows[-1]) + 1 - inset
                if left < right and opaque[top:bottom, left:right].all():
                    return left, top, right, bottom
        return 0, 0, 0, 0


class Canvas:
    """A picture being drawn: the table at night, and what is laid on it."""

    def __init__(self, width: int, height: int) -> None:
        self._image = _table(width, height).copy()

    def paste(self, sprite: Sprite, left: float, top: float) -> None:
        """Lay a sprite down; what does not fit is cut off."""
        x, y = round(left), round(top)
        for right, down, part in sprite.parts:
            self._image.paste(part, (x + right, y + down), part if part.mode == "RGBA" else None)

    def paste_centred(self, sprite: Sprite, x: float, y: float) -> None:
        """Lay a sprite down with its middle at a point."""
        self.paste(sprite, x - sprite.width / 2, y - sprite.height / 2)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: Colour = INK,
        align: str = "left",
        bold: bool = False,
        room: float | None = None,
    ) -> float:
        """Write one line whose middle line is at height ``y``, and return its width.

        Args:
            x: of its left end, middle or right end, as ``align`` is ``"left"``, ``"middle"`` or ``"right"``.
            size: in pixels. room: a line that would be wider is written smaller, in the end cut short.
        """
        if not text:
            return 0.0
        mask, above = _fitting(text, size, bold, room)
        x -= {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * mask.width
        self._image.paste(colour, (round(x), round(y - above)), mask)
        return float(mask.width)

    def finish(self) -> npt.NDArray[np.uint8]:
        """The picture, ``(height, width, 3) uint8``."""
        return np.array(self._image)


class Sketch:
    """A small picture being drawn; all measures are those of the finished sprite, in pixels."""

    def __init__(self, width: float, height: float) -> None:
        self.size = (width, height)
        self._image = Image.new("RGBA", (round(width * _SCALE), round(height * _SCALE)))
        self._draw = ImageDraw.Draw(self._image)

    def ellipse(
        self,
        x: float,
        y: float,
        across: float,
        down: float,
        fill: Colour | None,
        edge: Colour | None = None,
        thick: float = 0.0,
    ) -> None:
        """An ellipse around ``(x, y)`` with two half axes."""
        box = [_SCALE * value for value in (x - across, y - down, x + across, y + down)]
        self._draw.ellipse(box, fill=fill, outline=edge, width=round(thick * _SCALE))

    def arc(
        self, x: float, y: float, across: float, down: float, ends: Point, colour: Colour, thick: float
    ) -> None:
        """A part of an ellipse, from one angle to another, in degrees clockwise from three o'clock."""
        box = [_SCALE * value for value in (x - across, y - down, x + across, y + down)]
        self._draw.arc(box, *ends, fill=colour, width=round(thick * _SCALE))

    def polygon(
        self, points: Sequence[Point], fill: Colour | None, edge: Colour | None = None, thick: float = 0
    ) -> None:
        """A polygon; its edge has round corners."""
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        if fill is not None:
            self._draw.polygon(scaled, fill=fill)
        if edge is not None:
            self.line([*points, points[0]], edge, thick)

    def line(self, points: Sequence[Point], colour: Colour, thick: float) -> None:
        """A line through some points, with round corners and ends."""
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        self._draw.line(scaled, fill=colour, width=round(thick * _SCALE), joint="curve")
        for x, y in (points[0], points[-1]):
            self.ellipse(x, y, thick / 2, thick / 2, colour)

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        round_by: float,
        fill: Colour | None,
        edge: Colour | None = None,
        thick: float = 0.0,
    ) -> None:
        """A rectangle with round corners."""
        corners = [_SCALE * value for value in (left, top, left + width, top + height)]
        corners[2] -= 1
        corners[3] -= 1
        self._draw.rounded_rectangle(
            corners, round_by * _SCALE, fill=fill, outline=edge, width=round(thick * _SCALE)
        )

    def text(self, x: float, y: float, text: str, size: float, colour: Colour, bold: bool = True) -> None:
        """Write around a point."""
        mask, above = _letters(text, round(size * _SCALE), bold)
        self._image.paste(colour, (round(x * _SCALE - mask.width / 2), round(y * _SCALE - above)), mask)

    def over(self, other: "Sketch", alpha: float = 1.0) -> None:
        """Lay another sketch of the same size over this one, partly transparent."""
        layer = other._image
        if alpha < 1:
            layer = layer.copy()
            layer.putalpha(layer.getchannel("A").point(lambda value: round(value * alpha)))
        self._image.alpha_composite(layer)

    def inside(self, other: "Sketch", alpha: float = 1.0) -> None:
        """Lay another sketch of the same size over this one, where this one is not transparent."""
        layer = other._image.copy()
        shown = np.asarray(layer.getchannel("A"), np.float32) * np.asarray(
            self._image.getchannel("A"), np.float32
        )
        layer.putalpha(Image.fromarray((shown * (alpha / 255)).astype(np.uint8)))
        self._image.alpha_composite(layer)

    def shade(self, x: float, y: float, reach: float, depth: float) -> None:
        """Darken what has been drawn with its distance from the light at ``(x, y)``."""
        pixels = np.array(self._image, np.float32)
        rows, columns = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]]
        far = np.hypot(rows / _SCALE - y, columns / _SCALE - x) / reach
        pixels[:, :, :3] *= np.clip(1.12 - depth * far**1.6, 0, 1.12)[:, :, None]
        self._image = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
        self._draw = ImageDraw.Draw(self._image)

    def turn(self, degrees: float) -> None:
        """Turn it around its middle, counter-clockwise."""
        self._image = self._image.rotate(degrees, Image.Resampling.BICUBIC)
        self._draw = ImageDraw.Draw(self._image)

    def finish(self) -> Sprite:
        """The sprite."""
        return Sprite(self._image.reduce(_SCALE))


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


@lru_cache(maxsize=4096)
def _letters(text: str, size: int, bold: bool) -> tuple[Image.Image, float]:
    """The shape of a line, and how far its middle (that of its capitals) lies below the shape's top."""
    # Twice as large and then halved: letters of a small font are spaced by whole pixels.
    font = _font(2 * size)
    stroke = max(1, round(size / 18)) if bold else 0
    left, top, right, bottom = map(round, font.getbbox(text, stroke_width=stroke, anchor="ls"))
    top -= (top - bottom) % 2
    mask = Image.new("L", (max(2, right - left), max(2, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, 255, font, "ls", stroke_width=stroke)
    return mask.reduce(2), -top / 2 - 0.36 * size


@lru_cache(maxsize=4096)
def _fitting(text: str, size: int, bold: bool, room: float | None) -> tuple[Image.Image, float]:
    while True:
        mask, above = _letters(text, size, bold)
        if room is None or mask.width <= room:
            return mask, above
        if size > _LEAST_SIZE:
            size -= 1
        elif len(text) > 1:
            text = text.rstrip(".")[:-1].rstrip() + "..." if len(text) > 4 else text[:-1]
        else:
            return mask, above


@lru_cache(maxsize=16)
def _table(width: int, height: int) -> Image.Image:
    """Dark blue cloth with a few stars, lighter in the middle."""
    random = np.random.default_rng(0)
    rows, columns = np.mgrid[0:height, 0:width]
    far = np.hypot((rows - height / 2) / height, (columns - width / 2) / width)[:, :, None]
    middle, edge = np.array([40, 50, 92], np.float32), np.array([14, 18, 40], np.float32)
    # In steps too fine to be seen, but as few as that, so that saved pictures are small.
    cloth = middle + (edge - middle) * (np.clip(far * 1.35, 0, 1) * _SHADES).round() / _SHADES
    stars = random.integers((height, width), size=(_STARS, 2))
    cloth[stars[:, 0], stars[:, 1]] += random.uniform(15, 75, (_STARS, 1))
    image = Image.fromarray(cloth.clip(0, 255).astype(np.uint8))
    edge_box = (0, 0, width - 1, height - 1)
    ImageDraw.Draw(image).rectangle(edge_box, outline=(70, 80, 128), width=2)
    return image
