"""How likely spells and sums of spells are: arrays over their values."""

from numba import njit

from unspoken.agents.syncro.view import MOST_VALUES

MOST_SUM = 64
"""Room for the sums of spells on a foe."""


@njit(cache=True, nogil=True)
def add_spell(total, card):  # type: ignore[no-untyped-def]
    """Add to a sum, ``(MOST_SUM,)``, a spell that has each value with the chances ``(MOST_VALUES,)``."""
    for summed in range(MOST_SUM - 1, -1, -1):
        likely = 0.0
        for value in range(1, min(MOST_VALUES, summed + 1)):
            likely += total[summed - value] * card[value]
        total[summed] = likely


@njit(cache=True, nogil=True)
def normalize(card):  # type: ignore[no-untyped-def]
    """Make the chances of a spell add up to 1; all alike if nothing is left."""
    whole = 0.0
    for value in range(1, MOST_VALUES):
        whole += card[value]
    for value in range(1, MOST_VALUES):
        card[value] = card[value] / whole if whole > 0.0 else 1.0 / (MOST_VALUES - 1)


@njit(cache=True, nogil=True)
def not_turned_up(view, seat):  # type: ignore[no-untyped-def]
    """Spells that a seat holds or has played face down in this round."""
    count = view.size[seat]
    for turn in range(view.position):
        count += view.turn_seat[turn] == seat and view.turn_hidden[turn]
    return count
