"""What the end of a round is worth, foe by foe, in points of spells."""

from typing import NamedTuple

from numba import njit

from unspoken.agents.syncro.view import is_dragon, is_golem, is_mushroom


class Weights(NamedTuple):
    """What things are worth, in points.

    Attributes:
        kill: a point of a destroyed foe's strength.
        foe: any destroyed foe, whatever its strength.
        leftover: a point of the spells that stay on a foe.
        draw: a point of a drawn spell.
        mushroom: a Mushroom that is still there: it can give more when hands are emptier.
        debt: a point that a Dragon is owed.
        spell, point: a spell in a hand, whatever its value, and each point of it.
    """

    kill: float = 1.35
    foe: float = 0.5
    leftover: float = 0.7
    draw: float = 0.9
    mushroom: float = 1.0
    debt: float = 1.3
    spell: float = 0.0
    point: float = 1.0


@njit(cache=True, nogil=True)
def worth_destroyed(weights, view, slot, excess, room):  # type: ignore[no-untyped-def]
    """A foe destroyed with ``excess``, while ``room`` spells fit into the hands."""
    worth = weights.kill * view.strength[slot] + weights.foe
    if is_mushroom(view, slot):
        worth += weights.draw * view.mean * min(excess, room) - weights.mushroom
    if is_dragon(view, slot):
        worth -= weights.debt * excess
    return worth


@njit(cache=True, nogil=True)
def worth_failed(weights, view, slot, total, lowest):  # type: ignore[no-untyped-def]
    """A foe with too little on it, of which the ``lowest`` spell is lost."""
    if total <= 0:
        return 0.0
    worth = 0.0
    if is_dragon(view, slot):
        worth -= weights.debt * (view.strength[slot] - total)
    if is_golem(view, slot):
        return worth - weights.kill * lowest
    return worth + weights.leftover * (total - lowest)
