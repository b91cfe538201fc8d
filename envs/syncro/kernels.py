"""Loops over the games of a batch, for the batch face; each works on games ``start`` .. ``stop - 1``.

Compiled without the interpreter's lock, so that several threads can work on parts of one batch. ``features``,
``mask`` and ``final_features`` are flat, rows of ``params.feature_width`` and ``params.mask_width`` entries
one after another: numba counts references to every row taken as an array of its own, which costs more than
writing it.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.prefetch import prefetch
from unspoken.envs.engine.random import advance, below
from unspoken.envs.engine.words import count_bits, nth_bit
from unspoken.envs.syncro.observation import observe, observe_everything
from unspoken.envs.syncro.rules import current_player, forfeit, is_legal, legal, reset, step
from unspoken.envs.syncro.state import HOT_BYTES


@njit(cache=True, nogil=True, inline="always")
def play(params, state, action):  # type: ignore[no-untyped-def]
    """Play ``action``; an illegal one loses at once. Returns (reward, change of potential, illegal)."""
    if not is_legal(params, state, action):
        forfeit(params, state)
        return -1.0, 0, True
    before = int(state.potential)
    reward = step(params, state, action)
    return reward, int(state.potential) - before, False


@njit(cache=True, nogil=True)
def draw_action(params, state, generator):  # type: ignore[no-untyped-def]
    """A legal action, drawn uniformly with the generator's current value."""
    foes = np.uint64(state.offered_foes)
    others = np.uint64(state.offered_others)
    targets = np.uint64(state.offered_targets)
    n_foes = count_bits(foes)
    n_others = count_bits(others)
    n_attacks = count_bits(np.uint64(state.offered_hand)) * n_foes
    # Signed like the counts: numba compares a signed and an unsigned number as floating-point ones.
    choice = np.int64(below(generator, np.uint64(n_attacks + n_others + count_bits(targets))))
    if choice < n_attacks:
        spell = choice // n_foes
        hand_slot = nth_bit(np.uint64(state.offered_hand), spell)
        return hand_slot * params.n_slots + nth_bit(foes, choice - spell * n_foes)
    choice -= n_attacks
    if choice < n_others:
        return params.pass_action + nth_bit(others, choice)
    return params.target_action + nth_bit(targets, choice - n_others)


@njit(cache=True, nogil=True, inline="always")
def outcome(state):  # type: ignore[no-untyped-def]
    """What an action has led to: (truncated, score, tries), zeros while the game goes on."""
    if state.finished:
        return state.truncated, int(state.levels_won), int(state.all_tries)
    return False, 0, 0


@njit(cache=True, nogil=True)
def reset_games(params, states, start, stop, features, mask, player):  # type: ignore[no-untyped-def]
    """Deal the next game in each state."""
    for game in range(start, stop):
        reset(params[0], states[game])
    view_games(params, states, start, stop, features, mask, player)


@njit(cache=True, nogil=True)
def view_games(params, states, start, stop, features, mask, player):  # type: ignore[no-untyped-def]
    """Write features and mask of the seat to act, and the seat, in each game as it stands."""
    for game in range(start, stop):
        player[game] = current_player(params[0], states[game])
        observe(params[0], states[game], player[game], features, game * params[0].feature_width)
        legal(params[0], states[game], mask, game * params[0].mask_width)


@njit(cache=True, nogil=True)
def step_games(  # type: ignore[no-untyped-def]
    params,
    states,
    start,
    stop,
    random_steps,
    generators,
    actions,
    features,
    mask,
    player,
    reward,
    done,
    truncated,
    illegal,
    score,
    tries,
    progress,
    final_view,
    final_features,
):
    """Play ``actions``, or ``random_steps`` uniformly drawn legal ones, in each game.

    A finished game is followed by the next deal in the same step. Arrays are indexed here and not handed to a
    function for one game, since numba would count references to each of them at every call.
    """
    for _ in range(max(1, random_steps)):
        # Unsigned: numba asks of every signed index whether it counts from the end of the array.
        for game in range(np.uint64(start), np.uint64(stop)):
            row = np.int64(game)
            prefetch(states, row + 1, HOT_BYTES)
            state = states[game]
            if random_steps > 0:
                generators[game] = advance(generators[game])
                actions[game] = draw_action(params[0], state, generators[game])
            # Of the type that `play_action` hands over: the rules are compiled once for both.
            earned, change, forbidden = play(params[0], state, np.int64(actions[game]))
            reward[game] = earned
            progress[game] = change
            illegal[game] = forbidden
            done[game] = state.finished
            truncated[game], score[game], tries[game] = outcome(state)
            if state.finished:
                viewer = player[game] if final_view[game] < 0 else final_view[game]
                observe(params[0], state, viewer, final_features, row * params[0].feature_width)
                reset(params[0], state)
            player[game] = current_player(params[0], state)
            observe(params[0], state, player[game], features, row * params[0].feature_width)
            legal(params[0], state, mask, row * params[0].mask_width)


@njit(cache=True, nogil=True)
def sample_actions(params, states, start, stop, generators, actions):  # type: ignore[no-untyped-def]
    """Draw an action for each game, uniformly from the legal ones."""
    for game in range(start, stop):
        generators[game] = advance(generators[game])
        actions[game] = draw_action(params[0], states[game], generators[game])


@njit(cache=True, nogil=True)
def observe_games(params, states, start, stop, seats, everything, features):  # type: ignore[no-untyped-def]
    """Write the view of seat ``seats[game]`` of each game, with every card turned up if ``everything``."""
    for game in range(start, stop):
        if everything:
            observe_everything(params[0], states[game], seats[game], features, game * params[0].feature_width)
        else:
            observe(params[0], states[game], seats[game], features, game * params[0].feature_width)


# The single-game faces play the first game of `states`, without auto-reset.


@njit(cache=True, nogil=True)
def deal(params, states):  # type: ignore[no-untyped-def]
    """Deal the next game."""
    reset(params[0], states[0])


@njit(cache=True, nogil=True)
def is_legal_action(params, states, action):  # type: ignore[no-untyped-def]
    """Whether the seat to act may play ``action``."""
    return is_legal(params[0], states[0], action)


@njit(cache=True, nogil=True)
def play_action(params, states, action):  # type: ignore[no-untyped-def]
    """Play ``action``. Returns (reward, finished, truncated, illegal, score, tries)."""
    state = states[0]
    reward, _, illegal = play(params[0], state, action)
    return reward, state.finished, state.truncated, illegal, int(state.levels_won), int(state.all_tries)
