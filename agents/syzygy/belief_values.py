"""How likely the team wins from a row: the estimate by which plans are made.

A value is a logistic function of ``features`` of the row and of what cannot be told apart, with weights
for each number of turns left. Three sets of weights hold for all games; they were found by random search over
the exact number of deals won in games of 7 cards. For the games in ``LEARNED`` there are weights of their own
(see ``unspoken.train.learn_values``), which come first.
"""

import json
from dataclasses import dataclass
from importlib import resources

import numpy as np
import numpy.typing as npt

from unspoken.agents.syzygy.belief_plan import SIZE_CLASSES, SIZE_STEPS

LEARNED = {(9, 12, True): "divine-3p", (9, 8, False): "base-2p"}
"""Of games by cards, turns and whether there is a Blackhole: the file in ``values`` with learned weights."""

FEATURES = 10
"""See ``features``."""
_MOVES_SCALE = 5.0
_SIZE_SCALE = 10.0

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """What adds to the log-odds of a win, whatever the game.

    Attributes:
        offset: always.
        left: each turn left.
        moves: each move the row is from sorted.
        information: each turn's worth of information that is missing.
        information_squared: the same, squared.
        blocked: the next mover cannot take a card that helps; times the turns left to the power ``growth``.
        growth: see ``blocked``.
    """

    offset: float
    left: float
    moves: float
    information: float
    information_squared: float
    blocked: float
    growth: float

    def by_turn(self, n: int, turns: int) -> Floats:
        """The same as weights of ``features``, ``(turns, FEATURES)``.

        A turn can tell about n - 3 things apart.
        """
        worth = _SIZE_SCALE / SIZE_STEPS / np.log2(max(n - 3, 2))
        weights = np.zeros((turns, FEATURES))
        left = np.arange(turns, dtype=np.float64)
        weights[:, 0] = self.offset + self.left * left
        weights[:, 1] = _MOVES_SCALE * self.moves
        weights[:, 3] = self.information * worth
        weights[:, 4] = self.information_squared * worth**2
        weights[1:, 8] = self.blocked * left[1:] ** self.growth
        return weights


_MOVES_FIRST = Weights(-0.472, 0.61, -0.96, -0.4, 0.0, -1.572, 0.077)
_INFORMATION_FIRST = Weights(-0.166, 0.577, -0.526, -0.699, 0.058, -1.583, 0.253)
_EVEN = Weights(-0.44, 0.96, -0.96, -0.4, 0.0, -0.96, 0.0)


def general_weights(n: int, turns: int, has_blackhole: bool) -> list[Floats]:
    """The weights that hold for all games, ``(turns, FEATURES)``, the better ones for this game first."""
    general = [_MOVES_FIRST, _EVEN, _INFORMATION_FIRST]
    if has_blackhole:
        general = [_INFORMATION_FIRST, _EVEN, _MOVES_FIRST]
    return [each.by_turn(n, turns) for each in general]


def portfolio(n: int, turns: int, has_blackhole: bool) -> Floats:
    """Tables of ``win_values``: the first is played by, search tries plans by the others too."""
    weights = general_weights(n, turns, has_blackhole)
    if (n, turns, has_blackhole) in LEARNED:
        weights.insert(0, learned_weights(LEARNED[n, turns, has_blackhole]))
    return np.stack([win_values(each) for each in weights])


def learned_weights(name: str) -> Floats:
    """``(turns, FEATURES)``, by turns left, of a file in ``values``."""
    text = resources.files("unspoken.agents.syzygy").joinpath(f"values/{name}.json").read_text("utf-8")
    return np.array(json.loads(text)["weights"], np.float64)


def features(left: int) -> Floats:
    """What the value of a row depends on, with ``left`` turns left.

    Returns:
        ``(2 left + 1, SIZE_CLASSES, FEATURES)``, by class of the row and size class of what cannot be told
        apart (see ``belief_plan``). With m moves / 5 and size class s / 10 they are 1, m, m², s, s², ms,
        m²s, ms², b and bs, where b is 1 if the next mover cannot take a card that helps.
    """
    kind, size = np.meshgrid(np.arange(2 * left + 1), np.arange(SIZE_CLASSES), indexing="ij")
    moves = (kind + 1) // 2 / _MOVES_SCALE
    info = size / _SIZE_SCALE
    blocked = ((kind > 0) & (kind % 2 == 0)).astype(np.float64)
    columns = [
        np.ones_like(info),
        moves,
        moves**2,
        info,
        info**2,
        moves * info,
        moves**2 * info,
        moves * info**2,
        blocked,
        blocked * info,
    ]
    return np.stack(columns, axis=-1)


def win_values(weights: Floats) -> Floats:
    """The estimated chance to win by weights ``(turns, FEATURES)``.

    Returns:
        ``(turns, 2 turns, SIZE_CLASSES) float64``, by turns left, class of the row and size class.
    """
    turns = len(weights)
    values = np.zeros((turns, 2 * turns, SIZE_CLASSES))
    for left in range(turns):
        # In a fixed order: seats on different machines must come to the same bits, and to the same plan.
        odds = np.zeros((2 * left + 1, SIZE_CLASSES))
        for number, feature in enumerate(np.moveaxis(features(left), -1, 0)):
            odds += feature * weights[left, number]
        values[left, : 2 * left + 1] = 1.0 / (1.0 + np.exp(-np.clip(odds, -500.0, 500.0)))
    values[0, 0] = 1.0
    return values
