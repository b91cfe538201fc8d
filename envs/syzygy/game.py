"""Syzygy as the faces see it: configuration, features, action names and compiled loops in one object."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine import random, words
from unspoken.envs.engine.compiled import forget_stale_code
from unspoken.envs.engine.game import CudaKernels, Records
from unspoken.envs.engine.items import Items
from unspoken.envs.engine.symmetry import Symmetries
from unspoken.envs.syzygy import kernels, observation, render, rules
from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.syzygy.observation import feature_layout
from unspoken.envs.syzygy.state import new_states
from unspoken.envs.syzygy.symmetry import symmetries

_FOLDER = Path(__file__).parent
forget_stale_code([_FOLDER, _FOLDER.parent / "engine"], [kernels, observation, random, rules, words])


@dataclass(frozen=True)
class Action:
    """What an action number means.

    Attributes:
        kind: ``"CONFIRM"``, ``"MOVE"``, ``"PASS"`` or, in the parallel form only, ``"NOOP"``.
        position: the position confirmed or moved to, -1 for the others.
        emotion: the emotion said with a MOVE, -1 for the others.
    """

    kind: str
    position: int = -1
    emotion: int = -1


def actions(config: SyzygyConfig) -> tuple[Action, ...]:
    """Every action in order, then the parallel form's NOOP: entry ``a`` is what action ``a`` means."""
    positions = range(config.n_positions)
    confirm = [Action("CONFIRM", position) for position in positions]
    move = [Action("MOVE", position, emotion) for emotion in range(config.emotions) for position in positions]
    return (*confirm, *move, Action("PASS"), Action("NOOP"))


def items(config: SyzygyConfig) -> Items:
    """The cards of the row; an action names a card, or the place where a card now lies."""
    chips = [f"chip_{seat}" for seat in range(config.n_players)]
    moves = [["card"]] * config.emotions
    return Items({"card": ["value", "origin", *chips]}, [["card"], *moves, 1])


class SyzygyGame:
    """A game of Syzygy with its configuration settled (see ``unspoken.envs.engine.game.Game``)."""

    kernels = kernels
    renderer = render

    def __init__(self, config: SyzygyConfig) -> None:
        self.config = config
        self.layout = feature_layout(config)
        self.actions = actions(config)
        self.items = items(config)
        self.feature_width = config.feature_width
        self.mask_width = config.mask_width
        self.max_score = 1
        self.has_tries = False

    @cached_property
    def symmetries(self) -> Symmetries:
        """The relabellings that leave the game as it is."""
        return symmetries(self.config)

    @property
    def cuda_kernels(self) -> CudaKernels:
        """The module with the loops on a GPU, imported when it is asked for: it needs numba-cuda."""
        from unspoken.envs.syzygy import cuda_kernels

        return cuda_kernels

    def new_states(self, num_games: int, seed: int) -> Records:
        """One record a game, keyed by ``seed`` and its index, before the first deal."""
        return new_states(num_games, seed)

    def standings(self, states: Records) -> dict[str, npt.NDArray[Any]]:
        """``score``, ``(n,) float64``: 0, since nothing is won before the end."""
        return {"score": np.zeros(len(states), np.float64)}

    def action_name(self, action: int) -> str:
        """For example ``"CONFIRM 3"``, ``"MOVE 5"``, ``"MOVE 5 emotion 1"``, ``"PASS"``, ``"NOOP"``.

        Raises:
            ValueError: there is no such action.
        """
        if not 0 <= action < len(self.actions):
            raise ValueError(f"action={action!r}: must be from 0 to {len(self.actions) - 1}")
        meaning = self.actions[action]
        if meaning.kind == "MOVE" and self.config.emotions > 1:
            return f"MOVE {meaning.position} emotion {meaning.emotion}"
        return meaning.kind if meaning.position < 0 else f"{meaning.kind} {meaning.position}"
