"""Positions in which one of Syncro's scripted players is to choose, and everybody knows what is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference.syncro import TURNS, Syncro
from tests.reference.syncro_parts import DEBT, Attack, Laid, Pass, Play, Said, Spell
from tests.syncro_positions import dragon, golem, position
from unspoken.envs.syncro.cards import LieutenantCard, MonsterCard, RewardCard

HOPELESS = golem(30)
SURE = golem(1)
"""Whatever is played on it destroys it."""


def table(*foes: Any, hands: Sequence[Sequence[int]], pattern: Sequence[str] = (), **more: Any) -> Syncro:
    """The foes lie face up in one row, or as `pattern` says; seat 0 leads. All these cards exist."""
    game = position(pattern or ("M+" * len(foes),), foes, hands, level="II-a", **more)
    cards, named = game.cards, {foe.name: foe for foe in foes}.values()
    game.cards = cards.model_copy(
        update={
            "monsters": (*cards.monsters, *(foe for foe in named if isinstance(foe, MonsterCard))),
            "lieutenants": (*cards.lieutenants, *(foe for foe in named if isinstance(foe, LieutenantCard))),
            "rewards": (*cards.rewards, *filter(None, more.get("rewards", ()))),
            "fog": (*cards.fog, *more.get("curses", ())),
        }
    )
    return game


def last_decision(
    *foes: Any, hand: Sequence[int], players: int, after: Attack | None = None, **more: Any
) -> Syncro:
    """The last wizard of the round has this hand. Before, another one made this attack, or nobody did any."""
    last = TURNS[players][-1]
    game = table(*foes, hands=[hand if seat == last else (1, 1) for seat in range(players)], **more)
    while game.position < len(TURNS[players]) - 1:
        if after is None or game.current_player == last:
            game.apply(Pass())
        else:
            game.apply(after)
            after = None
    return game


def leave(game: Syncro, slot: int, *spells: int) -> Syncro:
    """Spells of earlier rounds lie face up on a foe. Whose they are: not of the wizard who is to act."""
    assert game.current_player is not None
    owner = (game.current_player + 1) % game.players
    laid = [Laid(Spell(value), owner, Play(owner), Said(), face_up=True) for value in spells]
    game.table.horde[slot].spells.extend(laid)
    return game


def in_debt(owed: int, hands: Sequence[Sequence[int]]) -> Syncro:
    """The leader, seat 0, has attacked a Dragon with a 1, and this is what is missing."""
    game = table(dragon(owed + 1), HOPELESS, hands=[(1, *hands[0]), *hands[1:]])
    game.apply(Attack(0, 0))
    while game.kind != DEBT:
        game.apply(Pass())
    assert game.table.owed == owed
    return game


def holding(card: RewardCard, *foes: Any, hands: Sequence[Sequence[int]], **more: Any) -> Syncro:
    """Seat 0 is to play, and holds this Reward."""
    held = [card, *[None] * (len(hands) - 1)]
    return table(*(foes or (HOPELESS, HOPELESS)), hands=hands, rewards=held, **{"deck": (3,) * 8, **more})
