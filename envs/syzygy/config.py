"""What can be set in a game of Syzygy, with the numbers of the rules."""

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from unspoken.envs.engine.words import BITS, LANES
from unspoken.envs.syzygy.state import PARAMS_DTYPE

MIN_PLAYERS = 2
MAX_PLAYERS = 6
CHIPS = 4
"""Chips, and so turns, of each player."""
MIN_PLANETS = 4
MAX_PLANETS = 12
MAX_EMOTIONS = 4

VARIANTS = {"base": 9, "trial": 7, "divine": 9}
"""Each variant with its printed number of planets."""
BLACKHOLE_VARIANTS = ("trial", "divine")
MEMORIES = ("perfect", "none")
REWARDS = ("sparse", "shaped")


def _integer(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name}={value!r}: must be an integer from {low} to {high}")
    if not low <= int(value) <= high:
        raise ValueError(f"{name}={value!r}: must be from {low} to {high}")
    return int(value)


def _choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: must be one of {', '.join(map(repr, allowed))}")


@dataclass(frozen=True)
class SyzygyConfig:
    """One configuration of Syzygy.

    Attributes:
        n_players: seats, 2 to 6.
        n_planets: length of the row. ``None`` means the variant's own number (9, 7, 9). Only ``base`` can be
            resized, from 4 to 12.
        variant: ``"base"``; ``"trial"`` and ``"divine"`` have a Blackhole in the middle of the row.
        reward: ``"sparse"`` (1 to each on a win) or ``"shaped"`` (plus a potential-based term, see
            ``rules.potential``).
        emotions: how many different ways of saying the obligatory words the others can tell apart; 1 is
            silence.
        memory: ``"perfect"`` shows a player every value it has looked at; ``"none"`` only while it moves the
            card.

    Raises:
        TypeError, ValueError: a field is not allowed; the message names the field, its value and what is
        allowed.
    """

    n_players: int = 4
    n_planets: int | None = None
    variant: str = "base"
    reward: str = "sparse"
    emotions: int = 1
    memory: str = "perfect"

    def __post_init__(self) -> None:
        players = _integer("n_players", self.n_players, MIN_PLAYERS, MAX_PLAYERS)
        _choice("variant", self.variant, tuple(VARIANTS))
        _choice("reward", self.reward, REWARDS)
        _choice("memory", self.memory, MEMORIES)
        emotions = _integer("emotions", self.emotions, 1, MAX_EMOTIONS)
        printed = VARIANTS[self.variant]
        planets = printed if self.n_planets is None else self.n_planets
        if self.variant == "base":
            planets = _integer("n_planets", planets, MIN_PLANETS, MAX_PLANETS)
        else:
            planets = _integer("n_planets", planets, 1, MAX_PLANETS)
            if planets != printed:
                raise ValueError(
                    f"n_planets={planets}: variant {self.variant!r} is played with {printed} (or None)"
                )
        object.__setattr__(self, "n_players", players)
        object.__setattr__(self, "n_planets", planets)
        object.__setattr__(self, "emotions", emotions)

    @property
    def game(self) -> str:
        """``"syzygy"``."""
        return "syzygy"

    @property
    def n_positions(self) -> int:
        """Cards in the row: the planets, or all but one of them and the Blackhole."""
        assert self.n_planets is not None
        return self.n_planets

    @property
    def has_blackhole(self) -> bool:
        """Whether the card that begins in the middle is the Blackhole."""
        return self.variant in BLACKHOLE_VARIANTS

    @property
    def n_turns(self) -> int:
        """Turns of a game."""
        return CHIPS * self.n_players

    @property
    def max_decisions(self) -> int:
        """Most decisions of a game: a source and a destination in each turn."""
        return 2 * self.n_turns

    @property
    def n_actions(self) -> int:
        """Size of the flat action space (see ``rules``)."""
        return self.n_positions + self.emotions * self.n_positions + 1

    @property
    def pass_action(self) -> int:
        """The action PASS, the last one."""
        return self.n_actions - 1

    @property
    def history_size(self) -> int:
        """Entries of a seat's history in an observation: sources, destinations, emotions (if several)."""
        return 3 * CHIPS if self.emotions > 1 else 2 * CHIPS

    @property
    def n_features(self) -> int:
        """Length of an observation (see ``observation.feature_layout``)."""
        return 4 + 2 * self.n_positions + self.n_players * (self.n_positions + self.history_size)

    @property
    def feature_width(self) -> int:
        """Entries of memory a row of features takes: the last word of an observation is written whole."""
        return self.n_features + LANES - self.history_size

    @property
    def mask_width(self) -> int:
        """Entries of memory a row of the mask takes: the actions, rounded up to what is written at once."""
        return -(-self.n_actions // BITS) * BITS

    @property
    def max_potential(self) -> int:
        """The potential of a sorted row: the number of pairs of cards."""
        return self.n_positions * (self.n_positions - 1) // 2

    @cached_property
    def params(self) -> "np.recarray[Any, Any]":
        """What the compiled rules read: one record of ``PARAMS_DTYPE`` in an array of length 1."""
        record = np.zeros(1, PARAMS_DTYPE).view(np.recarray)
        record.n_players = self.n_players
        record.n_positions = self.n_positions
        record.has_blackhole = self.has_blackhole
        record.perfect_memory = self.memory == "perfect"
        record.shaped = self.reward == "shaped"
        record.emotions = self.emotions
        record.n_actions = self.n_actions
        n = self.n_positions
        record.move_actions = sum(1 << (n + emotion * n) for emotion in range(self.emotions))
        record.history_size = self.history_size
        record.feature_width = self.feature_width
        record.mask_width = self.mask_width
        record.max_potential = self.max_potential
        return record
