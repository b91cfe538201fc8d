"""What lies on the table of Syncro and what a wizard can do there, for the reference model in `syncro.py`."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from unspoken.envs.syncro.cards import (
    BossCard,
    CerberusCard,
    FogCard,
    LieutenantCard,
    MonsterCard,
    RewardCard,
)
from unspoken.envs.syncro.horde import Slot
from unspoken.envs.syncro.limits import LevelName

GOOD, AVERAGE, BAD = "good", "average", "bad"


@dataclass(frozen=True)
class Attack:
    """Put the spell at this place of the hand face down on the monster in this slot."""

    hand: int
    slot: int


@dataclass(frozen=True)
class Pass:
    """Play no spell."""


@dataclass(frozen=True)
class Estimate:
    """Say how good one's hand is: good, average or bad."""

    says: str


@dataclass(frozen=True)
class Discard:
    """Pay a Dragon with the spell at this place of the hand."""

    hand: int


@dataclass(frozen=True)
class Stop:
    """Pay a Dragon no (more) spells."""


@dataclass(frozen=True)
class Keep:
    """Keep the whole hand for the next level."""


@dataclass(frozen=True)
class Drop:
    """Discard the whole hand before the next level."""


@dataclass(frozen=True)
class PlayReward:
    """Play one's Reward card."""


@dataclass(frozen=True)
class Target:
    """Choose a slot of the horde, or a wizard, for a card that asks for one."""

    number: int


Action = Attack | Pass | Estimate | Discard | Stop | Keep | Drop | PlayReward | Target

TURN, ESTIMATE, DEBT, TARGET, KEEP = "turn", "estimate", "debt", "target", "keep"


@dataclass(frozen=True)
class Decision:
    """Somebody has to decide: who, what kind of decision, and for TARGET what there is to choose from."""

    seat: int
    kind: str
    choices: Callable[[], list[int]] | None = None
    among_wizards: bool = False
    """The choices are wizards, not slots of the horde."""


Result = TypeVar("Result")
Script = Generator[Decision, Action, Result]
"""Part of the rules: it yields each decision it needs, is sent the action, and returns what came of it."""

Shuffler = Callable[[str, list[Any]], list[Any]]
"""Called as ``shuffler(pile, cards)``: the same cards in their new order, the top card first.

The piles are "spells", "monsters", "fog", "rewards", "lieutenants", "hands" (all hands together, before they
are dealt again) and "leader" (the seats, of which the first becomes the leader).
"""


class IllegalActionError(ValueError):
    """The rules do not allow this action now. The game is left as it was."""


class LevelWon(Exception):  # noqa: N818 - it is not an error
    """The last monster is gone."""


class LevelLost(Exception):  # noqa: N818
    """The team is out of spells, or did not pay a Dragon."""


@dataclass(eq=False)
class Spell:
    """One physical spell card, and the seats that know it since it was last shuffled."""

    value: int
    known: set[int] = field(default_factory=set)


@dataclass(eq=False)
class Said:
    """What was said of a hand last; it stays with the hand when hands change owners.

    Without a word and without a total: nothing. `size` are the spells in the hand then, `shown` is the sum of
    those that have left it since and been turned up.
    """

    word: str | None = None
    total: int | None = None
    size: int = 0
    shown: int = 0


@dataclass(eq=False)
class Play:
    """One decision of this round. A pass leaves no place of the hand and no slot, and has no spell."""

    seat: int
    hand: int | None = None
    slot: int | None = None
    value: int | None = None
    known: set[int] = field(default_factory=set)
    """The seats that know the value."""


@dataclass(eq=False)
class Laid:
    """A spell lying on a monster."""

    spell: Spell
    owner: int
    play: Play
    said: Said
    """What had been said of the hand it came from."""
    face_up: bool = False


@dataclass(eq=False)
class InEffect:
    """A card being applied, and how many of its effects have been carried out."""

    card: FogCard | RewardCard | LieutenantCard
    steps: int = 0


Foe = MonsterCard | LieutenantCard | BossCard | CerberusCard


@dataclass(eq=False)
class HordeCard:
    """A card of the horde where it lies."""

    number: int
    slot: Slot
    card: Foe | FogCard
    face_up: bool
    spells: list[Laid] = field(default_factory=list)
    """In the order in which they were played: the last one lies on top."""
    absorbed: list[Spell] = field(default_factory=list)
    change: int = 0
    """By how much other cards have changed its strength."""
    remembered: bool = False
    """It lies face down, but everybody has seen it in an earlier try."""

    @property
    def is_monster(self) -> bool:
        """Everything that must be destroyed: lieutenants, bosses and Cerberus too, but not Fog."""
        return not isinstance(self.card, FogCard)

    def has(self, kind: str) -> bool:
        """Whether it acts like a mushroom, golem or dragon."""
        if isinstance(self.card, BossCard):
            return kind in self.card.like
        return isinstance(self.card, MonsterCard) and self.card.kind == kind


@dataclass(frozen=True)
class PlayView:
    """What can be seen of one decision of this round. A pass leaves no place of the hand and no slot."""

    seat: int
    hand: int | None = None
    slot: int | None = None
    value: int | None = None


@dataclass(frozen=True)
class Save:
    """What lies in the box after saving: which level comes next, and if the last cards are unlocked."""

    level: LevelName
    unlocked: bool


@dataclass(frozen=True)
class HordeView:
    """What everybody sees of a card of the horde. Hidden: None. Strength as it counts at this moment."""

    number: int
    back: str
    face_up: bool
    accessible: bool
    name: str | None
    strength: int | None
    spells: tuple[tuple[int, int | None], ...]
    """(owner, value or None) in the order in which they were played."""
    absorbed: tuple[int, ...]


@dataclass(frozen=True)
class SaidView:
    """What everybody has heard of a hand, see `Said`."""

    word: str | None
    total: int | None
    size: int
    shown: int


@dataclass(frozen=True)
class PublicView:
    """What everybody may know."""

    level: str
    tries: int
    levels_won: int
    leader: int
    seat: int | None
    kind: str | None
    position: int
    """Decisions of this round that have been made."""
    plays: tuple[PlayView, ...]
    owed_to: int | None
    """The slot of the Dragon that is being paid."""
    owed: int
    applied: tuple[str, int] | None
    """The card being applied, and how many of its effects have been carried out."""
    horde: tuple[HordeView, ...]
    destroyed: tuple[tuple[int, str], ...]
    """(slot, name) of the monsters that have been destroyed in this try."""
    hand_sizes: tuple[int, ...]
    said: tuple[SaidView, ...]
    """For each seat's hand what was said last."""
    discards: tuple[int, ...]
    deck_size: int
    has_reward: tuple[bool, ...]
    reward_discards: tuple[str, ...]
    reward_deck_size: int
    curses: tuple[str, ...]
    rules: frozenset[str]
    """What the curses forbid or force."""
    hand_limit: int
    fog_discards: tuple[str | None, ...]
    """None for a card that went there unseen."""
    fog_deck_size: int
    lieutenant_deck_size: int
    beaten_lieutenants: tuple[str, ...]
    """Those in the box."""


@dataclass(frozen=True)
class PrivateView:
    """Exactly what one seat may know."""

    seat: int
    hand: tuple[int, ...]
    reward: str | None
    hands: tuple[tuple[int | None, ...], ...]
    """Every hand in order, None for a spell the seat does not know."""
    plays: tuple[PlayView, ...]
    """The plays of this round, with the values the seat knows."""
    face_down: tuple[tuple[int, int, int | None], ...]
    """(slot, place, value or None) of every face-down spell in the horde."""
    public: PublicView
