"""What a card of Syncro does, in a sentence: for pictures, pages and the terminal."""

from collections.abc import Callable
from typing import Any

from unspoken.envs.syncro.cards import CardSet, FogCard, LieutenantCard, MonsterCard, RewardCard

_WIZARD = {"leader": "the leader", "player": "you", "each": "every wizard", "team": "the team"}
_RULES = {
    "estimate": "No estimates are given",
    "pass": "Whoever can attack must",
    "reward": "No Reward is played",
    "mushroom_draw": "Mushrooms give no spells",
    "leader_attacks": "The leader must attack in the first decision of a round",
    "end_cards": "Attacks are made with the leftmost or the rightmost spell of a hand",
}
_KINDS = {
    "mushroom": "Destroyed with too much, it gives the team as many spells as that.",
    "golem": "Not destroyed, it swallows the lowest spell on it, which adds to its strength; the others go.",
    "dragon": "Any total but its strength costs the difference: the team discards spells worth it, or loses.",
}
_POWERS = {
    "crowd": "+1 strength for every other card still in play.",
    "fog": "When it is turned up, a Fog card is applied.",
    "reward": "When it is turned up, a Reward is drawn.",
}


def monster_text(card: MonsterCard) -> str:
    """What a monster does when it is resolved."""
    return _KINDS[card.kind]


def lieutenant_text(card: LieutenantCard) -> str:
    """The power of a Lieutenant."""
    return _POWERS[card.power]


def boss_texts(cards: CardSet) -> tuple[str, str, str]:
    """What Boss I, Boss II and Cerberus do."""
    texts = []
    for boss in (cards.bosses.first, cards.bosses.second):
        parts = [f"Like a {kind.capitalize()}: {_KINDS[kind]}" for kind in boss.like]
        if boss.per_other_card:
            parts.append(f"+{boss.per_other_card} strength for every other card still in play.")
        texts.append(" ".join(parts))
    return texts[0], texts[1], "It lies before the last boss."


def effects_text(card: FogCard | RewardCard) -> str:
    """What a Fog card or a Reward does."""
    text = " ".join(f"{_effect_text(effect)}." for effect in card.effects)
    if isinstance(card, FogCard) and card.ongoing:
        text += " Until the level ends."
    return text


def _effect_text(effect: Any) -> str:
    return _SENTENCES[effect.do](effect)


def _draw(effect: Any) -> str:
    who = _WIZARD[effect.who].capitalize()
    verb = "draw" if effect.who == "player" else "draws"
    return f"{who} {verb} {_number(effect.count)} spell{'s' * (effect.count > 1)}"


def _discard(effect: Any) -> str:
    who = _WIZARD[effect.who].capitalize()
    verb = "discard" if effect.who == "player" else "discards"
    spells = f"{_number(effect.count)} spells" if effect.count > 1 else "spell"
    return f"{who} {verb} the {effect.which} {spells}"


def _recover(effect: Any) -> str:
    verb = "take" if effect.who == "player" else "takes"
    return f"{_WIZARD[effect.who].capitalize()} {verb} the {effect.which} spell of the discards"


def _strength(effect: Any) -> str:
    which = "All monsters are" if effect.what == "all" else "A face-up monster of your choice is"
    return f"{which} given {effect.amount:+d} strength"


def _monsters(what: str) -> str:
    return "All face-down monsters are" if what == "all" else "A face-down monster of your choice is"


def _count(count: int, noun: str) -> str:
    return f"{_number(count).capitalize()} {noun}{'s are' if count > 1 else ' is'}"


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six")
    return words[count] if count < len(words) else str(count)


_SENTENCES: dict[str, Callable[[Any], str]] = {
    "draw": _draw,
    "discard": _discard,
    "pass_hands": lambda effect: f"All hands go to the next wizard on the {effect.direction}",
    "redeal": lambda effect: "All hands are shuffled together and dealt anew",
    "reveal": lambda effect: f"{_monsters(effect.what)} turned up",
    "strength": _strength,
    "draw_reward": lambda effect: f"{_count(effect.count, 'Reward')} drawn, for wizards who have none",
    "apply_fog": lambda effect: "Another Fog card is applied",
    "recover": _recover,
    "swap_hands": lambda effect: "You swap hands with a wizard of your choice",
    "announce_sums": lambda effect: "Every wizard says the sum of its hand",
    "destroy": lambda effect: f"An accessible monster of strength {effect.limit} or less is destroyed",
    "forbid": lambda effect: _RULES[effect.rule],
    "force": lambda effect: _RULES[effect.rule],
    "hand_limit": lambda effect: f"Hands hold {_number(-effect.amount)} fewer",
}
"""A sentence for each effect, by what it does."""
