"""Drawing without a display: a scene to show, and a canvas of plain numpy with a small font."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]

GLYPH_WIDTH = 5
GLYPH_HEIGHT = 7

# Each glyph is five columns from left to right; the lowest bit of a column is its top pixel.
_GLYPHS = {
    " ": "0000000000", "(": "001C224100", ")": "0041221C00", "+": "08083E0808", ",": "0050300000",
    "-": "0808080808", ".": "0060600000", "/": "2010080402", ":": "0036360000", "=": "1414141414",
    ">": "0041221408", "?": "0201510906", "_": "4040404040", "@": "324979413E", "!": "00005F0000",
    "0": "3E5149453E", "1": "00427F4000", "2": "4261514946", "3": "2141454B31", "4": "1814127F10",
    "5": "2745454539", "6": "3C4A494930", "7": "0171090503", "8": "3649494936", "9": "064949291E",
    "A": "7E1111117E", "B": "7F49494936", "C": "3E41414122", "D": "7F4141221C", "E": "7F49494941",
    "F": "7F09090901", "G": "3E4149497A", "H": "7F0808087F", "I": "00417F4100", "J": "2040413F01",
    "K": "7F08142241", "L": "7F40404040", "M": "7F020C027F", "N": "7F0408107F", "O": "3E4141413E",
    "P": "7F09090906", "Q": "3E4151215E", "R": "7F09192946", "S": "4649494931", "T": "01017F0101",
    "U": "3F4040403F", "V": "1F2040201F", "W": "3F4038403F", "X": "6314081463", "Y": "0708700807",
    "Z": "6151494543",
}  # fmt: skip


def _bitmap(columns: str) -> npt.NDArray[np.bool_]:
    numbers = np.frombuffer(bytes.fromhex(columns), np.uint8)
    pixels = np.unpackbits(numbers[:, None], axis=1, bitorder="little").T
    return pixels[:GLYPH_HEIGHT].astype(np.bool_)


@cache
def _glyph(character: str, scale: int) -> npt.NDArray[np.bool_]:
    bitmap = _bitmap(_GLYPHS.get(character, _GLYPHS["?"]))
    return bitmap.repeat(scale, axis=0).repeat(scale, axis=1)


@dataclass(frozen=True)
class Scene:
    """One moment of a game as somebody sees it: all that a renderer is given.

    Attributes:
        features: ``(F,) int8``, the view.
        everything: the view has all cards turned up.
        last_action: (seat, action) played last, or ``None``.
        result: ``"won"``, ``"lost"``, ``"illegal"`` (lost by an illegal action); ``None`` during the game.
    """

    features: npt.NDArray[np.int8]
    everything: bool
    last_action: tuple[int, int] | None = None
    result: str | None = None


class Canvas:
    """A picture in memory; ``image`` is ``(height, width, 3) uint8``."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self.image = np.empty((height, width, 3), np.uint8)
        self.image[:] = background

    def rectangle(self, left: int, top: int, width: int, height: int, colour: Colour) -> None:
        """Fill a rectangle."""
        self.image[top : top + height, left : left + width] = colour

    def text(self, left: int, top: int, text: str, colour: Colour, scale: int = 2) -> None:
        """Write one line in capitals; what the font lacks is ``?``, what does not fit is cut off."""
        for character in text.upper():
            bitmap = _glyph(character, scale)
            area = self.image[top : top + bitmap.shape[0], left : left + bitmap.shape[1]]
            area[bitmap[: area.shape[0], : area.shape[1]]] = colour
            left += (GLYPH_WIDTH + 1) * scale

    def centred(
        self, left: int, top: int, width: int, height: int, text: str, colour: Colour, scale: int = 2
    ) -> None:
        """Write one line in the middle of a rectangle."""
        text_width = ((GLYPH_WIDTH + 1) * len(text) - 1) * scale
        text_height = GLYPH_HEIGHT * scale
        self.text(left + (width - text_width) // 2, top + (height - text_height) // 2, text, colour, scale)
