"""A moment of Syncro as plain data, of the table's seats and slots: what pictures are drawn from.

It is made of one view of the game and holds what the observer may know, and nothing else.
"""

from typing import Any, NamedTuple

from unspoken.envs.engine.drawing import ENDINGS, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syncro.cards import CardSet
from unspoken.envs.syncro.horde import Slot
from unspoken.envs.syncro.limits import LEVELS
from unspoken.envs.syncro.state import DECIDE_ESTIMATE, DECIDE_KEEP
from unspoken.envs.syncro.tables import RULES, fog_kinds, monster_kinds, reward_kinds
from unspoken.envs.syncro.vocabulary import SwapHands
from unspoken.envs.syncro.wording import boss_texts, effects_text, lieutenant_text, monster_text

DECISIONS = ("turn", "estimate", "discard", "target", "keep", "over")
SLOT_STATES = ("none", "gone", "down", "up")
ESTIMATES = (None, "good", "average", "bad")

_TOGETHER = {"ESTIMATE": DECIDE_ESTIMATE, "KEEP": DECIDE_KEEP, "DISCARD ALL": DECIDE_KEEP}
"""The actions that are hidden while the others still decide."""

Features = dict[str, list[int]]


class _Face(NamedTuple):
    """A card of the horde, face up."""

    name: str
    kind: str
    text: str


def describe(game: Game, scene: Scene) -> dict[str, Any]:
    """The scene, ready for JSON.

    Returns:
        ``game``, ``level`` and ``level_name``, ``n_players``; ``observer``, the seat that sees this, or
        ``None`` with all cards turned up; ``to_act``, a seat, or ``None`` at the end; ``decision``, one of
        ``DECISIONS``; ``position``, decisions of the round that have been made; ``tries``; ``leader``;
        ``owed`` to a Dragon; ``targets``, what a TARGET names, ``"slots"`` or ``"wizards"``, or ``None``
        while there is none to choose; ``foe``, the slot being resolved, or ``None``; ``spell_deck``, its
        size; ``discards``, ``[value, count]`` pairs; ``hand_limit``; ``result``, ``"won"``, ``"lost"``,
        ``"illegal"`` or ``None``; ``title``, ``status``, ``last_text``, three lines about these; ``last``,
        ``None`` or the last action's ``seat``, ``action`` (``None`` while it is hidden) and ``text``.

        ``fog``, ``None`` in chapter I: ``rules`` in force, names of ``curses`` (with ``curse_texts``),
        sizes of ``fog_deck``, ``fog_discards``, ``reward_deck``, ``lieutenant_deck``; ``card`` and
        ``card_text``, the card that is being applied, or ``None``; ``seen``, Fog cards that were turned up,
        and ``rewards_played``, the Rewards among the discards, each as ``[name, text, count]``.

        ``slots``, of the level's horde: ``row``, ``left``, ``width`` (in half cards), ``back``, ``state``
        (one of ``SLOT_STATES``), ``accessible``; ``name``, ``kind``, ``strength`` and ``text`` of the card,
        or ``None`` if unknown; spells on it: ``spells_up``, ``sum_up``, ``spells_down``, ``known_down``
        (the sum of those the observer knows), ``absorbed``; ``top_by``, the seat of the top one, or
        ``None``.

        ``seats``: of each the ``hand``, values or ``None``; ``estimate``, ``said_sum``, or ``None``;
        ``plays`` of this round, each ``passed``, ``slot``, ``hand`` (the place the spell left), ``value``;
        ``has_reward``; ``reward`` and ``reward_text``, or ``None`` if unknown or none.
    """
    config = game.config
    n_players: int = config.n_players
    features: Features = {
        name: values.tolist() for name, values in game.layout.decode(scene.features).items()
    }
    observer = features["seat"][0]
    level = LEVELS[features["level"][0]]
    level_name = config.card_set.levels[level].name
    over = scene.result is not None
    to_act = None if over else (features["to_act"][0] + observer) % n_players
    decision = DECISIONS[-1] if over else DECISIONS[features["decision"][0]]
    last = _last(game, scene, features["decision"][0], observer)
    who = "all cards turned up" if scene.everything else f"as player_{observer} sees it"
    return {
        "game": config.game,
        "level": level,
        "level_name": level_name,
        "n_players": n_players,
        "observer": None if scene.everything else observer,
        "to_act": to_act,
        "decision": decision,
        "position": features["position"][0],
        "tries": features["tries"][0],
        "leader": (features["leader"][0] + observer) % n_players,
        "owed": features["owed"][0],
        "targets": _targets(config.card_set, features) if decision == "target" else None,
        "foe": features["foe"][0] - 1 if features["foe"][0] else None,
        "spell_deck": features["spell_deck"][0],
        "discards": [[value, count] for value, count in enumerate(features["discards"], 1) if count],
        "hand_limit": features["hand_limit"][0] if "hand_limit" in features else config.hand_limit,
        "result": scene.result,
        "title": f"Syncro {level} ({level_name}), {n_players} players: {who}",
        "status": _status(features, decision, to_act, scene.result),
        "last_text": f"Last: player_{last['seat']} {last['text']}" if last else "Last: -",
        "last": last,
        "fog": _fog(config.card_set, features, scene.everything) if "rules" in features else None,
        "slots": [
            _slot(config.card_set, features, number, slot, observer, n_players)
            for number, slot in enumerate(config.card_set.levels[level].horde.slots)
        ],
        "seats": [
            _seat(config.card_set, features, (seat - observer) % n_players) for seat in range(n_players)
        ],
    }


def _last(game: Game, scene: Scene, decision: int, observer: int) -> dict[str, Any] | None:
    if scene.last_action is None:
        return None
    seat, action = scene.last_action
    if action is not None:
        # What all decide at once is not seen before the last of them has.
        hidden = decision == _TOGETHER.get(game.actions[action].kind) and not scene.everything
        if not hidden or seat == observer:
            return {"seat": seat, "action": action, "text": game.action_name(action)}
    return {"seat": seat, "action": None, "text": "has chosen"}


def _status(features: Features, decision: str, to_act: int | None, result: str | None) -> str:
    if result is not None:
        return f"The game is over. {ENDINGS[result]}"
    doing = {
        "turn": f"decides (decision {features['position'][0] + 1} of the round)",
        "estimate": "estimates its hand",
        "discard": f"may discard: {features['owed'][0]} owed to a Dragon",
        "target": "chooses a target",
        "keep": "keeps or discards its hand",
        "over": "has nothing left to decide",
    }[decision]
    return f"Try {features['tries'][0]}. player_{to_act} {doing}."


def _fog(cards: CardSet, features: Features, everything: bool) -> dict[str, Any]:
    curses = [kind for kind, count in zip(fog_kinds(cards), features["curses"], strict=True) if count]
    applied = features["card"][0] - 1
    fogs, rewards = fog_kinds(cards), reward_kinds(cards)
    shown = [(card.name, effects_text(card)) for card in fogs]
    # Who plays a Reward is only known to be the wizard to act while that one chooses a target.
    choosing = DECISIONS[features["decision"][0]] == "target" and features["to_act"][0] == 0
    actor = "you" if choosing and not everything else "the wizard who plays it"
    shown += [(card.name, effects_text(card, actor)) for card in rewards]
    shown += [(card.name, lieutenant_text(card)) for card in cards.lieutenants]
    name, text = shown[applied] if applied >= 0 else (None, None)
    return {
        "rules": [name for name, bit in zip(RULES, features["rules"], strict=True) if bit],
        "curses": [card.name for card in curses],
        "curse_texts": [effects_text(card) for card in curses],
        "fog_deck": features["fog_deck"][0],
        "fog_discards": features["fog_discards"][0],
        "reward_deck": features["reward_deck"][0],
        "lieutenant_deck": features["lieutenant_deck"][0],
        "card": name,
        "card_text": text,
        "seen": [
            [card.name, effects_text(card), count]
            for card, count in zip(fogs, features["fog_seen"], strict=True)
            if count
        ],
        "rewards_played": [
            [card.name, effects_text(card, "the wizard who plays it"), count]
            for card, count in zip(rewards, features["reward_discards"], strict=True)
            if count
        ],
    }


def _targets(cards: CardSet, features: Features) -> str:
    """What the card that is being applied asks its actor to choose."""
    number, step = features["card"][0] - 1, features["card_step"][0]
    fogs = fog_kinds(cards)
    effects = fogs[number].effects if number < len(fogs) else reward_kinds(cards)[number - len(fogs)].effects
    effect = effects[step]
    return "wizards" if isinstance(effect, SwapHands) else "slots"


def _face(cards: CardSet, number: int) -> _Face:
    """A card that can lie in a horde, by its number in the feature ``slot_card``, from 0."""
    monsters = monster_kinds(cards)
    if number < len(monsters):
        monster = monsters[number]
        return _Face(monster.name, monster.kind, monster_text(monster))
    number -= len(monsters)
    if number < len(cards.lieutenants):
        lieutenant = cards.lieutenants[number]
        return _Face(lieutenant.name, "lieutenant", lieutenant_text(lieutenant))
    number -= len(cards.lieutenants)
    bosses = (cards.bosses.first, cards.bosses.second, cards.bosses.cerberus)
    if number < len(bosses):
        kind = "boss" if number < len(bosses) - 1 else "cerberus"
        return _Face(bosses[number].name, kind, boss_texts(cards)[number])
    fog = fog_kinds(cards)[number - len(bosses)]
    return _Face(fog.name, "fog", effects_text(fog))


def _slot(
    cards: CardSet, features: Features, number: int, slot: Slot, observer: int, n_players: int
) -> dict[str, Any]:
    state = SLOT_STATES[features["slot_state"][number]]
    shown = features["slot_card"][number] if state in ("down", "up") else 0
    face = _face(cards, shown - 1) if shown else None
    top = features["slot_top"][number]
    return {
        "row": slot.row,
        "left": slot.left,
        "width": slot.width,
        "back": slot.back,
        "state": state,
        "accessible": bool(features["slot_accessible"][number]),
        "name": face.name if face else None,
        "kind": face.kind if face else None,
        "strength": features["slot_strength"][number] or None,
        "text": face.text if face else None,
        "spells_up": features["slot_spells"][number],
        "sum_up": features["slot_sum"][number],
        "spells_down": features["slot_hidden"][number],
        "known_down": features["slot_known"][number],
        "absorbed": features["slot_absorbed"][number],
        "top_by": (top - 1 + observer) % n_players if top else None,
    }


def _seat(cards: CardSet, features: Features, k: int) -> dict[str, Any]:
    """What is known of the wizard ``k`` seats on from the observer."""
    size = features[f"hand_size_{k}"][0]
    plays = []
    for slot, hand, value in zip(
        features[f"play_{k}"], features[f"play_hand_{k}"], features[f"play_value_{k}"], strict=True
    ):
        if slot:
            attacked = slot > 1
            plays.append(
                {
                    "passed": not attacked,
                    "slot": slot - 2 if attacked else None,
                    "hand": hand - 1 if hand else None,
                    "value": value or None,
                }
            )
    has_reward = f"has_reward_{k}" in features and bool(features[f"has_reward_{k}"][0])
    kind = features[f"reward_{k}"][0] if has_reward else 0
    reward = reward_kinds(cards)[kind - 1] if kind else None
    return {
        "hand": [value or None for value in features[f"hand_{k}"][:size]],
        "estimate": ESTIMATES[features[f"estimate_{k}"][0]],
        "said_sum": features[f"said_sum_{k}"][0] or None,
        "plays": plays,
        "has_reward": has_reward,
        "reward": reward.name if reward else None,
        "reward_text": effects_text(reward) if reward else None,
    }
