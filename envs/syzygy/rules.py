"""The rules of Syzygy, as plain functions over one game's state.

A row of n cards lies face down. A turn is PASS, or CONFIRM a card (look at it) and then MOVE it between two others; the
player's smallest chip goes on the card, or is turned down for a pass. After four turns each the team wins if the row
reads 1..n or n..1.

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
from unspoken.envs.syzygy.state import ROUNDS

_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def reset(params, state):  # type: ignore[no-untyped-def]
    """Deal the next game of the state's random stream."""
    n = params.n_positions
    generator = stream(state.seed, state.slot, state.episode)
    state.episode = state.episode + _ONE
    for position in range(n):
        state.value[position] = position + 1
        state.origin[position] = position
    for last in range(n - 1, 0, -1):
        generator = advance(generator)
        other = int(below(generator, np.uint64(last + 1)))
        swapped = state.value[last]
        state.value[last] = state.value[other]
        state.value[other] = swapped
    for entry in range(params.n_players * params.block):
        state.record[entry] = 0
    state.turn = 0
    state.confirmed = 0
    state.finished = False
    state.won = False
    inversions = 0
    for left in range(n):
        for right in range(left + 1, n):
            inversions += state.value[left] > state.value[right]
    state.inversions = inversions


@njit(cache=True, nogil=True)
def current_player(params, state):  # type: ignore[no-untyped-def]
    """The seat to act: clockwise from seat 0."""
    return state.turn % params.n_players


@njit(cache=True, nogil=True)
def is_legal(params, state, action):  # type: ignore[no-untyped-def]
    """Whether the seat to act may play ``action``."""
    n = params.n_positions
    if state.finished or action < 0 or action > params.pass_action:
        return False
    if state.confirmed == 0:
        if action == params.pass_action:
            return True
        if action >= n or state.origin[action] == params.blackhole:
            return False
        own = current_player(params, state) * params.block
        return state.record[own + action] == 0
    if action < n or action == params.pass_action:
        return False
    destination = action % n
    return 0 < destination < n - 1 and destination != state.confirmed - 1


@njit(cache=True, nogil=True)
def legal(params, state, mask):  # type: ignore[no-untyped-def]
    """Write 1 for each action the seat to act may play and 0 for the others: ``mask`` is ``(A,) int8``."""
    n = params.n_positions
    last = params.pass_action
    if state.confirmed == 0:
        may_act = not state.finished
        own = (state.turn % params.n_players) * params.block
        blackhole = params.blackhole
        for position in range(n):
            mask[position] = may_act & (state.record[own + position] == 0) & (state.origin[position] != blackhole)
        for action in range(n, last):
            mask[action] = 0
        mask[last] = may_act
        return
    source = state.confirmed - 1
    for position in range(n):
        mask[position] = 0
    for emotion in range(params.emotions):
        start = n + emotion * n
        for position in range(n):
            mask[start + position] = 1
        mask[start] = 0
        mask[start + source] = 0
        mask[start + n - 1] = 0
    mask[last] = 0


@njit(cache=True, nogil=True)
def potential(params, state):  # type: ignore[no-untyped-def]
    """How sorted the row is: pairs of cards in the better of the two orders, from half of all pairs to all of them."""
    return max(int(state.inversions), params.max_potential - state.inversions)


@njit(cache=True, nogil=True)
def step(params, state, action):  # type: ignore[no-untyped-def]
    """Play a legal action and return the team's reward.

    Sparse: 1 for the action that wins the game, else 0. Shaped: the change of potential / max_potential is added, the
    potential of a finished game being 0; over a game these terms add up to minus the potential of the deal, whatever is
    played, so no choice becomes better or worse.
    """
    n = params.n_positions
    before = potential(params, state)
    if action < n:
        state.confirmed = action + 1
        return 0.0
    seat = state.turn % params.n_players
    turn_entry = seat * params.block + n + state.turn // params.n_players
    if action == params.pass_action:
        state.record[turn_entry] = 1
    else:
        source = state.confirmed - 1
        destination = action % n
        _move_card(params, state, source, destination)
        state.record[seat * params.block + destination] = state.turn // params.n_players + 1
        state.record[turn_entry] = 2 + source
        state.record[turn_entry + ROUNDS] = 1 + destination
        if params.emotions > 1:
            state.record[turn_entry + 2 * ROUNDS] = action // n
        state.confirmed = 0
    state.turn += 1
    after = potential(params, state)
    reward = 0.0
    if state.turn == ROUNDS * params.n_players:
        state.finished = True
        state.won = after == params.max_potential
        reward += state.won
        after = 0
    if params.shaped:
        reward += (after - before) / params.max_potential
    return reward


@njit(cache=True, nogil=True)
def _move_card(params, state, source, destination):  # type: ignore[no-untyped-def]
    """Take the card at ``source`` out of the row and put it back so that it lies at ``destination``."""
    direction = 1 if destination > source else -1
    value = state.value[source]
    origin = state.origin[source]
    inversions = int(state.inversions)
    position = source
    while position != destination:
        passed = state.value[position + direction]
        inversions += direction if passed > value else -direction
        state.value[position] = passed
        state.origin[position] = state.origin[position + direction]
        position += direction
    state.value[destination] = value
    state.origin[destination] = origin
    state.inversions = inversions
    for seat in range(params.n_players):
        row = seat * params.block
        chip = state.record[row + source]
        position = source
        while position != destination:
            state.record[row + position] = state.record[row + position + direction]
            position += direction
        state.record[row + destination] = chip
