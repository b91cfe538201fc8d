"""What a card of Syncro does, in a sentence: for pictures, pages and the terminal."""

from collections.abc import Callable
from typing import Any

from unspoken.envs.syncro.cards import CardSet, FogCard, LieutenantCard, MonsterCard, RewardCard

_WIZARD = {"leader": "the leader", "each": "every wizard", "team": "the team"}
_RULES = {
    "estimate": "No estimates are given",
    "pass": "Whoever can attack must",
    "reward": "No Reward is played",
    "mushroom_draw": "Mushrooms give no spells",
    "leader_attacks": "The leader must attack in the first decision of a round",
    "end_cards": "Attacks are made with the leftmost or the rightmost spell of a hand",
}
_KINDS = {
    "mushroom": "Destroyed with too much, the team draws as many spells as it was too much.",
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
    texts[1] += " Nobody can attack it while a Cerberus is in play."
    return texts[0], texts[1], "While it is in play nobody can attack the last boss."


def effects_text(card: FogCard | RewardCard, actor: str = "you") -> str:
    """What a Fog card or a Reward does; ``actor`` is what the wizard who plays a Reward is called.

    What a Fog card asks is chosen by the leader.
    """
    actor = "the leader" if isinstance(card, FogCard) else actor
    text = " ".join(f"{_effect_text(effect, actor)}." for effect in card.effects)
    if isinstance(card, FogCard) and card.ongoing:
        text += " Until the level ends."
    return text


def _effect_text(effect: Any, actor: str) -> str:
    return _SENTENCES[effect.do](effect, actor)


def _subject(effect: Any, actor: str, verb: str) -> str:
    """Whom an effect concerns, and what they do: ``The leader draws``."""
    return _subject_of(actor if effect.who == "player" else _WIZARD[effect.who], verb)


def _subject_of(who: str, verb: str) -> str:
    # A player_2 keeps its small letter.
    name = who if who.startswith("player_") else who[0].upper() + who[1:]
    return f"{name} {verb}" if who == "you" else f"{name} {verb}s"


def _choice(actor: str) -> str:
    return "your choice" if actor == "you" else f"{actor}'s choice"


def _draw(effect: Any, actor: str) -> str:
    spells = f"{_number(effect.count)} spell{'s' * (effect.count > 1)}"
    return f"{_subject(effect, actor, 'draw')} {spells}"


def _discard(effect: Any, actor: str) -> str:
    spells = f"{_number(effect.count)} spells" if effect.count > 1 else "spell"
    return f"{_subject(effect, actor, 'discard')} the {effect.which} {spells}"


def _recover(effect: Any, actor: str) -> str:
    return f"{_subject(effect, actor, 'take')} the {effect.which} spell of the discards"


def _strength(effect: Any, actor: str) -> str:
    which = "All monsters are" if effect.what == "all" else f"A face-up monster of {_choice(actor)} is"
    return f"{which} given {effect.amount:+d} strength"


def _reveal(effect: Any, actor: str) -> str:
    # Of the horde's cards only those with the back of a monster: no lieutenant, boss, Cerberus or Fog.
    if effect.what == "all":
        return "All face-down Monster cards are turned up"
    return f"A face-down Monster card of {_choice(actor)} is turned up"


def _swap_hands(effect: Any, actor: str) -> str:
    return f"{_subject_of(actor, 'swap')} hands with a wizard of {_choice(actor)}"


def _destroy(effect: Any, actor: str) -> str:
    return (
        f"An accessible monster of {_choice(actor)}, of strength {effect.limit} or less and not a boss, is "
        "destroyed without its effect"
    )


def _count(count: int, noun: str) -> str:
    return f"{_number(count).capitalize()} {noun}{'s are' if count > 1 else ' is'}"


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six")
    return words[count] if count < len(words) else str(count)


_SENTENCES: dict[str, Callable[[Any, str], str]] = {
    "draw": _draw,
    "discard": _discard,
    "pass_hands": lambda effect, actor: f"All hands go to the next wizard on the {effect.direction}",
    "redeal": lambda effect, actor: "All hands are shuffled together and dealt anew",
    "reveal": _reveal,
    "strength": _strength,
    "draw_reward": lambda effect, actor: f"{_count(effect.count, 'Reward')} drawn, for wizards who have none",
    "apply_fog": lambda effect, actor: "Another Fog card is applied",
    "recover": _recover,
    "swap_hands": _swap_hands,
    "announce_sums": lambda effect, actor: "Every wizard says the sum of its hand",
    "destroy": _destroy,
    "forbid": lambda effect, actor: _RULES[effect.rule],
    "force": lambda effect, actor: _RULES[effect.rule],
    "hand_limit": lambda effect, actor: f"Hands hold {_number(-effect.amount)} fewer",
}
"""A sentence for each effect, by what it does."""
