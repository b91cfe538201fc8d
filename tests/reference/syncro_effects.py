"""What Fog, Reward and lieutenant cards of Syncro do. A card that asks for a choice yields a decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tests.reference.syncro_parts import TARGET, Decision, HordeCard, InEffect, Said, Script, Target
from tests.reference.syncro_table import Table
from unspoken.envs.syncro.cards import (
    AnnounceSums,
    ApplyFog,
    BossCard,
    ChangeStrength,
    Destroy,
    Discard,
    Draw,
    DrawReward,
    Effect,
    FogCard,
    LieutenantCard,
    PassHands,
    Recover,
    Redeal,
    Reveal,
    RewardCard,
    SwapHands,
)


class Game(Protocol):
    """What the effects need of the game besides the table."""

    table: Table

    def estimate(self) -> Script[None]: ...


def apply_card(game: Game, card: FogCard | RewardCard | LieutenantCard, actor: int) -> Script[None]:
    """Everything a card does, in order, and an estimate if somebody drew for it; then it is discarded.

    `actor` makes the choices. A further Fog card is another card: what this one drew is estimated before it.
    """
    table = game.table
    applied = InEffect(card)
    table.in_effect.append(applied)
    drew = False
    for effect in _effects(card):
        if isinstance(effect, ApplyFog) and drew:
            yield from game.estimate()
            drew = False
        drew |= yield from _apply(game, effect, actor)
        applied.steps += 1
    if drew:
        yield from game.estimate()
    table.in_effect.pop()
    table.discard_card(card)


def _effects(card: FogCard | RewardCard | LieutenantCard) -> tuple[Effect, ...]:
    """What a card does; of a lieutenant, what it does when it is turned up."""
    if not isinstance(card, LieutenantCard):
        return card.effects
    if card.power == "fog":
        return (ApplyFog(do="apply_fog"),)
    if card.power == "reward":
        return (DrawReward(do="draw_reward", count=1),)
    return ()


def play_reward(game: Game, seat: int) -> Script[None]:
    """A wizard plays the Reward that it holds, and makes its choices."""
    reward = game.table.rewards[seat]
    assert reward is not None
    game.table.rewards[seat] = None
    yield from apply_card(game, reward, seat)


def can_play(table: Table, seat: int) -> bool:
    """A wizard holds a Reward, no curse forbids it, and all that the card needs exists."""
    reward = table.rewards[seat]
    if reward is None or table.forbidden("reward"):
        return False
    return all(_is_possible(table, effect, seat) for effect in reward.effects)


def _is_possible(table: Table, effect: Effect, seat: int) -> bool:
    """Whether there is what an effect needs: targets, cards, spells, room for a spell that is recovered.

    Dealing hands again needs nothing: also empty hands can be shuffled together.
    """
    choices = _choices(table, effect, seat)
    if choices is not None and not choices():
        return False
    if isinstance(effect, Draw):
        return bool(table.spell_deck or table.spell_discards)
    if isinstance(effect, Recover):
        return bool(table.spell_discards) and table.has_room(_concerned(table, effect.who, seat))
    if isinstance(effect, Discard) and effect.who != "each":
        return bool(table.hands[_concerned(table, effect.who, seat)])
    if isinstance(effect, Discard | PassHands | SwapHands | AnnounceSums):
        return any(table.hands)
    if isinstance(effect, Reveal):
        return any(card.slot.back == "monster" and not card.face_up for card in table.horde.values())
    if isinstance(effect, ApplyFog):
        return bool(table.fog_deck or table.fog_discards)
    return True


def _concerned(table: Table, who: str, actor: int) -> int:
    return table.leader if who == "leader" else actor


def _choices(table: Table, effect: Effect, actor: int) -> Callable[[], list[int]] | None:
    """What there is to choose from, for an effect that asks for a choice."""

    def slots(fits: Callable[[HordeCard], bool]) -> Callable[[], list[int]]:
        return lambda: sorted(card.number for card in table.horde.values() if fits(card))

    if isinstance(effect, Reveal) and effect.what == "chosen":
        return slots(lambda card: card.slot.back == "monster" and not card.face_up)
    if isinstance(effect, ChangeStrength) and effect.what == "chosen":
        return slots(lambda card: card.is_monster and card.face_up)
    if isinstance(effect, Destroy):
        limit = effect.limit
        return slots(
            lambda card: (
                card.is_monster
                and card.face_up
                and not table.is_covered(card)
                and not isinstance(card.card, BossCard)
                and table.strength(card) <= limit
            )
        )
    if isinstance(effect, SwapHands):
        return lambda: [seat for seat in range(table.players) if seat != actor]
    return None


def _apply(game: Game, effect: Effect, actor: int) -> Script[bool]:
    """One effect. Returns whether anybody drew a spell."""
    table = game.table
    chosen: int | None = None
    choices = _choices(table, effect, actor)
    if choices is not None:
        if not choices():
            return False
        action = yield Decision(actor, TARGET, choices, isinstance(effect, SwapHands))
        assert isinstance(action, Target)
        chosen = action.number

    if isinstance(effect, Draw):
        if effect.who == "each":
            return table.draw_each(effect.count)
        first = table.leader if effect.who == "team" else _concerned(table, effect.who, actor)
        return table.draw(first, effect.count, goes_round=effect.who == "team")
    if isinstance(effect, Discard):
        seats = (
            table.clockwise(table.leader) if effect.who == "each" else [_concerned(table, effect.who, actor)]
        )
        for seat in seats:
            for _ in range(effect.count):
                _discard_one(table, seat, effect.which)
    elif isinstance(effect, PassHands):
        step = 1 if effect.direction == "left" else -1
        _give_hands(table, {seat: (seat + step) % table.players for seat in range(table.players)})
    elif isinstance(effect, SwapHands):
        assert chosen is not None
        _give_hands(table, {actor: chosen, chosen: actor})
    elif isinstance(effect, Redeal):
        _redeal(table)
    elif isinstance(effect, Reveal):
        for card in table.horde.values():
            if card.slot.back == "monster" and chosen in (None, card.number):
                card.face_up = True
    elif isinstance(effect, ChangeStrength):
        for card in table.horde.values():
            if card.is_monster and chosen in (None, card.number):
                card.change += effect.amount
    elif isinstance(effect, DrawReward):
        for _ in range(effect.count):
            table.draw_reward()
    elif isinstance(effect, Recover):
        _recover(table, _concerned(table, effect.who, actor), effect.which)
    elif isinstance(effect, AnnounceSums):
        for seat, hand in enumerate(table.hands):
            table.said[seat] = Said(total=sum(spell.value for spell in hand), size=len(hand))
    elif isinstance(effect, Destroy):
        assert chosen is not None
        table.destroy(table.horde[chosen])
    elif isinstance(effect, ApplyFog):
        fog = table.next_fog()
        if fog is not None:
            yield from apply_card(game, fog, table.leader)
    # What is left is in force while its curse lies aside.
    return False


def _discard_one(table: Table, seat: int, which: str) -> None:
    hand = table.hands[seat]
    if not hand:
        return
    values = [spell.value for spell in hand]
    place = {
        "lowest": values.index(min(values)),
        "highest": values.index(max(values)),
        "leftmost": 0,
        "rightmost": len(hand) - 1,
    }[which]
    table.discard_from_hand(seat, place)


def _give_hands(table: Table, to: dict[int, int]) -> None:
    """Hands change owners at the same time. Who had a hand knows it still; what was said goes with it."""
    hands = {new: table.hands[old] for old, new in to.items()}
    said = {new: table.said[old] for old, new in to.items()}
    for seat, hand in hands.items():
        table.hands[seat] = hand
        table.said[seat] = said[seat]
        for spell in hand:
            spell.known = spell.known | {seat}


def _redeal(table: Table) -> None:
    """All hands are shuffled together and dealt one by one from the leader."""
    together = [spell for hand in table.hands for spell in hand]
    together = table.shuffler("hands", together)
    table.hands = [[] for _ in range(table.players)]
    table.said = [Said() for _ in range(table.players)]
    seats = table.clockwise(table.leader)
    for count, spell in enumerate(together):
        seat = seats[count % table.players]
        spell.known = {seat}
        table.hands[seat].append(spell)


def _recover(table: Table, seat: int, which: str) -> None:
    """Everybody sees which spell is taken back."""
    if not table.spell_discards or not table.has_room(seat):
        return
    best = min if which == "lowest" else max
    spell = best(table.spell_discards, key=lambda spell: spell.value)
    table.spell_discards.remove(spell)
    spell.known = set(range(table.players))
    table.hands[seat].append(spell)
