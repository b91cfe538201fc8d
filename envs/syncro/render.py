"""Pictures of Syncro: text for a terminal and an image drawn in memory, both from one view of the game.

A view holds what its observer may know and nothing else, so a picture of a seat's view cannot show more.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Canvas, Colour, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syncro.scene import describe

BACKGROUND: Colour = (24, 26, 38)
INK: Colour = (232, 230, 220)
FAINT: Colour = (110, 114, 134)
CARD_INK: Colour = (36, 32, 48)
CARD: Colour = (240, 232, 206)
BACKS: dict[str, Colour] = {
    "monster": (84, 120, 84),
    "fog": (150, 158, 172),
    "lieutenant": (140, 96, 60),
    "boss": (150, 54, 54),
    "cerberus": (176, 96, 140),
}

_MARGIN = 16
_LINE = 24
_HALF_CARD = 66
_CARD_HEIGHT = 78
_ROW_HEIGHT = 84
_LEAST_WIDTH = 1000

Seen = dict[str, Any]
"""A scene as ``scene.describe`` gives it."""


def _table(seen: Seen) -> list[str]:
    """Lines about what lies beside the horde."""
    discards = ", ".join(f"{value} x{count}" for value, count in seen["discards"])
    lines = [f"Spell deck {seen['spell_deck']}, discards {discards or 'none'}"]
    fog = seen["fog"]
    if fog is not None:
        rules = f" ({', '.join(fog['rules'])})" if fog["rules"] else ""
        lines.append(f"Curses: {', '.join(fog['curses']) or 'none'}{rules}")
        decks = ", ".join(f"{name} {fog[f'{name}_deck']}" for name in ("fog", "reward", "lieutenant"))
        lines.append(f"Decks: {decks}")
    return lines


def _slot(seen: Seen, number: int) -> tuple[str, str]:
    """Two short lines about a slot: what lies there, and the spells on it."""
    slot = seen["slots"][number]
    if slot["state"] in ("none", "gone"):
        return "", ""
    name = slot["name"] or slot["back"]
    face = f"{name} {slot['strength']}" if slot["strength"] else name
    spells = []
    if slot["spells_up"]:
        spells.append(f"{slot['spells_up']} up ({slot['sum_up']})")
    if slot["spells_down"]:
        known = slot["known_down"]
        spells.append(f"{slot['spells_down']} down" + (f" ({known})" if known else ""))
    if slot["absorbed"]:
        spells.append(f"+{slot['absorbed']}")
    return face, " ".join(spells)


def _seat_line(seen: Seen, number: int) -> str:
    """What is known of a wizard."""
    seat = seen["seats"][number]
    hand = " ".join(str(value or "?") for value in seat["hand"])
    said = f"sum {seat['said_sum']}" if seat["said_sum"] else seat["estimate"] or "-"
    plays = [
        "passed" if play["passed"] else f"{play['value'] or '?'} on {play['slot']}" for play in seat["plays"]
    ]
    line = f"hand {hand or '-':<16} said {said:<8} {', '.join(plays)}"
    if seat["has_reward"]:
        line += f"  Reward {seat['reward'] or '?'}"
    return line.rstrip()


def draw_text(game: Game, scene: Scene) -> str:
    """The scene as lines of text, for a terminal."""
    seen = describe(game, scene)
    lines = [seen["title"], seen["status"], seen["last_text"], *_table(seen), ""]
    row = 0
    for number, slot in enumerate(seen["slots"]):
        if slot["row"] != row:
            lines.append("")
            row = slot["row"]
        face, spells = _slot(seen, number)
        mark = "*" if slot["accessible"] else " "
        column = " " * (slot["left"] // 2)
        lines.append(f"{mark}{number:>3} {column}{face or '.'}" + (f"  [{spells}]" if spells else ""))
    lines.append("")
    for seat in range(seen["n_players"]):
        marks = (">" if seat == seen["to_act"] else " ") + ("L" if seat == seen["leader"] else " ")
        lines.append(f"{marks} player_{seat}  {_seat_line(seen, seat)}")
    return "\n".join(lines) + "\n"


def draw_image(game: Game, scene: Scene) -> npt.NDArray[np.uint8]:
    """The scene as a picture, ``(H, W, 3) uint8``."""
    seen = describe(game, scene)
    config = game.config
    hordes = [config.card_set.levels[level].horde for level in config.levels_of_scenario]
    columns = max(slot.left + slot.width for horde in hordes for slot in horde.slots)
    rows = max(slot.row + 1 for horde in hordes for slot in horde.slots)
    header = [seen["title"], seen["status"], seen["last_text"], *_table(seen)]
    top = _MARGIN + 6 * _LINE + 8
    bottom = top + rows * _ROW_HEIGHT + 12
    width = max(_LEAST_WIDTH, 2 * _MARGIN + columns * _HALF_CARD)
    canvas = Canvas(width, bottom + seen["n_players"] * _LINE + _MARGIN, BACKGROUND)
    for line, text in enumerate(header):
        canvas.text(_MARGIN, _MARGIN + line * _LINE, text, INK if line < 2 else FAINT)
    for number in range(len(seen["slots"])):
        _draw_slot(canvas, seen, number, top)
    for seat in range(seen["n_players"]):
        line_top = bottom + seat * _LINE
        if seat == seen["to_act"]:
            canvas.rectangle(_MARGIN - 8, line_top, 4, _LINE - 8, INK)
        leader = "L" if seat == seen["leader"] else " "
        text = f"{leader} player_{seat}  {_seat_line(seen, seat)}"
        canvas.text(_MARGIN, line_top, text, INK if seat == seen["to_act"] else FAINT)
    return canvas.image


def _draw_slot(canvas: Canvas, seen: Seen, number: int, top: int) -> None:
    slot = seen["slots"][number]
    left = _MARGIN + slot["left"] * _HALF_CARD
    top += slot["row"] * _ROW_HEIGHT
    width = slot["width"] * _HALF_CARD
    face, spells = _slot(seen, number)
    canvas.text(left + 4, top, str(number), FAINT, 1)
    if not face:
        return
    canvas.rectangle(left + 3, top + 8, width - 6, _CARD_HEIGHT - 10, BACKS[slot["back"]])
    ink = INK
    if slot["state"] == "up":
        canvas.rectangle(left + 7, top + 12, width - 14, _CARD_HEIGHT - 18, CARD)
        ink = CARD_INK
    name, _, strength = face.rpartition(" ")
    if not strength.isdigit():
        name, strength = face, ""
    canvas.centred(left, top + 10, width, 20, name, ink, 1)
    canvas.centred(left, top + 26, width, 26, strength, ink, 3)
    canvas.centred(left, top + 54, width, 14, spells, ink, 1)
