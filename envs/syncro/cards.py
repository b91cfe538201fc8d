"""What cards there are in Syncro, and what they do: the schema of the files in ``configs/syncro``.

A ``CardSet`` is the whole game as data. Read it with ``card_file.load_cards``. The effects, one class each,
are those of ``vocabulary``, and can be had from here too.
"""

from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field, PrivateAttr, StringConstraints, model_validator

from unspoken.envs.syncro import limits
from unspoken.envs.syncro.horde import Back, Horde, PatternError, parse_pattern
from unspoken.envs.syncro.limits import CHAPTER_1, LEVELS, LevelName
from unspoken.envs.syncro.vocabulary import (
    ONGOING,
    AnnounceSums,
    ApplyFog,
    CardModel,
    ChangeStrength,
    Destroy,
    Discard,
    Draw,
    DrawReward,
    Effect,
    Effects,
    Forbid,
    Force,
    HandLimit,
    PassHands,
    Recover,
    Redeal,
    Reveal,
    Strength,
    SwapHands,
    refuse,
)

__all__ = [
    "AnnounceSums",
    "ApplyFog",
    "BossCard",
    "Bosses",
    "CardSet",
    "CerberusCard",
    "ChangeStrength",
    "Destroy",
    "Discard",
    "Draw",
    "DrawReward",
    "Effect",
    "Effects",
    "FogCard",
    "Forbid",
    "Force",
    "HandLimit",
    "Level",
    "LieutenantCard",
    "MonsterCard",
    "PassHands",
    "Recover",
    "Redeal",
    "Reveal",
    "RewardCard",
    "Source",
    "SwapHands",
    "Unlocked",
    "UnlockedDragon",
]

Source = Literal["printed", "house"]
"""Where a value comes from: the rulebook states it, or it is ours."""


Count = Annotated[int, Field(ge=1, le=limits.MAX_COPIES)]
SpellValue = Annotated[int, Field(ge=1, le=limits.MAX_VALUE)]
Spells = dict[SpellValue, Count]
"""How many spells there are of each value."""


def _printable(text: str) -> str:
    # What a terminal would obey instead of showing it, and what breaks lines.
    if not text.isprintable():
        raise refuse(f"{text!r}: must be letters, numbers and signs in one line")
    return text


Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40), AfterValidator(_printable)
]
Story = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(_printable)
]


class MonsterCard(CardModel):
    """A card of the monster deck; ``from_level``: the first level at which it is in there."""

    name: Name
    kind: Literal["mushroom", "golem", "dragon"]
    strength: Strength
    count: Count
    from_level: LevelName = LEVELS[0]


class LieutenantCard(CardModel):
    """A Lieutenant.

    ``crowd``: +1 strength for every other card still in play. ``fog``: when it is turned up, the first card
    of the Fog deck is applied. ``reward``: when it is turned up, a Reward is drawn.
    """

    name: Name
    strength: Strength
    power: Literal["crowd", "fog", "reward"]


class BossCard(CardModel):
    """A boss.

    ``like``: the monsters whose effects it has. ``per_other_card``: added to its strength for every other
    card in play. ``width``: in cards.
    """

    name: Name
    strength: Strength
    like: Annotated[tuple[Literal["dragon", "golem"], ...], Field(strict=False)]
    per_other_card: Annotated[int, Field(ge=0, le=limits.MAX_VALUE)]
    width: int


class CerberusCard(CardModel):
    """The two equal cards before Boss II."""

    name: Name
    strength: Strength
    count: Literal[2]


class Bosses(CardModel):
    """Boss I (``B-`` in a pattern), Boss II (``B-B-B-``) and what lies before it (``C-``)."""

    first: BossCard
    second: BossCard
    cerberus: CerberusCard

    @model_validator(mode="after")
    def _check_widths(self) -> "Bosses":
        for key, boss, width in (("first", self.first, 1), ("second", self.second, 3)):
            if boss.width != width:
                raise refuse(f"{boss.width}: must be {width}", key, "width")
        return self


class FogCard(CardModel):
    """A Fog card. An ongoing curse lies aside until the level ends; every other card acts once."""

    name: Name
    kind: Literal["blessing", "curse"]
    ongoing: bool
    effects: Effects
    count: Count

    @model_validator(mode="after")
    def _check_effects(self) -> "FogCard":
        if self.ongoing and self.kind == "blessing":
            raise refuse("true: only a curse may be ongoing; a blessing must be false", "ongoing")
        for index, effect in enumerate(self.effects):
            at = ("effects", index)
            if isinstance(effect, ONGOING) and not self.ongoing:
                raise refuse(f"{effect.do!r}: lasts for the level, so the card must be `ongoing: true`", *at)
            if not isinstance(effect, ONGOING) and self.ongoing:
                raise refuse(f"{effect.do!r}: an ongoing curse must be only forbid, force or hand_limit", *at)
            if getattr(effect, "who", "") == "player":
                raise refuse("'player': a Fog card is played by nobody; must be leader", *at, "who")
        _check_apply_fog_is_last(self.effects)
        return self


class RewardCard(CardModel):
    """A Reward card, played by the wizard who holds it."""

    name: Name
    effects: Effects
    count: Count

    @model_validator(mode="after")
    def _check_effects(self) -> "RewardCard":
        for index, effect in enumerate(self.effects):
            if isinstance(effect, ONGOING):
                raise refuse(f"{effect.do!r}: must be on an ongoing curse, not on a Reward", "effects", index)
            if isinstance(effect, DrawReward):
                raise refuse("'draw_reward': a Reward must not draw Rewards", "effects", index)
        _check_apply_fog_is_last(self.effects)
        return self


def _check_apply_fog_is_last(effects: tuple[Any, ...]) -> None:
    for index, effect in enumerate(effects[:-1]):
        if isinstance(effect, ApplyFog):
            raise refuse("'apply_fog': must be the card's last effect", "effects", index)


class UnlockedDragon(CardModel):
    """The Dragon that takes the place of one of strength ``replaces_strength``."""

    name: Name
    strength: Strength
    replaces_strength: Strength


class Unlocked(CardModel):
    """The three cards of the end of the adventure, for whoever plays it again."""

    dragon: UnlockedDragon
    reward: RewardCard
    fog: FogCard

    @model_validator(mode="after")
    def _check_single(self) -> "Unlocked":
        for key, card in (("reward", self.reward), ("fog", self.fog)):
            if card.count != 1:
                raise refuse(f"{card.count}: must be 1", key, "count")
        return self


class Level(CardModel):
    """A level: how its horde lies (see ``horde.py``) and how estimates are given."""

    name: Name
    story: Story
    estimate: Literal["thumbs", "sum"]
    pattern: Annotated[tuple[str, ...], Field(strict=False)]

    @model_validator(mode="after")
    def _check_pattern(self) -> "Level":
        try:
            parse_pattern(self.pattern)
        except PatternError as error:
            raise refuse(str(error), "pattern", error.row) from None
        return self

    @cached_property
    def horde(self) -> Horde:
        """The slots of the pattern."""
        return parse_pattern(self.pattern)


_Card = TypeVar("_Card", MonsterCard, FogCard, RewardCard)


class CardSet(CardModel):
    """Every card and level of the game.

    Attributes:
        spells: how many of each value from the start. added_spells: those that join at a level, and stay.
        monsters, lieutenants, bosses, fog, rewards: the other cards.
        unlocked: the cards that a second adventure is played with.
        levels: all nine.
        sources: for every value in the card files, by its path (``"levels.II-c.estimate"``,
            ``"fog[0].effects[0].count"``), where it comes from.
    """

    spells: Spells
    added_spells: dict[LevelName, Spells]
    monsters: Annotated[tuple[MonsterCard, ...], Field(strict=False)]
    lieutenants: Annotated[tuple[LieutenantCard, ...], Field(strict=False, max_length=limits.MAX_LIEUTENANTS)]
    bosses: Bosses
    fog: Annotated[tuple[FogCard, ...], Field(strict=False)]
    rewards: Annotated[tuple[RewardCard, ...], Field(strict=False)]
    unlocked: Unlocked
    levels: dict[LevelName, Level]
    _sources: dict[str, Source] = PrivateAttr(default_factory=dict)

    @property
    def sources(self) -> dict[str, Source]:
        """See the class; filled in by ``load_cards``."""
        return self._sources

    def spell_deck(self, level: LevelName) -> tuple[int, ...]:
        """The values of all spells in play at ``level``, from low to high."""
        counts = dict(self.spells)
        for joined, added in self.added_spells.items():
            if LEVELS.index(joined) <= LEVELS.index(level):
                for value, count in added.items():
                    counts[value] = counts.get(value, 0) + count
        return tuple(value for value in sorted(counts) for _ in range(counts[value]))

    def monster_deck(self, level: LevelName, unlocked: bool = False) -> tuple[MonsterCard, ...]:
        """Every card of the monster deck at ``level``, copies included.

        ``unlocked``: with the Dragon of the end of the adventure in the place of the one it replaces.
        """
        deck = [
            card for card in _copies(self.monsters) if LEVELS.index(card.from_level) <= LEVELS.index(level)
        ]
        if unlocked:
            new = self.unlocked.dragon
            for index, card in enumerate(deck):
                if card.kind == "dragon" and card.strength == new.replaces_strength:
                    change = {"name": new.name, "strength": new.strength, "count": 1}
                    deck[index] = card.model_copy(update=change)
                    break
        return tuple(deck)

    def fog_deck(self, unlocked: bool = False) -> tuple[FogCard, ...]:
        """Every Fog card, copies included."""
        return _copies(self.fog) + (self.unlocked.fog,) * unlocked

    def reward_deck(self, unlocked: bool = False) -> tuple[RewardCard, ...]:
        """Every Reward card, copies included."""
        return _copies(self.rewards) + (self.unlocked.reward,) * unlocked

    @model_validator(mode="after")
    def _check_decks(self) -> "CardSet":
        start = sum(self.spells.values())
        if start < limits.MIN_SPELLS:
            raise refuse(
                f"{start} spells: must be at least {limits.MIN_SPELLS}, to deal every hand", "spells"
            )
        spells = len(self.spell_deck(LEVELS[-1]))
        if spells > limits.MAX_SPELLS:
            raise refuse(
                f"{spells} spells with those that are added: must be at most {limits.MAX_SPELLS}", "spells"
            )
        sizes = (
            ("monsters", len(_copies(self.monsters)) + 1, limits.MAX_MONSTERS),
            ("fog", len(self.fog_deck(unlocked=True)), limits.MAX_FOG),
            ("rewards", len(self.reward_deck(unlocked=True)), limits.MAX_REWARDS),
        )
        for key, size, most in sizes:
            if size > most:
                raise refuse(f"{size} cards with the one that is unlocked: must be at most {most}", key)
        # The unlocked Dragon and Fog card, both bosses and the Cerberus are numbered too.
        most = limits.MAX_ENTRY - 5
        different = len(self.monsters) + len(self.lieutenants) + len(self.fog)
        if different > most:
            raise refuse(
                f"{different} different monsters, lieutenants and Fog cards: must be at most {most} together",
                "monsters",
            )
        replaced = self.unlocked.dragon.replaces_strength
        if not any(card.kind == "dragon" and card.strength == replaced for card in self.monsters):
            raise refuse(
                f"{replaced}: must be the strength of a dragon in monsters",
                "unlocked", "dragon", "replaces_strength",
            )  # fmt: skip
        return self

    @model_validator(mode="after")
    def _check_names(self) -> "CardSet":
        for key, new in (("monsters", "dragon"), ("lieutenants", ""), ("fog", "fog"), ("rewards", "reward")):
            cards: list[tuple[tuple[str | int, ...], Any]] = [
                ((key, index), card) for index, card in enumerate(getattr(self, key))
            ]
            if new:
                cards.append((("unlocked", new), getattr(self.unlocked, new)))
            names: set[str] = set()
            for at, card in cards:
                if card.name in names:
                    raise refuse(f"{card.name!r}: is there already; every name must be unique", *at, "name")
                names.add(card.name)
        return self

    @model_validator(mode="after")
    def _check_chains(self) -> "CardSet":
        """Neither Fog that brings Fog nor Rewards that bring Rewards may go on without end."""
        chained = [card for card in self.fog_deck(unlocked=True) if isinstance(card.effects[-1], ApplyFog)]
        if len(chained) > limits.MAX_CHAINED_FOG:
            raise refuse(
                f"{len(chained)} cards that apply a Fog card: must be at most {limits.MAX_CHAINED_FOG}", "fog"
            )
        if self.fog and all(isinstance(card.effects[-1], ApplyFog) for card in self.fog):
            raise refuse(
                "every Fog card applies another one, without end: at least one must not use apply_fog", "fog"
            )
        brings_rewards = any(
            isinstance(effect, DrawReward) for card in self.fog_deck(unlocked=True) for effect in card.effects
        )
        if brings_rewards:
            for index, card in enumerate(self.rewards):
                _refuse_reward_by_fog(card, "rewards", index)
            _refuse_reward_by_fog(self.unlocked.reward, "unlocked", "reward")
        return self

    @model_validator(mode="after")
    def _check_levels(self) -> "CardSet":
        for name in LEVELS:
            if name not in self.levels:
                raise refuse(f"level {name} is missing: there must be {', '.join(LEVELS)}", "levels")
        for name, level in self.levels.items():
            at = ("levels", name, "pattern")
            available: tuple[tuple[Back, int], ...] = (
                ("monster", len(self.monster_deck(name))),
                ("fog", len(_copies(self.fog))),
                ("lieutenant", len(self.lieutenants)),
            )
            for back, most in available:
                used = level.horde.count(back)
                if used and back != "monster" and name in CHAPTER_1:
                    raise refuse(f"{used} {back} slots: there must be none before chapter II", *at)
                if used > most:
                    raise refuse(
                        f"{used} {back} slots: must be at most {most}, the {back} cards there are", *at
                    )
        return self


def _copies(cards: tuple[_Card, ...]) -> tuple[_Card, ...]:
    return tuple(card for card in cards for _ in range(card.count))


def _refuse_reward_by_fog(card: RewardCard, *at: str | int) -> None:
    last = len(card.effects) - 1
    if isinstance(card.effects[last], ApplyFog):
        raise refuse(
            "'apply_fog': a Reward must not draw Rewards, and a Fog card would draw one", *at, "effects", last
        )
