"""Loops over the games of a batch, for the batch face; each works on games ``start`` .. ``stop - 1``.

Compiled without the interpreter's lock, so that several threads can work on parts of one batch. ``features``, ``mask`` and
``final_features`` are flat, rows of ``params.feature_width`` and ``params.mask_width`` entries one after another: numba
counts references to every row taken as an array of its own, which costs more than writing it.
"""

from numba import njit

from unspoken.envs.engine.random import advance, below
from unspoken.envs.engine.words import count_bits, nth_bit
from unspoken.envs.syzygy.observation import observe, observe_everything
from unspoken.envs.syzygy.rules import current_player, is_legal, legal, legal_actions, potential, reset, step


@njit(cache=True, nogil=True)
def write_view(params, state, game, features, mask, player):  # type: ignore[no-untyped-def]
    """Write features and mask of the seat to act, and the seat, into row ``game``."""
    seat = current_player(params, state)
    observe(params, state, seat, features, game * params.feature_width)
    legal(params, state, mask, game * params.mask_width)
    player[game] = seat


@njit(cache=True, nogil=True)
def reset_games(params, states, start, stop, features, mask, player):  # type: ignore[no-untyped-def]
    """Deal the next game in each state."""
    for game in range(start, stop):
        reset(params[0], states[game])
        write_view(params[0], states[game], game, features, mask, player)


@njit(cache=True, nogil=True)
def step_games(  # type: ignore[no-untyped-def]
    params,
    states,
    start,
    stop,
    actions,
    features,
    mask,
    player,
    reward,
    done,
    illegal,
    score,
    progress,
    final_view,
    final_features,
):
    """Play one action in each game; a finished game is followed by the next deal in the same call."""
    for game in range(start, stop):
        _step_game(
            params[0],
            states[game],
            game,
            actions[game],
            features,
            mask,
            player,
            reward,
            done,
            illegal,
            score,
            progress,
            final_view,
            final_features,
        )


@njit(cache=True, nogil=True)
def _step_game(  # type: ignore[no-untyped-def]
    params,
    state,
    game,
    action,
    features,
    mask,
    player,
    reward,
    done,
    illegal,
    score,
    progress,
    final_view,
    final_features,
):
    illegal[game] = not is_legal(params, state, action)
    before = potential(params, state)
    if illegal[game]:
        state.finished = True
        reward[game] = -1.0
    else:
        reward[game] = step(params, state, action)
    progress[game] = potential(params, state) - before
    done[game] = state.finished
    score[game] = state.won
    if state.finished:
        viewer = player[game] if final_view[game] < 0 else final_view[game]
        observe(params, state, viewer, final_features, game * params.feature_width)
        reset(params, state)
    write_view(params, state, game, features, mask, player)


@njit(cache=True, nogil=True)
def sample_actions(params, states, start, stop, generators, actions):  # type: ignore[no-untyped-def]
    """Draw an action for each game, uniformly from the legal ones."""
    for game in range(start, stop):
        actions[game] = _sample_action(params[0], states[game], game, generators)


@njit(cache=True, nogil=True)
def _sample_action(params, state, game, generators):  # type: ignore[no-untyped-def]
    actions = legal_actions(params, state)
    generators[game] = advance(generators[game])
    return nth_bit(actions, below(generators[game], count_bits(actions)))


@njit(cache=True, nogil=True)
def play_random(  # type: ignore[no-untyped-def]
    steps,
    generators,
    params,
    states,
    start,
    stop,
    actions,
    features,
    mask,
    player,
    reward,
    done,
    illegal,
    score,
    progress,
    final_view,
    final_features,
):
    """Play ``steps`` decisions in each game with uniformly drawn legal actions."""
    for _ in range(steps):
        for game in range(start, stop):
            actions[game] = _sample_action(params[0], states[game], game, generators)
            _step_game(
                params[0],
                states[game],
                game,
                actions[game],
                features,
                mask,
                player,
                reward,
                done,
                illegal,
                score,
                progress,
                final_view,
                final_features,
            )


@njit(cache=True, nogil=True)
def observe_games(params, states, start, stop, seats, everything, features):  # type: ignore[no-untyped-def]
    """Write the view of seat ``seats[game]`` of each game, with every card turned up if ``everything``."""
    for game in range(start, stop):
        if everything:
            observe_everything(params[0], states[game], seats[game], features, game * params[0].feature_width)
        else:
            observe(params[0], states[game], seats[game], features, game * params[0].feature_width)


@njit(cache=True, nogil=True)
def view_games(params, states, start, stop, features, mask, player):  # type: ignore[no-untyped-def]
    """Write features and mask of the seat to act in each game as it stands."""
    for game in range(start, stop):
        write_view(params[0], states[game], game, features, mask, player)


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
    """Play ``action``; an illegal one ends the game. Returns (reward, finished, won, illegal, seat to act next)."""
    state = states[0]
    if not is_legal(params[0], state, action):
        state.finished = True
        return -1.0, True, False, True, current_player(params[0], state)
    reward = step(params[0], state, action)
    return reward, state.finished, state.won, False, current_player(params[0], state)
