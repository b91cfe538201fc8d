"""Card sets of Syncro drawn at random: every effect on every kind of card, monsters that can be beaten."""

from __future__ import annotations

import random
from typing import Any

from tests.syncro_card_set import CARDS
from unspoken.envs.syncro.cards import CardSet, FogCard, RewardCard
from unspoken.envs.syncro.config import SyncroConfig

WHICH = ("lowest", "highest", "leftmost", "rightmost")
ONGOING: tuple[dict[str, Any], ...] = (
    *({"do": "forbid", "rule": rule} for rule in ("estimate", "pass", "reward", "mushroom_draw")),
    *({"do": "force", "rule": rule} for rule in ("leader_attacks", "end_cards")),
    {"do": "hand_limit", "amount": -1},
    {"do": "hand_limit", "amount": -2},
)


def random_effect(dice: random.Random, *concerned: str) -> dict[str, Any]:
    """Any effect that acts once and brings no further card. `concerned`: whom it can concern."""
    effects: tuple[dict[str, Any], ...] = (
        {"do": "draw", "who": dice.choice(("team", "each", *concerned)), "count": dice.randint(1, 4)},
        {
            "do": "discard",
            "who": dice.choice(("each", *concerned)),
            "which": dice.choice(WHICH),
            "count": dice.randint(1, 2),
        },
        {"do": "pass_hands", "direction": dice.choice(("left", "right"))},
        {"do": "redeal"},
        {"do": "reveal", "what": dice.choice(("all", "chosen"))},
        {
            "do": "strength",
            "what": dice.choice(("all", "chosen")),
            "amount": dice.choice((-5, -3, -1, 1, 2, 4)),
        },
        {"do": "recover", "who": dice.choice(concerned), "which": dice.choice(WHICH[:2])},
        {"do": "swap_hands"},
        {"do": "announce_sums"},
        {"do": "destroy", "limit": dice.randint(1, 12)},
    )
    return dice.choice(effects)


def random_fog(dice: random.Random, name: str, brings_rewards: bool) -> FogCard:
    ongoing = dice.random() < 0.25
    effects = dice.sample(ONGOING, dice.randint(1, 2))
    if not ongoing:
        effects = [random_effect(dice, "leader") for _ in range(dice.randint(1, 3))]
        if brings_rewards and dice.random() < 0.4:
            effects[0] = {"do": "draw_reward", "count": dice.randint(1, 3)}
        if dice.random() < 0.3:
            effects.append({"do": "apply_fog"})
    kind = "curse" if ongoing else dice.choice(("curse", "blessing"))
    card = {"name": name, "kind": kind, "ongoing": ongoing, "count": 1, "effects": effects}
    return FogCard.model_validate(card)


def random_reward(dice: random.Random, name: str, brings_fog: bool) -> RewardCard:
    effects = [random_effect(dice, "leader", "player") for _ in range(dice.randint(1, 3))]
    if brings_fog and dice.random() < 0.3:
        effects.append({"do": "apply_fog"})
    return RewardCard.model_validate({"name": name, "count": 1, "effects": effects})


def random_cards(dice: random.Random) -> CardSet:
    """The house levels and spells with other cards. Either Fog brings Rewards, or Rewards bring Fog."""
    house = CARDS
    bosses = house.bosses
    fog_brings_rewards = dice.random() < 0.5
    change: dict[str, Any] = {
        "monsters": tuple(
            # One Dragon of 5 must stay.
            card.model_copy(update={"strength": 5 if card.strength == 5 else dice.randint(1, 4)})
            for card in house.monsters
        ),
        "lieutenants": tuple(
            card.model_copy(
                update={"strength": dice.randint(1, 4), "power": dice.choice(("crowd", "fog", "reward"))}
            )
            for card in house.lieutenants
        ),
        "bosses": bosses.model_copy(
            update={
                "first": bosses.first.model_copy(update={"strength": 5}),
                "second": bosses.second.model_copy(update={"strength": 4}),
                "cerberus": bosses.cerberus.model_copy(update={"strength": 2}),
            }
        ),
        "fog": tuple(
            random_fog(dice, f"fog {number}", fog_brings_rewards) for number in range(dice.randint(12, 16))
        ),
        "rewards": tuple(
            random_reward(dice, f"reward {number}", not fog_brings_rewards)
            for number in range(dice.randint(4, 10))
        ),
    }
    return house.model_copy(update=change)


def with_cards(config: SyncroConfig, cards: CardSet) -> SyncroConfig:
    """The configuration with a card set that is in no file; to be called before anything else is asked."""
    object.__setattr__(config, "card_set", cards)
    return config
