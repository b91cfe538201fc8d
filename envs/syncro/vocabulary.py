"""What the cards of Syncro do: a closed vocabulary of effects, one class each.

``player`` in an effect is the wizard who plays the Reward. A Fog card or a Lieutenant has none: what concerns
one wizard there concerns the leader, who also makes the choices.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from unspoken.envs.syncro import limits


def refuse(message: str, *at: str | int) -> PydanticCustomError:
    """An error of the schema; ``at`` leads from the object being checked to the entry at fault."""
    return PydanticCustomError("cards", "{message}", {"message": message, "at": at})


class CardModel(BaseModel):
    """A part of the card files: immutable, of exactly its own keys, nothing converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, data: Any) -> Any:
        if isinstance(data, cls):
            return data
        keys = ", ".join(cls.model_fields)
        if not isinstance(data, dict):
            raise refuse(f"{data!r:.60}: must be a mapping with the keys {keys}")
        for key in data:
            if key not in cls.model_fields:
                raise refuse(f"unknown key: must be one of {keys}", key)
        for name, field in cls.model_fields.items():
            if field.is_required() and name not in data:
                raise refuse(f"the key {name!r} is missing: there must be {keys}")
        return data


Strength = Annotated[int, Field(ge=1, le=limits.MAX_STRENGTH)]
_Few = Annotated[int, Field(ge=1, le=limits.MAX_HAND)]


class Draw(CardModel):
    """Draw spells.

    ``team``: ``count`` in all, one by one from the leader. ``each``: every wizard ``count``, a full hand
    draws nothing. ``leader``, ``player``: that wizard, and whoever comes after it once its hand is full.
    """

    do: Literal["draw"]
    who: Literal["team", "each", "leader", "player"]
    count: _Few


class Discard(CardModel):
    """Discard ``count`` spells, or the whole hand if it is smaller; of equals, the one furthest left."""

    do: Literal["discard"]
    who: Literal["each", "leader", "player"]
    which: Literal["lowest", "highest", "leftmost", "rightmost"]
    count: _Few


class PassHands(CardModel):
    """All hands go to the next wizard at the same time; left is clockwise."""

    do: Literal["pass_hands"]
    direction: Literal["left", "right"]


class Redeal(CardModel):
    """All hands are shuffled together and dealt one by one from the leader."""

    do: Literal["redeal"]


class Reveal(CardModel):
    """Turn face-down Monster cards up where they lie: all of them, or one of the wizard's choice.

    Only Monster cards: Fog, Lieutenants, bosses and Cerberus stay as they are.
    """

    do: Literal["reveal"]
    what: Literal["all", "chosen"]


class ChangeStrength(CardModel):
    """Change the strength of monsters until they are destroyed or the level ends.

    ``all``: every one now in the horde, face-down ones included. ``chosen``: one that lies face up.
    """

    do: Literal["strength"]
    what: Literal["all", "chosen"]
    amount: Annotated[int, Field(ge=-5, le=5)]

    @model_validator(mode="after")
    def _check_amount(self) -> "ChangeStrength":
        if self.amount == 0:
            raise refuse("0: must not be 0, it would change nothing", "amount")
        return self


class DrawReward(CardModel):
    """Draw Reward cards, each for the first wizard from the leader on who has none."""

    do: Literal["draw_reward"]
    count: Annotated[int, Field(ge=1, le=limits.MAX_PLAYERS)]


class ApplyFog(CardModel):
    """Turn up the first card of the Fog deck and apply it; always a card's last effect."""

    do: Literal["apply_fog"]


class Recover(CardModel):
    """Take the highest or lowest spell of the spell discards into a hand that is not full."""

    do: Literal["recover"]
    who: Literal["leader", "player"]
    which: Literal["lowest", "highest"]


class SwapHands(CardModel):
    """Swap all spells with another wizard of one's choice."""

    do: Literal["swap_hands"]


class AnnounceSums(CardModel):
    """Every wizard says the sum of its hand."""

    do: Literal["announce_sums"]


class Destroy(CardModel):
    """Destroy a chosen accessible monster, not a boss, of strength ``limit`` or less, without its effect."""

    do: Literal["destroy"]
    limit: Strength


class Forbid(CardModel):
    """Something is not done for the rest of the level.

    ``estimate``: no estimates. ``pass``: who can attack must, unless the rules make it pass. ``reward``: no
    Reward is played. ``mushroom_draw``: Mushrooms give no spells.
    """

    do: Literal["forbid"]
    rule: Literal["estimate", "pass", "reward", "mushroom_draw"]


class Force(CardModel):
    """Something must be done for the rest of the level.

    ``leader_attacks``: the leader must attack in the first decision of a round, if it can. ``end_cards``: an
    attack is made with the leftmost or the rightmost spell of the hand.
    """

    do: Literal["force"]
    rule: Literal["leader_attacks", "end_cards"]


class HandLimit(CardModel):
    """The most spells in a hand change for the rest of the level; a hand that is over it draws nothing."""

    do: Literal["hand_limit"]
    amount: Annotated[int, Field(ge=-2, le=-1)]


Effect = Annotated[
    Draw
    | Discard
    | PassHands
    | Redeal
    | Reveal
    | ChangeStrength
    | DrawReward
    | ApplyFog
    | Recover
    | SwapHands
    | AnnounceSums
    | Destroy
    | Forbid
    | Force
    | HandLimit,
    Field(discriminator="do"),
]


def _at_least_one(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    # Not min_length: that counts the valid ones, and would tell of a missing effect where one is wrong.
    if not effects:
        raise refuse("no effects: there must be at least one")
    return effects


Effects = Annotated[
    tuple[Effect, ...],
    Field(strict=False, max_length=limits.MAX_EFFECTS),
    AfterValidator(_at_least_one),
]
"""What a card does, in this order."""

ONGOING = (Forbid, Force, HandLimit)
"""The effects that last for the level: those of ongoing curses, and only of them."""
