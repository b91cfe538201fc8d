"""A scene of Syncro composed of sprites: what lies beside the horde, the horde, the wizards."""

from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.canvas import DARK, FAINT, GOLD, INK, Canvas
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.tokens import MARGIN, SEATS, glow, panel, ribbon, token
from unspoken.envs.syncro import sprites
from unspoken.envs.syncro.limits import CHAPTER_2

_WIDTH = 1040
_EDGE = 28
_HEADER = 104
_BESIDE = 36
"""Height of a line of what lies beside the horde."""
_HALF_CARD = 54
"""Width of half a card, unless a row of the horde is too wide for that."""
_GAP = 6
_CARD_HEIGHT = 132
_ROW = 92
"""From row to row: a row lies over the lower edge of the one above."""
_SMALL_SPELL = (24, 32)
_SPELL = (32, 43)
_PANEL = 66
_TWO_COLUMNS_FROM = 4
"""Wizards: as many and more are shown in two columns."""

Seen = dict[str, Any]
"""A scene as ``scene.describe`` gives it."""


class _Layout:
    """Where things lie: the same for all levels of a scenario."""

    def __init__(self, config: Any) -> None:
        hordes = [config.card_set.levels[level].horde for level in config.levels_of_scenario]
        columns = max(slot.left + slot.width for horde in hordes for slot in horde.slots)
        rows = max(slot.row + 1 for horde in hordes for slot in horde.slots)
        self.half = min(_HALF_CARD, (_WIDTH - 2 * _EDGE) // columns)
        beside = 1 + (config.levels_of_scenario[-1] in CHAPTER_2)
        self.horde = _HEADER + beside * _BESIDE + 18
        self.panels = self.horde + (rows - 1) * _ROW + _CARD_HEIGHT + 20
        self.columns = 1 if config.n_players < _TWO_COLUMNS_FROM else 2
        gap = 8
        self.panel_width = (_WIDTH - 2 * _EDGE + gap) // self.columns - gap
        self.panel_step = self.panel_width + gap
        self.row_step = _PANEL + gap
        self.height = self.panels + self.row_step * -(-config.n_players // self.columns) + _EDGE - gap
        self.hand_limit: int = config.hand_limit

    def left(self, seen: Seen) -> float:
        """Of the level's horde, which lies in the middle of the table."""
        columns = max(slot["left"] + slot["width"] for slot in seen["slots"])
        return (_WIDTH - columns * self.half) / 2


def draw(game: Game, seen: Seen) -> npt.NDArray[np.uint8]:
    """A scene as ``scene.describe`` gives it, ``(H, W, 3) uint8``."""
    lay = _Layout(game.config)
    canvas = Canvas(_WIDTH, lay.height)
    room = _WIDTH - 2 * _EDGE
    if seen["result"] is not None:
        canvas.paste_centred(ribbon(seen["result"] == "won"), _WIDTH - _EDGE - 64, 54)
        room -= 140
    canvas.text(_EDGE, 32, seen["title"], 17, FAINT, room=room)
    canvas.text(_EDGE, 62, seen["status"], 24, INK, bold=True, room=room)
    canvas.text(_EDGE, 91, seen["last_text"], 17, FAINT, room=room)
    _draw_spells_beside(canvas, seen, _HEADER + _BESIDE / 2)
    if seen["fog"] is not None:
        _draw_fog(canvas, seen["fog"], _HEADER + 1.5 * _BESIDE)
    aimed = _aimed_at(game, seen)
    for number in range(len(seen["slots"])):
        _draw_slot(canvas, lay, seen, number, aimed)
    for seat in range(seen["n_players"]):
        _draw_wizard(canvas, lay, seen, seat)
    return canvas.finish()


def _aimed_at(game: Game, seen: Seen) -> int | None:
    """The slot that the last action named."""
    last = seen["last"]
    if last is None or last["action"] is None:
        return None
    action = game.actions[last["action"]]
    return int(action.slot) if action.kind == "ATTACK" else None


def _draw_spells_beside(canvas: Canvas, seen: Seen, y: float) -> None:
    x = _count(canvas, "spell", seen["spell_deck"], "spells to draw", _EDGE, y) + 12
    x += canvas.text(x, y, "discarded", 15, FAINT) + 10
    if not seen["discards"]:
        canvas.text(x, y, "none", 15, FAINT)
    for value, count in seen["discards"]:
        sprite = sprites.spell(value, 20, 26)
        canvas.paste_centred(sprite, x + 10, y)
        x += 24 + canvas.text(x + 24, y, f"x{count}", 15) + 12


def _count(canvas: Canvas, kind: str, count: int, name: str, x: float, y: float) -> float:
    """A pile with its size; returns where it ends."""
    sprite = sprites.pile(kind, 28)
    canvas.paste(sprite, x, y - 14)
    x += sprite.width + 6
    x += canvas.text(x, y, str(count), 18, INK, bold=True) + 6
    return x + canvas.text(x, y, name, 15, FAINT) + 16


def _draw_fog(canvas: Canvas, fog: Seen, y: float) -> None:
    x = _count(canvas, "fog", fog["fog_deck"], f"Fog, {fog['fog_discards']} gone", _EDGE, y)
    x = _count(canvas, "reward", fog["reward_deck"], "Rewards", x, y)
    x = _count(canvas, "lieutenant", fog["lieutenant_deck"], "Lieutenants", x, y) + 4
    room = _WIDTH - _EDGE - x
    if fog["card"] is not None:
        canvas.text(x, y, f"{fog['card']}: {fog['card_text']}", 16, GOLD, room=room)
    elif len(fog["curses"]) == 1:
        canvas.text(x, y, f"Curse: {fog['curses'][0]}. {fog['curse_texts'][0]}", 16, GOLD, room=room)
    elif fog["curses"]:
        canvas.text(x, y, f"Curses: {', '.join(fog['curses'])}", 16, GOLD, room=room)


def _draw_slot(canvas: Canvas, lay: _Layout, seen: Seen, number: int, aimed: int | None) -> None:
    slot = seen["slots"][number]
    width = slot["width"] * lay.half - _GAP
    left = lay.left(seen) + slot["left"] * lay.half + _GAP / 2
    top = lay.horde + slot["row"] * _ROW
    if slot["state"] in ("none", "gone"):
        canvas.paste(sprites.empty_place(width, _CARD_HEIGHT), left, top)
        return
    if number == seen["foe"]:
        canvas.paste(glow(width, _CARD_HEIGHT), left - 2 * MARGIN, top - 2 * MARGIN)
    elif number == aimed:
        shine = glow(width, _CARD_HEIGHT, SEATS[seen["last"]["seat"]])
        canvas.paste(shine, left - 2 * MARGIN, top - 2 * MARGIN)
    covered = not slot["accessible"]
    if slot["name"] is None:
        card = sprites.foe_back(slot["back"], width, _CARD_HEIGHT, covered)
    else:
        up = slot["state"] == "up"
        card = sprites.foe_card(slot["kind"], slot["back"], width, _CARD_HEIGHT, up, covered)
    canvas.paste(card, left - MARGIN, top - MARGIN)
    canvas.paste(sprites.slot_tag(number, slot["accessible"]), left - 2, top - 3)
    if slot["name"] is not None:
        canvas.text(left + width / 2, top + 77, slot["name"], 14, DARK, "middle", bold=True, room=width - 8)
    if slot["strength"] is not None:
        badge = sprites.strength_badge(slot["strength"], 34)
        canvas.paste(badge, left + width - 30, top - 4)
    _draw_spells_on(canvas, slot, left, top, width)


def _draw_spells_on(canvas: Canvas, slot: Seen, left: float, top: float, width: float) -> None:
    """The spells on a monster, along the lower edge of its card, and what it has swallowed."""
    x, y = left + 6, top + _CARD_HEIGHT - _SMALL_SPELL[1] - 6
    room = width - 12 - 20 * (slot["absorbed"] > 0) - 18 * (slot["top_by"] is not None)
    cards = slot["spells_up"] + slot["spells_down"]
    heaps = (slot["spells_up"] > 0) + (slot["spells_down"] > 0)
    step = min(7.0, (room - heaps * _SMALL_SPELL[0] - 3) / max(1, cards - heaps))
    for count, total, up in (
        (slot["spells_up"], slot["sum_up"], True),
        (slot["spells_down"], slot["known_down"], False),
    ):
        for k in range(count):
            label = str(total) if k == count - 1 and total else ""
            canvas.paste(sprites.spell_sum(label, *_SMALL_SPELL, up), x, y)
            x += step if k < count - 1 else _SMALL_SPELL[0] + 3
    if slot["top_by"] is not None:
        canvas.paste(token(slot["top_by"], "", 20), x - 4, y + 10)
    if slot["absorbed"]:
        canvas.text(left + width - 6, y + 17, f"+{slot['absorbed']}", 15, (96, 60, 60), "right", bold=True)


def _draw_wizard(canvas: Canvas, lay: _Layout, seen: Seen, number: int) -> None:
    row, column = divmod(number, lay.columns)
    left, top = _EDGE + column * lay.panel_step, lay.panels + row * lay.row_step
    y = top + _PANEL / 2
    seat = seen["seats"][number]
    acts, observes = number == seen["to_act"], number == seen["observer"]
    canvas.paste(panel(lay.panel_width, _PANEL, acts, SEATS[number]), left, top)
    canvas.paste_centred(token(number, "", 28), left + 24, y)
    colour = INK if acts or observes else FAINT
    x = left + 44
    x += canvas.text(x, y - 13, f"player_{number}", 17, colour, bold=acts) + 8
    if number == seen["leader"]:
        canvas.paste_centred(sprites.crown(22), x + 11, y - 14)
    if seat["has_reward"]:
        canvas.paste_centred(sprites.chest(20), left + 54, y + 14)
        canvas.text(left + 68, y + 14, seat["reward"] or "a Reward", 14, colour, room=96)
    elif acts or observes:
        canvas.text(left + 44, y + 14, "to play" if acts else "you", 14, GOLD if acts else FAINT)
    x = left + 172
    for value in seat["hand"]:
        canvas.paste(sprites.spell(value, *_SPELL), x, y - _SPELL[1] / 2)
        x += _SPELL[0] + 4
    x = left + 172 + lay.hand_limit * (_SPELL[0] + 4) + 12
    _draw_said(canvas, seat, x, y)
    x += 74
    for play in seat["plays"]:
        x = _draw_play(canvas, play, x, y)


def _draw_said(canvas: Canvas, seat: Seen, x: float, y: float) -> None:
    if seat["said_sum"] is not None:
        canvas.text(x + 28, y - 10, str(seat["said_sum"]), 22, INK, "middle", bold=True)
        canvas.text(x + 28, y + 16, "in sum", 14, FAINT, "middle")
    elif seat["estimate"] is not None:
        canvas.paste_centred(sprites.thumb(seat["estimate"], 32), x + 28, y - 9)
        canvas.text(x + 28, y + 19, seat["estimate"], 14, FAINT, "middle")


def _draw_play(canvas: Canvas, play: Seen, x: float, y: float) -> float:
    """A decision of this round; returns where the next one begins."""
    if play["passed"]:
        return x + canvas.text(x, y, "passed", 15, FAINT) + 16
    canvas.paste_centred(sprites.spell(play["value"], *_SMALL_SPELL), x + 12, y)
    x += 30
    x += canvas.text(x, y, "on", 15, FAINT) + 6
    canvas.paste_centred(sprites.slot_tag(play["slot"], False), x + 12, y)
    return x + 40
