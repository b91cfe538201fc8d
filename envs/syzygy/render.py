"""Syzygy shown: text for a terminal and a picture drawn in memory, both from one view of the game.

A view holds what its observer may know and nothing else, so a picture of a seat's view cannot show more.
"""

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Scene, Seen
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.terminal import Paint
from unspoken.envs.syzygy.scene import describe

__all__ = ["describe", "draw_image", "draw_text"]


def draw_text(game: Game, scene: Scene, colour: bool = False) -> str:
    """The scene as lines of text, for a terminal; ``colour``: with escape sequences."""
    paint = Paint(colour)
    seen = describe(game, scene)
    positions = range(len(seen["cards"]))
    lines = [
        paint(seen["title"], "bold"),
        paint.result(seen["status"], seen["result"]),
        paint(seen["last_text"], "faint"),
        "",
        paint(_row("position", [str(position) for position in positions]), "faint"),
        _row("planet", [_face(seen, position, paint) for position in positions]),
    ]
    for seat in range(seen["n_players"]):
        acts = seat == seen["to_act"]
        chips = [card["chips"][seat] for card in seen["cards"]]
        row = _row(f"player_{seat}", [str(chip or ".") for chip in chips], ">" if acts else " ")
        passed = [str(turn["chip"]) for turn in seen["seats"][seat]["turns"] if turn["passed"]]
        if passed:
            row += f"   passed {' '.join(passed)}"
        lines.append(paint.seat(row, seat, bold=acts))
    return "\n".join(lines) + "\n"


def draw_image(game: Game, scene: Scene) -> npt.NDArray[np.uint8]:
    """The scene as a picture, ``(H, W, 3) uint8``, of one size during a whole game."""
    from unspoken.envs.syzygy.picture import draw

    return draw(game, describe(game, scene))


def _row(label: str, cells: list[str], marker: str = " ") -> str:
    return f"{marker} {label:<9}" + "".join(f"{cell:>4} " for cell in cells).rstrip()


def _face(seen: Seen, position: int, paint: Paint) -> str:
    """A card in four characters: its planet, ``?``, or ``@`` (and what lies there) for the Blackhole."""
    card = seen["cards"][position]
    planet = card["planet"]
    face = f"@{planet or ''}" if card["blackhole"] else str(planet or "?")
    if position == seen["looked_at"]:
        return paint(f"[{face}]".rjust(4), "looked at")
    return paint(face.rjust(4), "known" if planet else "faint")
