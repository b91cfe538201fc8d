"""What the faces need to know of a game: the one interface between them and the two games."""

from dataclasses import asdict
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.items import Items
from unspoken.envs.engine.symmetry import Symmetries

Records = Any
"""An array of one structured record per game (or, for parameters, of length 1)."""


def copy_records(records: Records) -> Records:
    """A copy byte by byte: equal records have equal bytes, in the gaps between fields too."""
    return records.view(np.uint8).copy().view(records.dtype)


class Kernels(Protocol):
    """The compiled loops of a game (see ``unspoken.envs.syzygy.kernels``)."""

    reset_games: Any
    step_games: Any
    sample_actions: Any
    view_games: Any
    observe_games: Any
    play_action: Any
    is_legal_action: Any
    deal: Any


class CudaKernels(Protocol):
    """The loops of a game on a GPU (see ``unspoken.envs.syzygy.cuda_kernels``)."""

    PARAMS_DTYPE: "np.dtype[Any]"
    STATE_DTYPE: "np.dtype[Any]"
    ROW_WORDS: int
    run_games: Any
    sample_actions: Any
    observe_games: Any


class Game(Protocol):
    """A game with its configuration settled.

    Attributes:
        config: the game's own configuration; that of any game has ``game`` (its name), ``n_players``,
            ``n_actions``, ``max_decisions``, ``max_potential`` (what ``progress`` is measured in) and
            ``params`` (one record, in an array of length 1, of what the compiled rules read).
        layout: the features of an observation.
        feature_width: entries a row of features takes in memory (at least ``layout.size``; the rest is
            padding).
        mask_width: entries a row of the mask takes in memory (at least ``config.n_actions``).
        actions: what each action means, the parallel NOOP last.
        items: what features and actions are about.
        kernels: the module with the compiled loops.
        cuda_kernels: the module with the loops on a GPU, imported when it is asked for.
        max_score: the score of a game that is won altogether.
        has_tries: a game may consist of several tries, whose number the faces report.
        renderer: the module with ``describe(game, scene)``, ``draw_text(game, scene, colour=False)`` and
            ``draw_image(game, scene)``.
    """

    layout: FeatureLayout
    actions: tuple[Any, ...]
    items: Items
    feature_width: int
    mask_width: int
    max_score: int
    has_tries: bool

    @property
    def config(self) -> Any:
        """The configuration."""

    @property
    def kernels(self) -> Kernels:
        """The module with the compiled loops."""

    @property
    def cuda_kernels(self) -> CudaKernels:
        """The module with the loops on a GPU."""

    @property
    def renderer(self) -> Any:
        """A module (see the game's ``render.py``)."""

    @property
    def symmetries(self) -> Symmetries:
        """The relabellings that leave the game as it is (see the game's ``symmetry.py``)."""

    def standings(self, states: Records) -> dict[str, npt.NDArray[Any]]:
        """Of each of the games as it stands: ``score`` ``(n,) float64``, and ``tries`` ``(n,) int64`` where a
        game has several."""

    def new_states(self, num_games: int, seed: int) -> Records:
        """One record a game, keyed by ``seed`` and its index, before the first deal."""

    def action_name(self, action: int) -> str:
        """What an action means, in words (``n_actions`` is the parallel NOOP); else ``ValueError``."""


def action_table(game: Game) -> list[dict[str, Any]]:
    """Every action of ``Discrete(n_actions)`` in order, ready for JSON: its fields, and its ``name``."""
    return [
        {**asdict(action), "name": game.action_name(number)}
        for number, action in enumerate(game.actions[: game.config.n_actions])
    ]
