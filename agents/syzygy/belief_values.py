"""How likely the team wins from a row: the estimate by which plans are made.

The weights were found by random search over the exact number of deals won in games of 7 cards, and checked
on 9; ``benchmarks/belief_exact.py --search-limit 0`` shows what they are worth without search.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unspoken.agents.syzygy.belief_plan import SIZE_CLASSES, SIZE_STEPS


@dataclass(frozen=True)
class Weights:
    """What adds to the log-odds of a win.

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


_MOVES_FIRST = Weights(-0.472, 0.61, -0.96, -0.4, 0.0, -1.572, 0.077)
_INFORMATION_FIRST = Weights(-0.166, 0.577, -0.526, -0.699, 0.058, -1.583, 0.253)
_EVEN = Weights(-0.44, 0.96, -0.96, -0.4, 0.0, -0.96, 0.0)


def portfolio(n: int, turns: int, has_blackhole: bool) -> npt.NDArray[np.float64]:
    """Tables of ``win_values``: the first is played by, search tries plans by the others too."""
    weights = (_MOVES_FIRST, _EVEN, _INFORMATION_FIRST)
    if has_blackhole:
        weights = (_INFORMATION_FIRST, _EVEN, _MOVES_FIRST)
    return np.stack([win_values(n, turns, each) for each in weights])


def win_values(n: int, turns: int, weights: Weights) -> npt.NDArray[np.float64]:
    """Estimated chance to win, by turns left, class of the row and size class of what cannot be told apart.

    Args:
        n: cards in the row; a turn can tell about n - 3 things apart.
        turns: turns of a game.
        weights: of the estimate.

    Returns:
        ``(turns, 2 turns, SIZE_CLASSES) float64``; see ``belief_plan`` for the classes.
    """
    values = np.zeros((turns, 2 * turns, SIZE_CLASSES))
    information = np.arange(SIZE_CLASSES) / SIZE_STEPS / np.log2(max(n - 3, 2))
    missing = weights.information * information + weights.information_squared * information**2
    for left in range(turns):
        for kind in range(2 * left + 1):
            moves = (kind + 1) // 2
            blocked = kind > 0 and kind % 2 == 0
            odds = weights.offset + weights.left * left + weights.moves * moves + missing
            odds += weights.blocked * blocked * left**weights.growth
            values[left, kind] = 1.0 / (1.0 + np.exp(-odds))
    values[0, 0] = 1.0
    return values
