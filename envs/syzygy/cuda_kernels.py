"""The loops over the games of a batch on a GPU, as those of ``kernels``: one thread a game.

A record of the state, features and mask of a game are a row in the memory on the chip (see
``unspoken.envs.engine.cuda_rows``): the record is read once and written once in a call, however many actions
are played.
"""

from numba import cuda, int8, uint64

from unspoken.envs.engine.cuda_rows import (
    DEAL,
    DRAW,
    PLAY,
    WORD,
    copy_row,
    fetch_rows,
    record_at,
    store_rows,
)
from unspoken.envs.engine.random import advance
from unspoken.envs.syzygy.kernels import draw_action, outcome, play
from unspoken.envs.syzygy.observation import observe, observe_everything
from unspoken.envs.syzygy.rules import current_player, legal, reset
from unspoken.envs.syzygy.state import PARAMS_DTYPE, STATE_DTYPE

ROW_WORDS = STATE_DTYPE.itemsize // WORD
"""Words of a row before the features."""

__all__ = ["PARAMS_DTYPE", "ROW_WORDS", "STATE_DTYPE", "observe_games", "run_games", "sample_actions"]


@cuda.jit(cache=True, lto=False)
def run_games(  # type: ignore[no-untyped-def]
    params,
    states,
    state_words,
    games,
    kind,
    steps,
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
    feature_words,
    mask_words,
):
    """``steps`` times, in each of ``games`` games: DEAL the next game, VIEW this one, PLAY ``actions`` or
    DRAW legal ones."""
    words = cuda.shared.array(0, uint64)
    rows = cuda.shared.array(0, int8)
    length = (ROW_WORDS + feature_words + mask_words) | 1
    # Unsigned: numba asks of every signed index whether it counts from the end of the array.
    game = uint64(cuda.blockIdx.x) * uint64(cuda.blockDim.x) + uint64(cuda.threadIdx.x)
    at = cuda.threadIdx.x * length
    fetch_rows(state_words, ROW_WORDS, games, words, length)
    cuda.syncthreads()
    state = record_at(rows, at * WORD, states)
    for _ in range(steps):
        if game < uint64(games):
            deals = kind == DEAL
            views = not deals
            seat = int(current_player(params[0], state))
            if kind >= PLAY:
                action = actions[game]
                if kind == DRAW:
                    generators[game] = advance(generators[game])
                    action = draw_action(params[0], state, generators[game])
                    actions[game] = action
                earned, change, forbidden = play(params[0], state, action)
                reward[game] = earned
                progress[game] = change
                illegal[game] = forbidden
                done[game] = state.finished
                truncated[game], score[game], tries[game] = outcome(state)
                deals = bool(state.finished)
                if not deals:
                    seat = int(current_player(params[0], state))
                elif final_view[game] >= 0:
                    seat = int(final_view[game])
            # One place in the code for either view: that of an ended game, and what the seat to act sees.
            while True:
                if views:
                    observe(params[0], state, seat, rows, (at + ROW_WORDS) * WORD)
                if not deals:
                    break
                if views:
                    copy_row(words, at + ROW_WORDS, feature_words, final_features, game)
                reset(params[0], state)
                seat = int(current_player(params[0], state))
                deals = False
                views = True
            player[game] = seat
            legal(params[0], state, rows, (at + ROW_WORDS + feature_words) * WORD)
        cuda.syncthreads()
        store_rows(words, length, ROW_WORDS, feature_words, games, features)
        store_rows(words, length, ROW_WORDS + feature_words, mask_words, games, mask)
        cuda.syncthreads()
    store_rows(words, length, 0, ROW_WORDS, games, state_words)


@cuda.jit(cache=True, lto=False)
def sample_actions(params, states, games, generators, actions):  # type: ignore[no-untyped-def]
    """Draw an action for each game, uniformly from the legal ones."""
    game = uint64(cuda.blockIdx.x) * uint64(cuda.blockDim.x) + uint64(cuda.threadIdx.x)
    if game < uint64(games):
        generators[game] = advance(generators[game])
        actions[game] = draw_action(params[0], states[game], generators[game])


@cuda.jit(cache=True, lto=False)
def observe_games(  # type: ignore[no-untyped-def]
    params, states, games, seats, everything, features, feature_words
):
    """Write the view of seat ``seats[game]`` of each game, with every card turned up if ``everything``."""
    words = cuda.shared.array(0, uint64)
    rows = cuda.shared.array(0, int8)
    length = feature_words | 1
    game = uint64(cuda.blockIdx.x) * uint64(cuda.blockDim.x) + uint64(cuda.threadIdx.x)
    at = cuda.threadIdx.x * length
    if game < uint64(games):
        if everything != 0:
            observe_everything(params[0], states[game], seats[game], rows, at * WORD)
        else:
            observe(params[0], states[game], seats[game], rows, at * WORD)
    cuda.syncthreads()
    store_rows(words, length, 0, feature_words, games, features)
