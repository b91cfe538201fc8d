"""The symmetries of Syzygy.

- The row from the other end: position i is position n - 1 - i, of cards, of the places they came from, of all
  that was taken and put. A destination is counted after the move, from either end of the same row. The
  Blackhole begins in the middle and the rows that win change places.
- The planets the other way round: v is n + 1 - v, the planet set aside included.
- Which emotion is which, all permutations (with several).

Any of them goes with any other: 4 symmetries in silence, 4 * E! with E emotions.

Not among them: seats. The relative view makes them alike, but seat 0 plays first, and the absolute seat and
the turn are observed. Chips are numbered in the order in which they are used.

``progress``, which a batch offers to trainers, is no reward: it counts pairs brought into *ascending* order,
so each of the first two turns its sign. Who trains with it asks for that order, and breaks those symmetries.
"""

from itertools import permutations

import numpy as np

from unspoken.envs.engine.symmetry import Relabelling, Symmetries, relabel
from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.syzygy.observation import feature_layout


def symmetries(config: SyzygyConfig) -> Symmetries:
    """The group of a configuration's symmetries."""
    identity = relabel(feature_layout(config), config.n_actions)
    emotions = [_rename_emotions(config, order) for order in permutations(range(config.emotions))]
    return Symmetries.of([[identity, _mirror(config)], [identity, _reverse(config)], emotions])


def _mirror(config: SyzygyConfig) -> Relabelling:
    """Position i becomes n - 1 - i."""
    backwards = list(range(config.n_positions))[::-1]
    taken = [2 + position for position in backwards]
    put = [1 + position for position in backwards]
    rows = ["value", "origin", *(f"chip_{seat}" for seat in range(config.n_players))]
    renamed = {"confirmed": [0, *put], "origin": backwards}
    for seat in range(config.n_players):
        renamed[f"source_{seat}"] = [0, 1, *taken]
        renamed[f"destination_{seat}"] = [0, *put]
    confirm_and_moves = np.arange(config.pass_action).reshape(-1, config.n_positions)
    return relabel(
        feature_layout(config),
        config.n_actions,
        "row mirrored",
        moved=dict.fromkeys(rows, backwards),
        renamed=renamed,
        actions=[*confirm_and_moves[:, ::-1].ravel(), config.pass_action],
    )


def _reverse(config: SyzygyConfig) -> Relabelling:
    """Planet v becomes n + 1 - v; 0, an unknown one, stays."""
    planets = [0, *range(config.n_positions, 0, -1)]
    return relabel(feature_layout(config), config.n_actions, "planets reversed", renamed={"value": planets})


def _rename_emotions(config: SyzygyConfig, order: tuple[int, ...]) -> Relabelling:
    """Emotion e becomes ``order[e]``; 0, none heard, stays."""
    if order == tuple(range(config.emotions)):
        return relabel(feature_layout(config), config.n_actions)
    heard = [0, *(1 + emotion for emotion in order)]
    n = config.n_positions
    moves = [n + emotion * n + position for emotion in order for position in range(n)]
    return relabel(
        feature_layout(config),
        config.n_actions,
        f"emotions {' '.join(map(str, order))}",
        renamed={f"emotion_{seat}": heard for seat in range(config.n_players)},
        actions=[*range(n), *moves, config.pass_action],
    )
