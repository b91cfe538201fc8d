"""The flat numbers of actions and the feature vector of Syncro, as the environments promise them.

The features are built only from `game.private_view(seat)`, so they cannot show more than the seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.reference.syncro import Syncro
from tests.reference.syncro_parts import (
    AVERAGE,
    BAD,
    DEBT,
    ESTIMATE,
    GOOD,
    KEEP,
    TARGET,
    TURN,
    Action,
    Attack,
    Discard,
    Drop,
    Estimate,
    HordeView,
    Keep,
    Pass,
    PlayReward,
    PrivateView,
    PublicView,
    Stop,
    Target,
)
from tests.reference.syncro_table import ADVENTURE, HAND_LIMITS
from unspoken.envs.syncro.cards import CardSet

KINDS = (TURN, ESTIMATE, DEBT, TARGET, KEEP)
WORDS = (None, GOOD, AVERAGE, BAD)
BACKS = (None, "monster", "fog", "lieutenant", "boss", "cerberus")
RULES = ("estimate", "pass", "reward", "mushroom_draw", "leader_attacks", "end_cards")
VALUES = range(1, 8)


def action_number(game: Syncro, action: Action, slots: int) -> int:
    """The flat number of an action of the current player; `slots`: of the scenario's largest horde."""
    hand = HAND_LIMITS[game.players]
    after_attacks = hand * slots
    if isinstance(action, Attack):
        return action.hand * slots + action.slot
    if isinstance(action, Estimate):
        return after_attacks + WORDS.index(action.says)
    if isinstance(action, Discard):
        return after_attacks + 4 + action.hand
    if isinstance(action, Target):
        assert game.decision is not None
        number = action.number
        if game.decision.among_wizards:
            number = (number - game.decision.seat) % game.players
        return after_attacks + 8 + hand + number
    after_discards = {Pass: 0, Stop: 4 + hand, Keep: 5 + hand, Drop: 6 + hand, PlayReward: 7 + hand}
    return after_attacks + after_discards[type(action)]


def numbered_actions(game: Syncro, slots: int) -> dict[int, Action]:
    """Flat number -> action, of everything that the current player may do."""
    return {action_number(game, action, slots): action for action in game.legal_actions()}


def foe_names(cards: CardSet) -> list[str]:
    """All that can be attacked, in the order of their numbers."""
    bosses = cards.bosses
    names = [card.name for card in cards.monsters]
    names += [cards.unlocked.dragon.name]
    names += [card.name for card in cards.lieutenants]
    return [*names, bosses.first.name, bosses.second.name, bosses.cerberus.name]


def fog_names(cards: CardSet) -> list[str]:
    return [card.name for card in (*cards.fog, cards.unlocked.fog)]


def reward_names(cards: CardSet) -> list[str]:
    return [card.name for card in (*cards.rewards, cards.unlocked.reward)]


CAPPED = ("owed", "slot_strength", "slot_spells", "slot_sum", "slot_absorbed", "shown")
"""Features whose highest value stands for all higher ones too."""


def features(game: Syncro, seat: int, most: Mapping[str, int], slots: int) -> dict[str, list[int]]:
    """The feature vector of `seat`, name -> values.

    `most`: the highest value that is told apart, by name. `slots`: of the scenario's largest horde.
    """
    view = game.private_view(seat)
    public = view.public
    vector = {
        "decision": [5 if public.kind is None else KINDS.index(public.kind)],
        "to_act": [0 if public.seat is None else (public.seat - seat) % game.players],
        "seat": [seat],
        "leader": [(public.leader - seat) % game.players],
        "position": [public.position],
        "level": [ADVENTURE.index(game.table.level)],
        "tries": [public.tries],
        "foe": [0 if public.owed_to is None else 1 + public.owed_to],
        "owed": [public.owed],
        "spell_deck": [public.deck_size],
        "discards": [public.discards.count(value) for value in VALUES],
        **_spells_on_table(public),
        **_slots(game, view, slots),
    }
    if "rules" in most:
        vector |= _fog(game.cards, public)
    for k in range(game.players):
        vector |= _wizard(game, view, (seat + k) % game.players, k, "rules" in most)
    for name in CAPPED:
        for part in [f"{name}_{k}" for k in range(game.players)] if name == "shown" else [name]:
            vector[part] = [min(value, most[part]) for value in vector[part]]
    return vector


def _spells_on_table(public: PublicView) -> dict[str, list[int]]:
    seen = [value for card in public.horde for _, value in card.spells if value is not None]
    absorbed = [value for card in public.horde for value in card.absorbed]
    return {
        "leftovers": [seen.count(value) for value in VALUES],
        "absorbed": [absorbed.count(value) for value in VALUES],
    }


def _slots(game: Syncro, view: PrivateView, room: int) -> dict[str, list[int]]:
    """`room`: how many slots there are in the vector."""
    foes = foe_names(game.cards)
    # Between levels no horde lies on the table.
    slots = () if view.public.kind == KEEP else game.cards.levels[game.table.level].horde.slots
    lying = {card.number: card for card in view.public.horde}
    destroyed = dict(view.public.destroyed)
    rows: list[dict[str, int]] = []
    for number, slot in enumerate(slots):
        card = lying.get(number)
        row = dict.fromkeys(SLOT_NAMES, 0)
        row["slot_back"] = BACKS.index(slot.back)
        row["slot_state"] = 1 if card is None else 3 if card.face_up else 2
        if number in destroyed:
            row["slot_card"] = 1 + foes.index(destroyed[number])
        if card is not None:
            row |= _slot(game, view, card, foes)
        rows.append(row)
    empty = [0] * (room - len(rows))
    return {name: [*(row[name] for row in rows), *empty] for name in SLOT_NAMES}


SLOT_NAMES = (
    "slot_back",
    "slot_state",
    "slot_accessible",
    "slot_card",
    "slot_strength",
    "slot_spells",
    "slot_sum",
    "slot_lowest",
    "slot_hidden",
    "slot_known",
    "slot_top",
    "slot_absorbed",
)


def _slot(game: Syncro, view: PrivateView, card: HordeView, foes: list[str]) -> dict[str, int]:
    seen = [value for _, value in card.spells if value is not None]
    known = [value or 0 for number, _, value in view.face_down if number == card.number]
    return {
        "slot_accessible": int(card.accessible),
        "slot_card": 0 if card.name is None else 1 + foes.index(card.name),
        "slot_strength": card.strength or 0,
        "slot_spells": len(seen),
        "slot_sum": sum(seen),
        "slot_lowest": min(seen, default=0),
        "slot_hidden": len(card.spells) - len(seen),
        "slot_known": sum(known),
        "slot_top": 1 + (card.spells[-1][0] - view.seat) % game.players if card.spells else 0,
        "slot_absorbed": sum(card.absorbed),
    }


def _fog(cards: CardSet, public: PublicView) -> dict[str, list[int]]:
    fogs, rewards = fog_names(cards), reward_names(cards)
    lieutenants = [card.name for card in cards.lieutenants]
    applied, steps = public.applied or (None, 0)
    return {
        "card": [0 if applied is None else 1 + [*fogs, *rewards, *lieutenants].index(applied)],
        "card_step": [steps],
        "rules": [int(rule in public.rules) for rule in RULES],
        "hand_limit": [public.hand_limit],
        "fog_deck": [public.fog_deck_size],
        "fog_discards": [len(public.fog_discards)],
        "fog_seen": [public.fog_discards.count(name) for name in fogs],
        "curses": [public.curses.count(name) for name in fogs],
        "reward_deck": [public.reward_deck_size],
        "reward_discards": [public.reward_discards.count(name) for name in rewards],
        "lieutenant_deck": [public.lieutenant_deck_size],
        "lieutenant_box": [public.beaten_lieutenants.count(name) for name in lieutenants],
    }


def _wizard(game: Syncro, view: PrivateView, seat: int, k: int, has_rewards: bool) -> dict[str, list[int]]:
    public = view.public
    hand = [value or 0 for value in view.hands[seat]]
    said = public.said[seat]
    plays = [play for play in view.plays if play.seat == seat]
    rows = [
        (1, 0, 0)
        if play.slot is None or play.hand is None
        else (2 + play.slot, 1 + play.hand, play.value or 0)
        for play in plays
    ]
    rows += [(0, 0, 0)] * ((2 if game.players <= 3 else 1) - len(rows))
    vector = {
        f"hand_{k}": [*hand, *[0] * (HAND_LIMITS[game.players] - len(hand))],
        f"hand_size_{k}": [public.hand_sizes[seat]],
        f"estimate_{k}": [WORDS.index(said.word)],
        f"said_sum_{k}": [said.total or 0],
        f"said_size_{k}": [said.size],
        f"shown_{k}": [said.shown],
        f"play_{k}": [slot for slot, _, _ in rows],
        f"play_hand_{k}": [place for _, place, _ in rows],
        f"play_value_{k}": [value for _, _, value in rows],
    }
    if has_rewards:
        own = view.reward if seat == view.seat else None
        vector[f"has_reward_{k}"] = [int(public.has_reward[seat])]
        vector[f"reward_{k}"] = [0 if own is None else 1 + reward_names(game.cards).index(own)]
    return vector
