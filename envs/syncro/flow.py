"""What is being done: a stack of frames in the state, so that a decision can interrupt anything.

The lowest frame is the game itself. A frame is at one of these stages; ``rules.run`` carries out stage after
stage until somebody has to decide or the game is over.

===========  =========================================================================================
stage        what happens
===========  =========================================================================================
SET_UP       a level is laid out and dealt, then TURN with ESTIMATE before it
TURN         the wizard at this position of the round attacks, passes, or first plays a Reward
RESOLVE      the next monster with spells on it is added up; a Dragon's DEBT comes before SETTLE
SETTLE       that monster is destroyed, or keeps what stays on it; then RESOLVE goes on
TURN_UP      the next card that lies accessible and face down is turned up, with its effect as a CARD
END_ROUND    defeat is looked for, the leader card moves on
LEVEL_WON    the level's cards are put away; the game ends, or KEEP
LEVEL_LOST   the level's cards are put away; the game ends, or the next try is SET_UP
KEEP         every wizard with spells keeps or drops its hand, then SET_UP
OVER         the game has ended
ESTIMATE     (upper frame) every wizard with spells estimates its hand; all become visible at once
DEBT         (upper frame) wizards discard until what is owed to a Dragon is paid, or the level is lost
CARD         (upper frame) the effects of a Fog, Reward or lieutenant card, one after the other
===========  =========================================================================================
"""

from numba import njit

from unspoken.envs.syncro.state import DECIDE_NOTHING

(
    SET_UP,
    TURN,
    RESOLVE,
    SETTLE,
    TURN_UP,
    END_ROUND,
    LEVEL_WON,
    LEVEL_LOST,
    KEEP,
    OVER,
    ESTIMATE,
    DEBT,
    CARD,
) = range(13)


@njit(cache=True, nogil=True, inline="always")
def begin(state, stage):  # type: ignore[no-untyped-def]
    """Empty the stack and put the game itself at ``stage``."""
    state.depth = 0
    state.frame_stage[0] = stage
    state.asked = 0


@njit(cache=True, nogil=True, inline="always")
def go_to(state, stage):  # type: ignore[no-untyped-def]
    """The top frame goes on with another stage."""
    state.frame_stage[state.depth] = stage


@njit(cache=True, nogil=True, inline="always")
def push(state, stage):  # type: ignore[no-untyped-def]
    """Do ``stage`` first; what was being done goes on afterwards."""
    state.depth += 1
    state.frame_stage[state.depth] = stage
    state.asked = 0


@njit(cache=True, nogil=True, inline="always")
def push_card(state, card, actor):  # type: ignore[no-untyped-def]
    """Apply a card first, with seat ``actor`` choosing for it."""
    push(state, CARD)
    depth = state.depth
    state.frame_card[depth] = card
    state.frame_step[depth] = 0
    state.frame_actor[depth] = actor
    state.frame_drew[depth] = 0


@njit(cache=True, nogil=True, inline="always")
def pop(state):  # type: ignore[no-untyped-def]
    """The top frame is done."""
    state.depth -= 1


@njit(cache=True, nogil=True, inline="always")
def seat_after(params, seat, places):  # type: ignore[no-untyped-def]
    """The seat ``places`` (fewer than there are seats) clockwise from ``seat``."""
    other = seat + places
    return other if other < params.n_players else other - params.n_players


@njit(cache=True, nogil=True, inline="always")
def offer(state, decision, seat):  # type: ignore[no-untyped-def]
    """A seat is to decide; nothing is offered to it yet."""
    state.decision = decision
    state.seat = seat
    state.offered_hand = 0
    state.offered_foes = 0
    state.offered_others = 0
    state.offered_targets = 0


@njit(cache=True, nogil=True, inline="always")
def end_game(state):  # type: ignore[no-untyped-def]
    """The game is over: nobody decides anything."""
    begin(state, OVER)
    offer(state, DECIDE_NOTHING, state.seat)
    state.finished = True
