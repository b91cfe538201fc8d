"""A scene of Syncro composed of sprites: what lies beside the horde, the horde, the wizards."""

from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.canvas import DARK, FAINT, GOLD, INK, Canvas
from unspoken.envs.engine.drawing import Seen
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.tokens import EDGE, HEADER, MARGIN, SEATS, WIDTH, draw_header, glow, panel, token
from unspoken.envs.syncro import sprites
from unspoken.envs.syncro.limits import CHAPTER_2

_BESIDE = 36
"""Height of a line of what lies beside the horde."""
_HALF_CARD = 54
"""Width of half a card, unless a row of the horde is too wide for that."""
_GAP = 6
_CARD_HEIGHT = 132
_ROW = 92
"""From row to row: a row lies over the lower edge of the one above."""
_SMALL_SPELL = (24, 32)
_SPELL = (31, 42)
_SPELL_STEP = 34
_PANEL = 66
_TWO_COLUMNS_FROM = 4
"""Wizards: as many and more are shown in two columns."""


class _Layout:
    """Where things lie: the same for all levels of a scenario."""

    def __init__(self, config: Any) -> None:
        hordes = [config.card_set.levels[level].horde for level in config.levels_of_scenario]
        columns = max(slot.left + slot.width for horde in hordes for slot in horde.slots)
        self.rows = max(slot.row + 1 for horde in hordes for slot in horde.slots)
        self.half = min(_HALF_CARD, (WIDTH - 2 * EDGE) // columns)
        beside = 1 + (config.levels_of_scenario[-1] in CHAPTER_2)
        self.horde = HEADER + beside * _BESIDE + 18
        self.panels = self.horde + (self.rows - 1) * _ROW + _CARD_HEIGHT + 20
        self.columns = 1 if config.n_players < _TWO_COLUMNS_FROM else 2
        gap = 8
        self.panel_width = (WIDTH - 2 * EDGE + gap) // self.columns - gap
        self.panel_step = self.panel_width + gap
        self.row_step = _PANEL + gap
        self.height = self.panels + self.row_step * -(-config.n_players // self.columns) + EDGE - gap
        # In a panel: where the hand begins, what has been said, and the decisions of the round.
        self.hand = 154 if self.columns > 1 else 180
        self.said = self.hand + config.hand_limit * _SPELL_STEP + 4
        self.plays = self.said + (64 if self.columns > 1 else 90)

    def place(self, seen: Seen, number: int) -> tuple[float, float, int]:
        """Left and upper edge of a slot's card, and its width; the horde lies in the middle of the table."""
        slots = seen["slots"]
        columns = max(slot["left"] + slot["width"] for slot in slots)
        slot = slots[number]
        left = (WIDTH - columns * self.half + _GAP) / 2 + slot["left"] * self.half
        free_rows = self.rows - 1 - slots[-1]["row"]
        top = self.horde + (slot["row"] + free_rows / 2) * _ROW
        return left, top, slot["width"] * self.half - _GAP


def draw(game: Game, seen: Seen) -> npt.NDArray[np.uint8]:
    """A scene as ``scene.describe`` gives it, ``(H, W, 3) uint8``."""
    layout = _Layout(game.config)
    canvas = Canvas(WIDTH, layout.height)
    draw_header(canvas, seen)
    _draw_spells_beside(canvas, seen, HEADER + _BESIDE / 2)
    if seen["fog"] is not None:
        _draw_fog(canvas, seen["fog"], HEADER + 1.5 * _BESIDE)
    aimed = _aimed_at(game, seen)
    for number, slot in enumerate(seen["slots"]):
        if slot["state"] in ("none", "gone"):
            left, top, width = layout.place(seen, number)
            canvas.paste(sprites.empty_place(width, _CARD_HEIGHT), left, top)
    for number, slot in enumerate(seen["slots"]):
        if slot["state"] in ("down", "up"):
            _draw_slot(canvas, layout, seen, number, aimed)
    for seat in range(seen["n_players"]):
        _draw_wizard(canvas, layout, seen, seat)
    return canvas.finish()


def _aimed_at(game: Game, seen: Seen) -> int | None:
    """The slot that the last action named."""
    last = seen["last"]
    if last is None or last["action"] is None:
        return None
    action = game.actions[last["action"]]
    return int(action.slot) if action.kind == "ATTACK" else None


def _draw_spells_beside(canvas: Canvas, seen: Seen, y: float) -> None:
    x = _count(canvas, "spell", seen["spell_deck"], "spells to draw", EDGE, y) + 12
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
    x = _count(canvas, "fog", fog["fog_deck"], f"Fog, {fog['fog_discards']} gone", EDGE, y)
    x = _count(canvas, "reward", fog["reward_deck"], "Rewards", x, y)
    x = _count(canvas, "lieutenant", fog["lieutenant_deck"], "Lieutenants", x, y) + 4
    if fog["card"] is not None:
        _write(canvas, x, y, f"{fog['card']}: {fog['card_text']}")
    elif len(fog["curses"]) == 1:
        _write(canvas, x, y, f"Curse: {fog['curses'][0]}. {fog['curse_texts'][0]}")
    elif fog["curses"]:
        _write(canvas, x, y, f"Curses: {', '.join(fog['curses'])}")


def _write(canvas: Canvas, x: float, y: float, text: str) -> None:
    """A sentence up to the right edge, in two lines if it is long."""
    room = WIDTH - EDGE - x
    if len(text) * 8 < room:
        canvas.text(x, y, text, 16, GOLD, room=room)
        return
    for line, part in enumerate(_halves(text)):
        canvas.text(x, y - 9 + 18 * line, part, 15, GOLD, room=room)


def _halves(text: str) -> tuple[str, str]:
    """``text`` in two lines, parted at the space nearest to its middle."""
    spaces = [place for place, character in enumerate(text) if character == " "]
    middle = min(spaces, key=lambda place: abs(2 * place - len(text)), default=len(text))
    return text[:middle], text[middle + 1 :]


def _draw_slot(canvas: Canvas, layout: _Layout, seen: Seen, number: int, aimed: int | None) -> None:
    slot = seen["slots"][number]
    left, top, width = layout.place(seen, number)
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
    canvas.paste(sprites.slot_tag(number, slot["accessible"]), left + 3, top + 3)
    if slot["name"] is not None:
        _write_name(canvas, slot["name"], left + width / 2, top + 78, width - 4)
    if slot["strength"] is not None:
        size = min(34, round(0.36 * width))
        canvas.paste(sprites.strength_badge(slot["strength"], size), left + width - size - 2, top + 2)
    _draw_spells_on(canvas, slot, left, top, width)


def _write_name(canvas: Canvas, name: str, x: float, y: float, room: float) -> None:
    """A card's name, in two lines if it is long."""
    if " " in name and len(name) * 6.4 > room:
        for line, part in enumerate(_halves(name)):
            canvas.text(x, y - 6 + 13 * line, part, 13, DARK, "middle", room=room)
    else:
        canvas.text(x, y, name, 15, DARK, "middle", room=room)


def _draw_spells_on(canvas: Canvas, slot: Seen, left: float, top: float, width: float) -> None:
    """The spells on a monster, along the lower edge of its card, and what it has swallowed."""
    x, y = left + 6.0, top + _CARD_HEIGHT - _SMALL_SPELL[1] - 6
    room = width - 12 - 20 * (slot["absorbed"] > 0) - 18 * (slot["top_by"] is not None)
    cards = slot["spells_up"] + slot["spells_down"]
    heaps = (slot["spells_up"] > 0) + (slot["spells_down"] > 0)
    step = max(2.0, min(7.0, (room - heaps * _SMALL_SPELL[0] - 3) / max(1, cards - heaps)))
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


def _draw_wizard(canvas: Canvas, layout: _Layout, seen: Seen, number: int) -> None:
    row, column = divmod(number, layout.columns)
    left, top = EDGE + column * layout.panel_step, layout.panels + row * layout.row_step
    y = top + _PANEL / 2
    seat = seen["seats"][number]
    acts, observes = number == seen["to_act"], number == seen["observer"]
    canvas.paste(panel(layout.panel_width, _PANEL, acts, SEATS[number]), left, top)
    canvas.paste_centred(token(number, "", 28), left + 24, y)
    colour = INK if acts or observes else FAINT
    note = "to play" if acts else "you" if observes else ""
    high = y - 13 if note or seat["has_reward"] else y
    name = canvas.text(left + 44, high, f"player_{number}", 17, colour, bold=acts)
    if number == seen["leader"]:
        canvas.paste_centred(sprites.crown(20), left + 44 + name + 18, high - 1)
    if seat["has_reward"]:
        canvas.paste_centred(sprites.chest(20), left + 54, y + 14)
        canvas.text(left + 68, y + 14, seat["reward"] or "a Reward", 14, colour, room=layout.hand - 76)
    else:
        canvas.text(left + 44, y + 14, note, 14, GOLD if acts else FAINT)
    for place, value in enumerate(seat["hand"]):
        canvas.paste(
            sprites.spell(value, *_SPELL), left + layout.hand + place * _SPELL_STEP, y - _SPELL[1] / 2
        )
    _draw_said(canvas, seat, left + layout.said, y)
    x = float(left + layout.plays)
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
