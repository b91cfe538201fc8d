"""The rules of Syzygy, as plain functions over one game's state.

A row of n cards lies face down. A turn is PASS, or CONFIRM a card (look at it) and then MOVE it between two
others; the player's smallest chip goes on the card, or is turned down for a pass. After four turns each the
team wins if the row reads 1..n or n..1.

Actions (n positions, E emotions)::

    0 .. n - 1             CONFIRM the card at that position
    n + e * n + j          MOVE the confirmed card to position j (counted after the move), saying emotion e
    n + E * n              PASS

The functions are compiled by numba for the CPU, can be compiled for a GPU, and run as ordinary Python with
``NUMBA_DISABLE_JIT=1``. ``params`` is a record of ``PARAMS_DTYPE``, ``state`` one of ``STATE_DTYPE``.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.random import advance, below, stream
from unspoken.envs.engine.words import (
    BITS,
    count_above,
    lane,
    lanes,
    move_lane,
    occupied,
    spread_bits,
    with_lane,
)
from unspoken.envs.syzygy.state import ROUNDS

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def reset(params, state):  # type: ignore[no-untyped-def]
    """Deal the next game of the state's random stream."""
    n = params.n_positions
    generator = stream(state.seed, state.slot, state.episode)
    state.episode = state.episode + _ONE
    planets = _NOTHING
    origins = _NOTHING
    for position in range(n):
        planets = with_lane(planets, position, position + 1)
        origins = with_lane(origins, position, position)
    inversions = 0
    for last in range(n - 1, -1, -1):
        generator = advance(generator)
        other = int(below(generator, np.uint64(last + 1)))
        planet = lane(planets, other)
        planets = with_lane(with_lane(planets, other, lane(planets, last)), last, planet)
        after = n - 1 - last
        inversions += after - count_above(lanes(planets, last + 1, after), planet)
    state.planets = planets
    state.origins = origins
    state.blackhole = with_lane(_NOTHING, n // 2, 1) if params.has_blackhole else _NOTHING
    for seat in range(params.n_players):
        state.chips[seat] = _NOTHING
        state.history[seat] = _NOTHING
    state.turn = 0
    state.rounds = 0
    state.seat = 0
    state.confirmed = 0
    state.finished = False
    state.won = False
    state.inversions = inversions
    state.legal = _sources(params, state)


@njit(cache=True, nogil=True)
def current_player(params, state):  # type: ignore[no-untyped-def]
    """The seat to act: clockwise from seat 0."""
    return state.seat


@njit(cache=True, nogil=True)
def is_legal(params, state, action):  # type: ignore[no-untyped-def]
    """Whether the seat to act may play ``action`` (any integer)."""
    if action < 0 or action >= params.n_actions:
        return False
    return (state.legal >> np.uint64(action)) & _ONE == _ONE


@njit(cache=True, nogil=True)
def legal(params, state, mask, start=0):  # type: ignore[no-untyped-def]
    """Write 1 for each action the seat to act may play and 0 for the others, from ``mask[start]`` on.

    ``mask`` is one-dimensional ``int8``, with ``params.mask_width`` entries of room (those after the actions
    become 0).
    """
    spread_bits(state.legal, mask, start)
    if params.n_actions > BITS:
        spread_bits(state.legal >> np.uint64(BITS), mask, start + BITS)


@njit(cache=True, nogil=True)
def potential(params, state):  # type: ignore[no-untyped-def]
    """How sorted the row is: pairs of cards in the better of the two orders, from half of them to all."""
    return max(int(state.inversions), params.max_potential - state.inversions)


@njit(cache=True, nogil=True, forceinline=True)
def step(params, state, action):  # type: ignore[no-untyped-def]
    """Play a legal action and return the team's reward.

    Sparse: 1 for the action that wins the game, else 0. Shaped: the change of potential / max_potential is
    added, the potential of a finished game being 0; over a game these terms add up to minus the potential of
    the deal, whatever is played, so no choice becomes better or worse.
    """
    n = params.n_positions
    if action < n:
        state.confirmed = action + 1
        state.legal = _destinations(params, action)
        return 0.0
    before = potential(params, state)
    history = state.history[state.seat]
    if action == params.n_actions - 1:
        history = with_lane(history, state.rounds, 1)
    else:
        source = state.confirmed - 1
        emotion = 1
        destination = action - n
        while destination >= n:
            destination -= n
            emotion += 1
        _move_card(params, state, source, destination)
        state.chips[state.seat] = with_lane(state.chips[state.seat], destination, state.rounds + 1)
        history = with_lane(history, state.rounds, 2 + source)
        history = with_lane(history, ROUNDS + state.rounds, 1 + destination)
        if params.emotions > 1:
            history = with_lane(history, 2 * ROUNDS + state.rounds, emotion)
        state.confirmed = 0
    state.history[state.seat] = history
    _end_turn(params, state)
    after = potential(params, state)
    reward = 0.0
    if state.rounds == ROUNDS:
        state.finished = True
        state.legal = _NOTHING
        state.won = after == params.max_potential
        reward += state.won
        after = 0
    if params.shaped:
        reward += (after - before) / params.max_potential
    return reward


@njit(cache=True, nogil=True)
def forfeit(state):  # type: ignore[no-untyped-def]
    """End the game, lost, because an illegal action was asked for; nothing is played."""
    state.finished = True
    state.legal = _NOTHING


@njit(cache=True, nogil=True, forceinline=True)
def _end_turn(params, state):  # type: ignore[no-untyped-def]
    state.turn += 1
    state.seat += 1
    if state.seat == params.n_players:
        state.seat = 0
        state.rounds += 1
    state.legal = _sources(params, state)


@njit(cache=True, nogil=True)
def _sources(params, state):  # type: ignore[no-untyped-def]
    """What a turn may begin with: PASS, or a card without the seat's chip that is not the Blackhole."""
    row = (_ONE << np.uint64(params.n_positions)) - _ONE
    taken = occupied(state.chips[state.seat] | state.blackhole)
    return (row & ~taken) | (_ONE << np.uint64(params.n_actions - 1))


@njit(cache=True, nogil=True)
def _destinations(params, source):  # type: ignore[no-untyped-def]
    """Where the card at ``source`` may go: strictly between two cards, and not where it was."""
    n = np.uint64(params.n_positions)
    inner = ((_ONE << (n - _ONE)) - _ONE) & ~_ONE
    return (inner & ~(_ONE << np.uint64(source))) * params.move_actions


@njit(cache=True, nogil=True, forceinline=True)
def _move_card(params, state, source, destination):  # type: ignore[no-untyped-def]
    """Take the card at ``source`` out of the row and put it back so that it lies at ``destination``."""
    planet = lane(state.planets, source)
    first = min(source + 1, destination)
    passed = abs(destination - source)
    above = count_above(lanes(state.planets, first, passed), planet)
    # A passed planet that is higher than the moved one makes a descending pair if it is left of it, else an
    # ascending one.
    change = 2 * above - passed
    state.inversions += change if source < destination else -change
    state.planets = move_lane(state.planets, source, destination)
    state.origins = move_lane(state.origins, source, destination)
    state.blackhole = move_lane(state.blackhole, source, destination)
    for seat in range(params.n_players):
        state.chips[seat] = move_lane(state.chips[seat], source, destination)
