"""Syncro shown: text for a terminal and a picture drawn in memory, both from one view of the game.

A view holds what its observer may know and nothing else, so a picture of a seat's view cannot show more.
"""

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Scene, Seen
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.terminal import Paint
from unspoken.envs.syncro.scene import describe

__all__ = ["describe", "draw_image", "draw_text"]

_HALF_CARD = 3
"""Characters that half a card is wide on the map of the horde."""


def draw_text(game: Game, scene: Scene, colour: bool = False) -> str:
    """The scene as lines of text, for a terminal; ``colour``: with escape sequences."""
    paint = Paint(colour)
    seen = describe(game, scene)
    lines = [
        paint(seen["title"], "bold"),
        paint.result(seen["status"], seen["result"]),
        paint(seen["last_text"], "faint"),
        *_beside(seen, paint),
        "",
        *_map(seen, paint),
        "",
    ]
    lines += [_slot(slot, number, seen, paint) for number, slot in enumerate(seen["slots"]) if _lies(slot)]
    lines.append("")
    lines += [_wizard(seen, seat, paint) for seat in range(seen["n_players"])]
    return "\n".join(lines) + "\n"


def draw_image(game: Game, scene: Scene) -> npt.NDArray[np.uint8]:
    """The scene as a picture, ``(H, W, 3) uint8``, of one size during a whole game."""
    from unspoken.envs.syncro.picture import draw

    return draw(game, describe(game, scene))


def _lies(slot: Seen) -> bool:
    return slot["state"] in ("down", "up")


def _beside(seen: Seen, paint: Paint) -> list[str]:
    """Lines about what lies beside the horde."""
    discards = ", ".join(f"{value} x{count}" for value, count in seen["discards"])
    lines = [f"Spell deck {seen['spell_deck']}, discards {discards or 'none'}"]
    fog = seen["fog"]
    if fog is not None:
        lines.append(
            f"Fog deck {fog['fog_deck']} (discards {fog['fog_discards']}), Reward deck {fog['reward_deck']}, "
            f"Lieutenant deck {fog['lieutenant_deck']}"
        )
        for name, text in zip(fog["curses"], fog["curse_texts"], strict=True):
            lines.append(paint(f"Curse: {name}. {text}", "bold"))
        if fog["card"] is not None:
            lines.append(paint(f"Being applied: {fog['card']}. {fog['card_text']}", "bold"))
    return lines


def _map(seen: Seen, paint: Paint) -> list[str]:
    """The numbers of the slots as they lie, each row over the one before; accessible ones in ``[ ]``."""
    rows: list[str] = []
    columns = 0
    for number, slot in enumerate(seen["slots"]):
        if slot["row"] == len(rows):
            rows.append(" " * (_HALF_CARD + 1))
            columns = 0
        width = _HALF_CARD * slot["width"]
        cell = str(number) if _lies(slot) else "."
        if _lies(slot) and slot["accessible"]:
            face = paint(f"[{cell}]".center(width), "bold")
        else:
            face = paint(cell.center(width), "faint")
        rows[-1] += " " * (_HALF_CARD * (slot["left"] - columns)) + face
        columns = slot["left"] + slot["width"]
    return [row.rstrip() for row in rows]


def _slot(slot: Seen, number: int, seen: Seen, paint: Paint) -> str:
    """What lies in a slot, and the spells on it."""
    mark = "*" if slot["accessible"] else " "
    if slot["name"] is None:
        return paint(f"{mark}{number:>3} {slot['back']}, face down", "faint")
    strength = str(slot["strength"] or "")
    line = f"{mark}{number:>3} {slot['name']:<20} {strength:>3}  {slot['kind']:<10}"
    if slot["state"] == "down":
        line += "  face down"
    spells = []
    if slot["spells_up"]:
        spells.append(f"{slot['spells_up']} up, sum {slot['sum_up']}")
    if slot["spells_down"]:
        known = f", known {slot['known_down']}" if slot["known_down"] else ""
        spells.append(f"{slot['spells_down']} down{known}")
    if slot["top_by"] is not None:
        spells.append(f"top by player_{slot['top_by']}")
    if slot["absorbed"]:
        spells.append(f"{slot['absorbed']} absorbed")
    if spells:
        line += f"  [{'; '.join(spells)}]"
    if number == seen["foe"]:
        line = line.rstrip() + "  <- being resolved"
    if number == seen["foe"] or spells:
        return paint(line.rstrip(), "bold")
    return line.rstrip() if slot["accessible"] else paint(line.rstrip(), "faint")


def _wizard(seen: Seen, number: int, paint: Paint) -> str:
    """What is known of a wizard."""
    seat = seen["seats"][number]
    acts = number == seen["to_act"]
    marks = (">" if acts else " ") + ("L" if number == seen["leader"] else " ")
    hand = " ".join(str(value or "?") for value in seat["hand"]) or "-"
    said = f"sum {seat['said_sum']}" if seat["said_sum"] else seat["estimate"] or "-"
    plays = [
        "passed" if play["passed"] else f"{play['value'] or '?'} on {play['slot']}" for play in seat["plays"]
    ]
    line = f"  hand {hand:<{2 * seen['hand_limit'] - 1}}  said {said:<8} {', '.join(plays)}"
    if seat["has_reward"]:
        line = f"{line.rstrip()}  Reward {seat['reward'] or '?'}"
    return paint.seat(f"{marks} player_{number}", number, bold=acts) + line.rstrip()
