"""Pictures of Syncro: text for a terminal and an image drawn in memory, both from one view of the game.

A view holds what its observer may know and nothing else, so a picture of a seat's view cannot show more.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Canvas, Colour, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syncro.horde import Slot
from unspoken.envs.syncro.limits import LEVELS, MAX_VALUE
from unspoken.envs.syncro.state import DECIDE_ESTIMATE, DECIDE_KEEP
from unspoken.envs.syncro.tables import RULES, foe_names, fog_kinds, reward_kinds

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
ESTIMATES = ("-", "good", "average", "bad")

_MARGIN = 16
_LINE = 24
_HALF_CARD = 66
_CARD_HEIGHT = 78
_ROW_HEIGHT = 84
_LEAST_WIDTH = 1000
_NO_CARD, _GONE, _UP = 0, 1, 3
_TOGETHER = {"ESTIMATE": DECIDE_ESTIMATE, "KEEP": DECIDE_KEEP, "DISCARD ALL": DECIDE_KEEP}
"""The actions that are hidden while the others still decide."""


class _View:
    """What a scene shows, with the table's seats instead of the observer's."""

    def __init__(self, game: Game, scene: Scene) -> None:
        config = game.config
        self.cards = config.card_set
        self.features: dict[str, Any] = game.layout.decode(scene.features)
        self.n_players: int = config.n_players
        observer = self._one("seat")
        self.relative = [(seat - observer) % self.n_players for seat in range(self.n_players)]
        self.level = LEVELS[self._one("level")]
        self.horde = self.cards.levels[self.level].horde
        self.leader = (self._one("leader") + observer) % self.n_players
        self.to_act = -1 if scene.result is not None else (self._one("to_act") + observer) % self.n_players
        who = "all cards turned up" if scene.everything else f"as player_{observer} sees it"
        self.title = (
            f"Syncro {self.level} ({self.cards.levels[self.level].name}), {self.n_players} players: {who}"
        )
        self.status = self._status(scene.result)
        self.last = "Last: -"
        if scene.last_action is not None:
            seat, action = scene.last_action
            # What all decide at once is not seen before the last of them has.
            secret = self._one("decision") == _TOGETHER.get(game.actions[action].kind)
            secret = secret and not scene.everything and seat != observer
            did = "has chosen" if secret else game.action_name(action)
            self.last = f"Last: player_{seat} {did}"

    def _one(self, name: str) -> int:
        return int(self.features[name][0])

    def _status(self, result: str | None) -> str:
        if result is not None:
            ends = {"won": "Won.", "lost": "Lost.", "illegal": "Lost by an illegal action."}
            return f"The game is over. {ends[result]}"
        doing = (
            f"decides (decision {self._one('position') + 1} of the round)",
            "estimates its hand",
            f"may discard: {self._one('owed')} owed to a Dragon",
            "chooses a target",
            "keeps or discards its hand",
        )[self._one("decision")]
        return f"Try {self._one('tries')}. player_{self.to_act} {doing}."

    def table(self) -> list[str]:
        """Lines about what lies beside the horde."""
        lines = [f"Spell deck {self._one('spell_deck')}, discards {self._by_value('discards')}"]
        if "rules" in self.features:
            rules = [name for name, bit in zip(RULES, self.features["rules"], strict=True) if bit]
            curses = _counted(fog_kinds(self.cards), self.features["curses"])
            lines.append(f"Curses: {curses or 'none'}" + (f" ({', '.join(rules)})" if rules else ""))
            decks = ", ".join(
                f"{name} {self._one(f'{name}_deck')}" for name in ("fog", "reward", "lieutenant")
            )
            lines.append(f"Decks: {decks}")
        return lines

    def _by_value(self, name: str) -> str:
        counts = self.features[name]
        found = [f"{value} x{counts[value - 1]}" for value in range(1, MAX_VALUE + 1) if counts[value - 1]]
        return ", ".join(found) or "none"

    def slot(self, number: int) -> tuple[str, str]:
        """Two short lines about a slot: what lies there, and the spells on it."""
        features = self.features
        state, card = int(features["slot_state"][number]), int(features["slot_card"][number])
        back = self.horde.slots[number].back
        if state in (_NO_CARD, _GONE):
            return "", ""
        names = (*foe_names(self.cards), *(fog.name for fog in fog_kinds(self.cards)))
        name = names[card - 1] if card else back
        strength = int(features["slot_strength"][number])
        face = f"{name} {strength}" if strength else name
        spells = []
        if features["slot_spells"][number]:
            spells.append(f"{features['slot_spells'][number]} up ({features['slot_sum'][number]})")
        if features["slot_hidden"][number]:
            known = int(features["slot_known"][number])
            spells.append(f"{features['slot_hidden'][number]} down" + (f" ({known})" if known else ""))
        if features["slot_absorbed"][number]:
            spells.append(f"+{features['slot_absorbed'][number]}")
        return face, " ".join(spells)

    def is_up(self, number: int) -> bool:
        """Whether a card lies face up in a slot."""
        return int(self.features["slot_state"][number]) == _UP

    def seat_line(self, seat: int) -> str:
        """What is known of a wizard."""
        k = self.relative[seat]
        features = self.features
        size = int(features[f"hand_size_{k}"][0])
        hand = " ".join(str(value) if value else "?" for value in features[f"hand_{k}"][:size])
        said = ESTIMATES[int(features[f"estimate_{k}"][0])]
        total = int(features[f"said_sum_{k}"][0])
        if total:
            said = f"sum {total}"
        plays = []
        for play, slot in enumerate(features[f"play_{k}"]):
            if slot == 1:
                plays.append("passed")
            elif slot > 1:
                value = int(features[f"play_value_{k}"][play])
                plays.append(f"{value or '?'} on {slot - 2}")
        line = f"hand {hand or '-':<16} said {said:<8} {', '.join(plays)}"
        if f"has_reward_{k}" in features and features[f"has_reward_{k}"][0]:
            kind = int(features[f"reward_{k}"][0])
            line += f"  Reward {reward_kinds(self.cards)[kind - 1].name if kind else '?'}"
        return line.rstrip()


def _counted(kinds: tuple[Any, ...], counts: Any) -> str:
    return ", ".join(kind.name for kind, count in zip(kinds, counts, strict=True) if count)


def draw_text(game: Game, scene: Scene) -> str:
    """The scene as lines of text, for a terminal."""
    view = _View(game, scene)
    lines = [view.title, view.status, view.last, *view.table(), ""]
    row = 0
    for number, slot in enumerate(view.horde.slots):
        if slot.row != row:
            lines.append("")
            row = slot.row
        face, spells = view.slot(number)
        mark = "*" if view.features["slot_accessible"][number] else " "
        column = " " * (slot.left // 2)
        lines.append(f"{mark}{number:>3} {column}{face or '.'}" + (f"  [{spells}]" if spells else ""))
    lines.append("")
    for seat in range(view.n_players):
        marks = (">" if seat == view.to_act else " ") + ("L" if seat == view.leader else " ")
        lines.append(f"{marks} player_{seat}  {view.seat_line(seat)}")
    return "\n".join(lines) + "\n"


def draw_image(game: Game, scene: Scene) -> npt.NDArray[np.uint8]:
    """The scene as a picture, ``(H, W, 3) uint8``."""
    view = _View(game, scene)
    config = game.config
    hordes = [config.card_set.levels[level].horde for level in config.levels_of_scenario]
    columns = max(slot.left + slot.width for horde in hordes for slot in horde.slots)
    rows = max(slot.row + 1 for horde in hordes for slot in horde.slots)
    header = [view.title, view.status, view.last, *view.table()]
    top = _MARGIN + 6 * _LINE + 8
    bottom = top + rows * _ROW_HEIGHT + 12
    width = max(_LEAST_WIDTH, 2 * _MARGIN + columns * _HALF_CARD)
    canvas = Canvas(width, bottom + view.n_players * _LINE + _MARGIN, BACKGROUND)
    for line, text in enumerate(header):
        canvas.text(_MARGIN, _MARGIN + line * _LINE, text, INK if line < 2 else FAINT)
    for number, slot in enumerate(view.horde.slots):
        _draw_slot(canvas, view, number, slot, top)
    for seat in range(view.n_players):
        line_top = bottom + seat * _LINE
        if seat == view.to_act:
            canvas.rectangle(_MARGIN - 8, line_top, 4, _LINE - 8, INK)
        leader = "L" if seat == view.leader else " "
        text = f"{leader} player_{seat}  {view.seat_line(seat)}"
        canvas.text(_MARGIN, line_top, text, INK if seat == view.to_act else FAINT)
    return canvas.image


def _draw_slot(canvas: Canvas, view: _View, number: int, slot: Slot, top: int) -> None:
    left = _MARGIN + slot.left * _HALF_CARD
    top += slot.row * _ROW_HEIGHT
    width = slot.width * _HALF_CARD
    face, spells = view.slot(number)
    canvas.text(left + 4, top, str(number), FAINT, 1)
    if not face:
        return
    up = view.is_up(number)
    canvas.rectangle(left + 3, top + 8, width - 6, _CARD_HEIGHT - 10, BACKS[slot.back])
    ink = INK
    if up:
        canvas.rectangle(left + 7, top + 12, width - 14, _CARD_HEIGHT - 18, CARD)
        ink = CARD_INK
    name, _, strength = face.rpartition(" ")
    if not strength.isdigit():
        name, strength = face, ""
    canvas.centred(left, top + 10, width, 20, name, ink, 1)
    canvas.centred(left, top + 26, width, 26, strength, ink, 3)
    canvas.centred(left, top + 54, width, 14, spells, ink, 1)
