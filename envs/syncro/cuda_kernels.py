"""The loops over the games of a batch on a GPU, as those of ``kernels``: one thread a game.

Features and mask of a game are a row in the memory on the chip (see ``unspoken.envs.engine.cuda_rows``). The
records, of which a decision touches a part, are too large for it and stay where they are.
"""

import sys
from pathlib import Path

import numpy as np
from numba import uint64

from unspoken.envs.engine.compiled import forget_stale_code
from unspoken.envs.engine.cuda_rows import (
    DEAL,
    DRAW,
    PLAY,
    WORD,
    copy_row,
    cuda,
    kernel,
    store_rows,
)
from unspoken.envs.engine.random import advance
from unspoken.envs.syncro.kernels import draw_action, outcome, play
from unspoken.envs.syncro.observation import observe, observe_everything
from unspoken.envs.syncro.rules import current_player, legal, reset
from unspoken.envs.syncro.state import PARAMS_DTYPE, STATE_DTYPE

ROW_WORDS = 0
"""Words of a row before the features."""

_WORD = np.uint64(WORD)
_NOTHING = np.uint64(0)
_ONE = np.uint64(1)

__all__ = ["PARAMS_DTYPE", "ROW_WORDS", "STATE_DTYPE", "observe_games", "run_games", "sample_actions"]


@kernel
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
    # Not a second array: the compiler would take what is written to one as never read from the other.
    rows = words.view(np.int8)
    # Unsigned throughout: numba asks of every signed index whether it counts from the end of the array.
    feature_words, mask_words = np.uint64(feature_words), np.uint64(mask_words)
    length = (feature_words + mask_words) | _ONE
    thread, threads = np.uint64(cuda.threadIdx.x), np.uint64(cuda.blockDim.x)
    first = np.uint64(cuda.blockIdx.x) * threads
    count = min(threads, np.uint64(games) - first)
    game = first + thread
    at = thread * length
    for _ in range(steps):
        if thread < count:
            state = states[game]
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
                    observe(params[0], state, seat, rows, np.int64(at * _WORD))
                if not deals:
                    break
                if views:
                    copy_row(words, at, feature_words, final_features, game)
                reset(params[0], state)
                seat = int(current_player(params[0], state))
                deals = False
                views = True
            player[game] = seat
            legal(params[0], state, rows, np.int64((at + feature_words) * _WORD))
        cuda.syncthreads()
        store_rows(words, length, _NOTHING, feature_words, first, count, thread, threads, features)
        store_rows(words, length, feature_words, mask_words, first, count, thread, threads, mask)
        cuda.syncthreads()


@kernel
def sample_actions(params, states, games, generators, actions):  # type: ignore[no-untyped-def]
    """Draw an action for each game, uniformly from the legal ones."""
    game = np.uint64(cuda.grid(1))
    if game < np.uint64(games):
        generators[game] = advance(generators[game])
        actions[game] = draw_action(params[0], states[game], generators[game])


@kernel
def observe_games(  # type: ignore[no-untyped-def]
    params, states, games, seats, everything, features, feature_words
):
    """Write the view of seat ``seats[game]`` of each game, with every card turned up if ``everything``."""
    words = cuda.shared.array(0, uint64)
    rows = words.view(np.int8)
    feature_words = np.uint64(feature_words)
    length = feature_words | _ONE
    thread, threads = np.uint64(cuda.threadIdx.x), np.uint64(cuda.blockDim.x)
    first = np.uint64(cuda.blockIdx.x) * threads
    count = min(threads, np.uint64(games) - first)
    game = first + thread
    at = thread * length
    if thread < count:
        if everything != 0:
            observe_everything(params[0], states[game], seats[game], rows, np.int64(at * _WORD))
        else:
            observe(params[0], states[game], seats[game], rows, np.int64(at * _WORD))
    cuda.syncthreads()
    store_rows(words, length, _NOTHING, feature_words, first, count, thread, threads, features)


_FOLDER = Path(__file__).parent
forget_stale_code([_FOLDER, _FOLDER.parent / "engine"], [sys.modules[__name__]])
