"""What can be set in a game of Syncro, with the numbers of the rules."""

from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from os import PathLike, fspath
from typing import Any

import numpy as np

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.words import BITS
from unspoken.envs.syncro.card_file import load_cards
from unspoken.envs.syncro.cards import CardSet
from unspoken.envs.syncro.layout import feature_layout, owed_top, shows_fog, strength_top
from unspoken.envs.syncro.limits import CHAPTER_1, CHAPTER_2, HAND_LIMITS, LEVELS, MAX_PLAYERS, MIN_PLAYERS
from unspoken.envs.syncro.state import LEVEL_POTENTIAL, PARAMS_DTYPE
from unspoken.envs.syncro.tables import compile_cards

SCENARIOS: dict[str, tuple[str, ...]] = {
    **{level: (level,) for level in LEVELS},
    "chapter-1": CHAPTER_1,
    "chapter-2": CHAPTER_2,
    "adventure": LEVELS,
}
"""Each scenario with its levels in order."""
REWARDS = ("sparse", "shaped")
MAX_TRIES = 10
"""Tries of each level in a scenario of several levels; a level on its own is tried once."""
MAX_TRY_DECISIONS = 2000
"""Decisions of a try that no game comes near: it takes the whole deck several times over."""
TURN_OFFSETS = {2: (0, 1, 0, 1), 3: (0, 1, 2, 0), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 4)}
"""A round's decisions, by number of wizards: how many seats after the leader each is made."""


def _check_players(value: object) -> int:
    allowed = f"from {MIN_PLAYERS} to {MAX_PLAYERS}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"n_players={value!r}: must be an integer {allowed}")
    if not MIN_PLAYERS <= int(value) <= MAX_PLAYERS:
        raise ValueError(f"n_players={value!r}: must be {allowed}")
    return int(value)


def _choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={value!r}: must be one of {', '.join(map(repr, allowed))}")


@dataclass(frozen=True)
class SyncroConfig:
    """One configuration of Syncro.

    Attributes:
        scenario: a level on its own (``"I-a"`` ... ``"II-e"``), or ``"chapter-1"``, ``"chapter-2"``,
            ``"adventure"``: levels in order, up to 10 tries each.
        n_players: wizards, 2 to 5.
        reward: ``"sparse"`` (1 to each for a level won) or ``"shaped"`` (plus a potential-based term, see
            ``rules.step``).
        unlocked: play with the three cards of the end of the adventure.
        first_level: where a scenario of several levels goes on from (a saved adventure); ``None``: its start.
        cards: a YAML file or a folder of them; ``None``: the cards that come with the package.
        card_set: the cards themselves, read from ``cards``.

    Raises:
        TypeError, ValueError: a field is not allowed; the message names the field, its value and what is
        allowed. CardFileError (a ``ValueError``): the card file cannot be used.
    """

    scenario: str = "I-a"
    n_players: int = 3
    reward: str = "sparse"
    unlocked: bool = False
    first_level: str | None = None
    cards: str | PathLike[str] | None = field(default=None, compare=False)
    card_set: CardSet = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _choice("scenario", self.scenario, tuple(SCENARIOS))
        players = _check_players(self.n_players)
        _choice("reward", self.reward, REWARDS)
        if not isinstance(self.unlocked, bool):
            raise TypeError(f"unlocked={self.unlocked!r}: must be True or False")
        first = self.levels_of_scenario[0] if self.first_level is None else self.first_level
        _choice("first_level", first, self.levels_of_scenario)
        if self.cards is not None and not isinstance(self.cards, (str, PathLike)):
            raise TypeError(f"cards={self.cards!r}: must be the path of a YAML file or folder, or None")
        object.__setattr__(self, "n_players", players)
        object.__setattr__(self, "first_level", first)
        object.__setattr__(self, "cards", None if self.cards is None else fspath(self.cards))
        object.__setattr__(self, "card_set", load_cards(self.cards))

    def __hash__(self) -> int:
        return hash((self.scenario, self.n_players, self.reward, self.unlocked, self.first_level))

    @property
    def game(self) -> str:
        """``"syncro"``."""
        return "syncro"

    @property
    def levels_of_scenario(self) -> tuple[str, ...]:
        """The scenario's levels in order."""
        return SCENARIOS[self.scenario]

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of a game in order, from ``first_level`` on."""
        assert self.first_level is not None
        return self.levels_of_scenario[self.levels_of_scenario.index(self.first_level) :]

    @property
    def max_tries(self) -> int:
        """Tries of each level."""
        return 1 if len(self.levels_of_scenario) == 1 else MAX_TRIES

    @property
    def hand_limit(self) -> int:
        """Most spells in a hand."""
        return HAND_LIMITS[self.n_players]

    @property
    def n_turns(self) -> int:
        """Decisions of a round."""
        return len(TURN_OFFSETS[self.n_players])

    @cached_property
    def n_slots(self) -> int:
        """Slots of the scenario's largest horde."""
        return max(len(self.card_set.levels[level].horde.slots) for level in self.levels_of_scenario)  # type: ignore[index]

    @property
    def n_targets(self) -> int:
        """TARGET actions: slots of the horde, or seats clockwise from the one that chooses."""
        return max(self.n_slots, self.n_players)

    @property
    def pass_action(self) -> int:
        """The action PASS, after the ATTACK actions."""
        return self.hand_limit * self.n_slots

    @property
    def target_action(self) -> int:
        """The first TARGET action; they are the last ones."""
        return self.pass_action + 8 + self.hand_limit

    @property
    def n_actions(self) -> int:
        """Size of the flat action space (see ``rules``)."""
        return self.target_action + self.n_targets

    @property
    def max_decisions(self) -> int:
        """Most decisions of a game; a longer one is cut off."""
        return MAX_TRY_DECISIONS * self.max_tries * len(self.levels)

    @property
    def max_potential(self) -> int:
        """The potential of a game in which every level has been won."""
        return LEVEL_POTENTIAL * len(self.levels)

    @property
    def mask_width(self) -> int:
        """Entries of memory a row of the mask takes: the last word is written whole."""
        return self.target_action + BITS

    @cached_property
    def layout(self) -> FeatureLayout:
        """The layout of an observation."""
        return feature_layout(self)

    @property
    def feature_width(self) -> int:
        """Entries of memory a row of features takes."""
        return self.layout.size

    @cached_property
    def params(self) -> "np.recarray[Any, Any]":
        """What the compiled rules read: one record of ``PARAMS_DTYPE`` in an array of length 1."""
        array = np.zeros(1, PARAMS_DTYPE).view(np.recarray)
        record: Any = array[0]
        compile_cards(self.card_set, record, self.unlocked)
        record.n_players = self.n_players
        record.hand_limit = self.hand_limit
        record.n_turns = self.n_turns
        record.turn_offset[: self.n_turns] = TURN_OFFSETS[self.n_players]
        record.n_slots = self.n_slots
        record.slot_reciprocal = -(-(1 << 16) // self.n_slots)
        record.first_level = LEVELS.index(self.levels[0])
        record.last_level = LEVELS.index(self.levels[-1])
        record.max_tries = self.max_tries
        record.max_decisions = self.max_decisions
        record.shaped = self.reward == "shaped"
        record.max_potential = self.max_potential
        record.shows_fog = shows_fog(self)
        record.strength_top = strength_top(self)
        record.owed_top = owed_top(self)
        record.pass_action = self.pass_action
        record.estimate_action = self.pass_action + 1
        record.discard_action = self.pass_action + 4
        record.stop_action = self.pass_action + 4 + self.hand_limit
        record.keep_action = record.stop_action + 1
        record.drop_action = record.stop_action + 2
        record.reward_action = record.stop_action + 3
        record.target_action = self.target_action
        record.n_actions = self.n_actions
        record.feature_width = self.feature_width
        record.mask_width = self.mask_width
        record.public_size = self.layout["hand_0"].start - self.layout["leftovers"].start
        return array
