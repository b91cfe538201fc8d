"""Syncro as the faces see it: configuration, features, action names and compiled loops in one object."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine import random, words
from unspoken.envs.engine.compiled import forget_stale_code
from unspoken.envs.engine.game import CudaKernels, Records
from unspoken.envs.engine.items import Choice, Items
from unspoken.envs.engine.symmetry import Symmetries
from unspoken.envs.syncro import (
    adventure,
    effects,
    flow,
    foes,
    kernels,
    observation,
    piles,
    public,
    render,
    resolution,
    rules,
)
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.state import new_states
from unspoken.envs.syncro.symmetry import symmetries

_FOLDER = Path(__file__).parent
_COMPILED = [
    adventure,
    effects,
    flow,
    foes,
    kernels,
    observation,
    piles,
    public,
    random,
    resolution,
    rules,
    words,
]
forget_stale_code([_FOLDER, _FOLDER.parent / "engine"], _COMPILED)


@dataclass(frozen=True)
class Action:
    """What an action number means.

    Attributes:
        kind: ``"ATTACK"``, ``"PASS"``, ``"ESTIMATE"``, ``"DISCARD"``, ``"STOP"``, ``"KEEP"``,
            ``"DISCARD ALL"``, ``"PLAY REWARD"``, ``"TARGET"`` or, in the parallel form only, ``"NOOP"``.
        hand: the hand slot of an ATTACK or a DISCARD, -1 for the others.
        slot: the slot of the horde of an ATTACK; of a TARGET that slot, or seats clockwise; else -1.
        estimate: 1 good, 2 average, 3 bad for an ESTIMATE, else 0.
    """

    kind: str
    hand: int = -1
    slot: int = -1
    estimate: int = 0


ESTIMATES = ("good", "average", "bad")


def actions(config: SyncroConfig) -> tuple[Action, ...]:
    """Every action in order, then the parallel form's NOOP: entry ``a`` is what action ``a`` means."""
    hand = range(config.hand_limit)
    return (
        *(Action("ATTACK", slot, foe) for slot in hand for foe in range(config.n_slots)),
        Action("PASS"),
        *(Action("ESTIMATE", estimate=number) for number in range(1, 4)),
        *(Action("DISCARD", slot) for slot in hand),
        Action("STOP"),
        Action("KEEP"),
        Action("DISCARD ALL"),
        Action("PLAY REWARD"),
        *(Action("TARGET", slot=target) for target in range(config.n_targets)),
        Action("NOOP"),
    )


def items(config: SyncroConfig) -> Items:
    """The wizard's own spells and the slots of the horde."""
    slots = [feature.name for feature in config.layout.features if feature.name.startswith("slot_")]
    choices: list[Choice] = [["hand", "slot"], 4, ["hand"], 4, ["slot"]]
    if config.n_targets > config.n_slots:
        choices.append(config.n_targets - config.n_slots)
    return Items({"hand": ["hand_0"], "slot": slots}, choices)


class SyncroGame:
    """A game of Syncro with its configuration settled (see ``unspoken.envs.engine.game.Game``)."""

    kernels = kernels
    renderer = render

    def __init__(self, config: SyncroConfig) -> None:
        self.config = config
        self.layout = config.layout
        self.actions = actions(config)
        self.items = items(config)
        self.feature_width = config.feature_width
        self.mask_width = config.mask_width
        self.max_score = len(config.levels)
        self.has_tries = True

    @cached_property
    def symmetries(self) -> Symmetries:
        """The relabellings that leave the game as it is."""
        return symmetries(self.config)

    @property
    def cuda_kernels(self) -> CudaKernels:
        """The module with the loops on a GPU, imported when it is asked for: it needs numba-cuda."""
        from unspoken.envs.syncro import cuda_kernels

        return cuda_kernels

    def new_states(self, num_games: int, seed: int) -> Records:
        """One record a game, keyed by ``seed`` and its index, before the first deal."""
        return new_states(num_games, seed)

    def standings(self, states: Records) -> dict[str, npt.NDArray[Any]]:
        """Levels won and tries begun so far, ``score`` ``(n,) float64`` and ``tries`` ``(n,) int64``."""
        return {
            "score": states["levels_won"].astype(np.float64),
            "tries": states["all_tries"].astype(np.int64),
        }

    def action_name(self, action: int) -> str:
        """For example ``"ATTACK 3 with 0"``, ``"PASS"``, ``"ESTIMATE good"``, ``"DISCARD 2"``.

        ATTACK names the slot of the horde, then the hand slot.

        Raises:
            ValueError: there is no such action.
        """
        if not 0 <= action < len(self.actions):
            raise ValueError(f"action={action!r}: must be from 0 to {len(self.actions) - 1}")
        meaning = self.actions[action]
        if meaning.kind == "ATTACK":
            return f"ATTACK {meaning.slot} with {meaning.hand}"
        if meaning.kind == "ESTIMATE":
            return f"ESTIMATE {ESTIMATES[meaning.estimate - 1]}"
        number = meaning.hand if meaning.kind == "DISCARD" else meaning.slot
        return meaning.kind if number < 0 else f"{meaning.kind} {number}"
