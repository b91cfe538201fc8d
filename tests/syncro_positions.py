"""Positions of Syncro laid out by hand for the reference model, and cards to lay them out with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from tests.reference.syncro import Syncro
from tests.reference.syncro_parts import AVERAGE, ESTIMATE, Action, Attack, Estimate, Pass, PlayReward, Spell
from tests.syncro_card_set import CARDS
from unspoken.envs.syncro.cards import (
    CardSet,
    FogCard,
    Level,
    LieutenantCard,
    MonsterCard,
    RewardCard,
)


def monster(kind: str, strength: int) -> MonsterCard:
    name = f"{kind} {strength}"
    return MonsterCard.model_validate({"name": name, "kind": kind, "strength": strength, "count": 1})


def mushroom(strength: int) -> MonsterCard:
    return monster("mushroom", strength)


def golem(strength: int) -> MonsterCard:
    return monster("golem", strength)


def dragon(strength: int) -> MonsterCard:
    return monster("dragon", strength)


def lieutenant(power: str, strength: int = 3) -> LieutenantCard:
    name = f"{power} {strength}"
    return LieutenantCard.model_validate({"name": name, "strength": strength, "power": power})


def fog(*effects: dict[str, Any], name: str = "", ongoing: bool = False, kind: str = "curse") -> FogCard:
    name = name or " ".join(effect["do"] for effect in effects)
    card = {"name": name, "kind": kind, "ongoing": ongoing, "count": 1, "effects": effects}
    return FogCard.model_validate(card)


def curse(**effect: Any) -> FogCard:
    """An ongoing one."""
    return fog(effect, ongoing=True)


def reward(*effects: dict[str, Any], name: str = "") -> RewardCard:
    name = name or " ".join(effect["do"] for effect in effects)
    return RewardCard.model_validate({"name": name, "count": 1, "effects": effects})


def house_cards(**levels: tuple[str, ...]) -> CardSet:
    """The house set with other patterns: ``house_cards(I_a=("M+",))``."""
    changed = dict(CARDS.levels)
    for key, pattern in levels.items():
        name = cast(Any, key.replace("_", "-"))
        changed[name] = Level.model_validate({**changed[name].model_dump(), "pattern": pattern})
    return CARDS.model_copy(update={"levels": changed})


def unshuffled(pile: str, cards: list[Any]) -> list[Any]:
    """Shuffles nothing; the leader is seat 0."""
    return list(cards)


def position(
    pattern: Sequence[str] = ("M+",),
    cards: Sequence[Any] = (),
    hands: Sequence[Sequence[int]] = ((1,), (1,), (1,), (1,)),
    *,
    level: str = "I-a",
    leader: int = 0,
    deck: Sequence[int] = (),
    discards: Sequence[int] = (),
    fogs: Sequence[FogCard] = (),
    rewards: Sequence[RewardCard | None] | None = None,
    reward_deck: Sequence[RewardCard] = (),
    curses: Sequence[FogCard] = (),
    max_tries: int | None = None,
) -> Syncro:
    """A game of `level` in its first round, with everything on the table replaced by what is given.

    `cards` lie in the slots in order; a slot for which there is none, or None, keeps what it was dealt. Of
    `deck`, `fogs` and `reward_deck` the first card is the top one; the Fog and Reward discards are empty.
    """

    def shuffler(pile: str, given: list[Any]) -> list[Any]:
        return [(leader + k) % len(given) for k in range(len(given))] if pile == "leader" else list(given)

    card_set = house_cards(**{level.replace("-", "_"): tuple(pattern)})
    game = Syncro(card_set, len(hands), level, shuffler, max_tries)
    while game.kind == ESTIMATE:
        game.apply(Estimate(AVERAGE))
    table = game.table
    table.hands = [[Spell(value, {seat}) for value in hand] for seat, hand in enumerate(hands)]
    table.spell_deck = [Spell(value) for value in deck]
    table.spell_discards = [Spell(value) for value in discards]
    table.fog_deck, table.fog_discards = list(fogs), []
    table.rewards = [None] * len(hands) if rewards is None else list(rewards)
    table.reward_deck, table.reward_discards = list(reward_deck), []
    table.curses = list(curses)
    for number, card in enumerate(cards):
        if card is not None:
            table.horde[number].card = card
        if isinstance(card, LieutenantCard):
            table.lieutenants_of_level[number] = card
    return game


def play(game: Syncro, *actions: Action) -> Syncro:
    for action in actions:
        game.apply(action)
    return game


def passes(count: int) -> list[Action]:
    return [Pass()] * count


def say_average(game: Syncro) -> Syncro:
    """Everybody who is asked for an estimate says average."""
    while game.kind == ESTIMATE:
        game.apply(Estimate(AVERAGE))
    return game


def values(spells: Sequence[Spell]) -> list[int]:
    return [spell.value for spell in spells]


def hands_of(game: Syncro) -> list[list[int]]:
    return [values(hand) for hand in game.table.hands]


def words(game: Syncro) -> list[str | None]:
    """What was said of each hand last."""
    return [said.word for said in game.public_view().said]


def sums(game: Syncro) -> list[int | None]:
    """The sum that was said of each hand last."""
    return [said.total for said in game.public_view().said]


def on(game: Syncro, slot: int) -> list[int]:
    """The spells on the monster in a slot, in the order in which they were played."""
    return [laid.spell.value for laid in game.table.horde[slot].spells]


def attacked(game: Syncro) -> set[int]:
    """The slots that the current player may attack."""
    return {action.slot for action in game.legal_actions() if isinstance(action, Attack)}


def face_up(game: Syncro) -> set[int]:
    return {number for number, card in game.table.horde.items() if card.face_up}


FOG_TABLE = ["F-  ", "M+M+"]
"""A Fog card that is turned up when the monster over it is gone, and another monster beside it."""


def turn_up(card: FogCard, hands: list[list[int]], **more: Any) -> Syncro:
    """The leader's first spell, a 1, destroys the monster over a Fog card; the round goes to its end.

    The other monster is a Mushroom of 9 in slot 2.
    """
    cards = [card, mushroom(1), mushroom(9)]
    leader = more.get("leader", 0)
    hands = [[1, *hand] if seat == leader else hand for seat, hand in enumerate(hands)]
    game = position(FOG_TABLE, cards, hands, level="II-a", **more)
    return play(game, Attack(0, 1), *passes(3 if len(hands) < 5 else 4))


def play_card(card: RewardCard, hands: list[list[int]], **more: Any) -> Syncro:
    """Seat 0, the leader, plays this Reward first of all."""
    held = [card, *[None] * (len(hands) - 1)]
    more = {"pattern": ["M+M+"], "cards": [mushroom(9), mushroom(9)], **more}
    return play(position(hands=hands, rewards=held, level="II-a", **more), PlayReward())


DRAW = {"do": "draw", "who": "team", "count": 1}
TWO_FOR_PLAYER = {"do": "draw", "who": "player", "count": 2}
NOTHING = {"do": "announce_sums"}
"""An effect that changes nothing on the table."""
