"""Who sees what at the table of Syncro."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference.syncro_parts import (
    Decision,
    HordeCard,
    HordeView,
    Play,
    PlayView,
    PrivateView,
    PublicView,
    SaidView,
)
from tests.reference.syncro_table import Table
from unspoken.envs.syncro.cards import Forbid, Force


def public_view(
    table: Table, tries: int, levels_won: int, position: int, decision: Decision | None
) -> PublicView:
    """What everybody may know."""
    applied = table.in_effect[-1] if table.in_effect else None
    return PublicView(
        level=table.level,
        tries=tries,
        levels_won=levels_won,
        leader=table.leader,
        seat=None if decision is None else decision.seat,
        kind=None if decision is None else decision.kind,
        position=position,
        plays=_plays(table, lambda play: len(play.known) == table.players),
        owed_to=table.owed_to,
        owed=table.owed,
        applied=(applied.card.name, applied.steps) if applied else None,
        horde=tuple(_horde_view(table, table.horde[number]) for number in sorted(table.horde)),
        destroyed=tuple(sorted((number, card.card.name) for number, card in table.destroyed.items())),
        hand_sizes=tuple(len(hand) for hand in table.hands),
        said=tuple(SaidView(said.word, said.total, said.size, said.shown) for said in table.said),
        discards=tuple(sorted(spell.value for spell in table.spell_discards)),
        deck_size=len(table.spell_deck),
        has_reward=tuple(reward is not None for reward in table.rewards),
        reward_discards=tuple(sorted(card.name for card in table.reward_discards)),
        reward_deck_size=len(table.reward_deck),
        curses=tuple(sorted(card.name for card in table.curses)),
        rules=frozenset(effect.rule for effect in table.in_force() if isinstance(effect, Forbid | Force)),
        hand_limit=table.hand_limit,
        fog_discards=tuple(card.name if seen else None for card, seen in table.fog_discards),
        fog_deck_size=len(table.fog_deck),
        lieutenant_deck_size=len(table.lieutenant_deck),
        beaten_lieutenants=tuple(sorted(card.name for card in table.lieutenant_box)),
    )


def _plays(table: Table, is_known: Callable[[Play], bool]) -> tuple[PlayView, ...]:
    return tuple(
        PlayView(play.seat, play.hand, play.slot, play.value if is_known(play) else None)
        for play in table.plays
    )


def _horde_view(table: Table, card: HordeCard) -> HordeView:
    return HordeView(
        number=card.number,
        back=card.slot.back,
        face_up=card.face_up,
        accessible=not table.is_covered(card),
        name=card.card.name if card.face_up or card.remembered else None,
        strength=table.strength(card) if card.face_up else None,
        spells=tuple((laid.owner, laid.spell.value if laid.face_up else None) for laid in card.spells),
        absorbed=tuple(spell.value for spell in card.absorbed),
    )


def private_view(table: Table, seat: int, public: PublicView) -> PrivateView:
    """What one seat may know: the table, its own cards, and every spell it has held, wherever it is now."""
    reward = table.rewards[seat]
    return PrivateView(
        seat=seat,
        hand=tuple(spell.value for spell in table.hands[seat]),
        reward=None if reward is None else reward.name,
        hands=tuple(
            tuple(spell.value if seat in spell.known else None for spell in hand) for hand in table.hands
        ),
        plays=_plays(table, lambda play: seat in play.known),
        face_down=tuple(
            (card.number, place, laid.spell.value if seat in laid.spell.known else None)
            for card in table.horde.values()
            for place, laid in enumerate(card.spells)
            if not laid.face_up
        ),
        public=public,
    )
