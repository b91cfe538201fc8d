"""What the convention's thumbs mean, and what a thumb or a sum that was said tells of a hand."""

from numba import njit

from unspoken.agents.syncro.chances import normalize, not_turned_up
from unspoken.agents.syncro.view import MOST_VALUES
from unspoken.envs.syncro.state import AVERAGE, BAD, GOOD


@njit(cache=True, nogil=True)
def highest_common(params, view):  # type: ignore[no-untyped-def]
    """The highest spell of which the deck has several."""
    highest = 1
    for value in range(1, MOST_VALUES):
        if params.spell_copies[view.level, value] > 2:
            highest = value
    return highest


@njit(cache=True, nogil=True)
def say_thumb(params, view):  # type: ignore[no-untyped-def]
    """GOOD: the hand has one of the highest spells; AVERAGE: one of the second highest; else BAD."""
    highest = highest_common(params, view)
    most = 0
    for slot in range(view.size[0]):
        most = max(most, view.hand[0, slot])
    if most >= highest:
        return GOOD
    return AVERAGE if most == highest - 1 else BAD


@njit(cache=True, nogil=True)
def read_thumb(view, seat, highest, card):  # type: ignore[no-untyped-def]
    """What the thumb of a hand says of its spells, as far as they have not left it since."""
    said = view.said_size[seat]
    held = not_turned_up(view, seat)
    first = highest if view.estimate[seat] == GOOD else highest - 1
    if view.estimate[seat] != GOOD:
        for value in range(highest, MOST_VALUES):
            card[value] = 0.0
    if view.estimate[seat] == BAD:
        card[highest - 1] = 0.0
    normalize(card)
    if view.estimate[seat] != BAD and 0 < held == said:
        there = 0.0
        for value in range(first, MOST_VALUES):
            there += card[value]
        if there > 0.0 and there < 1.0:
            # Who has one has more of them than anybody, until it may have been played.
            more = there / (1.0 - (1.0 - there) ** said)
            for value in range(1, MOST_VALUES):
                card[value] *= more / there if value >= first else (1.0 - more) / (1.0 - there)
    normalize(card)


@njit(cache=True, nogil=True)
def tilt_of_sum(view, seat, mean):  # type: ignore[no-untyped-def]
    """The tilt under which a spell's mean is that of the sum said, less what was shown since."""
    count = not_turned_up(view, seat)
    if count == 0:
        return 0.0
    likely = (view.said_sum[seat] - view.shown[seat]) / count
    return min(2.0, max(-2.0, 0.55 * (likely - mean)))
