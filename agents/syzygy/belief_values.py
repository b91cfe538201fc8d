"""How likely the team wins from a row: the estimate by which plans are made."""

import numpy as np
import numpy.typing as npt

from unspoken.agents.syzygy.belief_plan import SIZE_CLASSES, SIZE_STEPS

VARIETIES = ((1.0, 0.7, 1.0), (1.0, 1.0, 1.0), (2.0, 0.7, 0.5))
"""Weight of a spare turn, turns needed per unit of information, offset: the first is played by, the others
are tried by search as well."""


def win_values(n: int, turns: int, variety: int) -> npt.NDArray[np.float64]:
    """Estimated chance to win, by turns left, class of the row and size class of what cannot be told apart.

    A team needs as many turns as the row is from sorted, and enough turns to tell the rows apart, about n - 3
    destinations a turn; what counts is how many turns are left beyond the larger of the two.

    Args:
        n: cards in the row.
        turns: turns of a game.
        variety: index into ``VARIETIES``.

    Returns:
        ``(turns, 2 turns, SIZE_CLASSES) float64``; see ``belief_plan`` for the classes.
    """
    spare, per_information, offset = VARIETIES[variety]
    values = np.zeros((turns, 2 * turns, SIZE_CLASSES))
    information = per_information * np.arange(SIZE_CLASSES) / SIZE_STEPS / np.log2(max(n - 3, 2))
    for left in range(turns):
        for kind in range(2 * left + 1):
            blocked = kind > 0 and kind % 2 == 0
            moves = (kind + 1) // 2 + 0.5 * blocked
            needed = np.maximum(moves, information)
            values[left, kind] = 1.0 / (1.0 + np.exp(-(offset + spare * (left - needed))))
    values[0, 0] = 1.0
    return values
