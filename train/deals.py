"""All deals of a game of Syzygy at once, played by a team whose policy is a table of actions.

What is hidden in Syzygy is the deal and nothing else. So a team's win rate can be counted exactly, and what a
seat knows at a decision is the set of deals in which it sees the same.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.amendments import key_of, multipliers
from unspoken.agents.base import Agent
from unspoken.envs import engine, syzygy
from unspoken.envs.engine.compiled import forget_stale_code
from unspoken.envs.engine.game import Game, Records
from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.syzygy.observation import observe
from unspoken.envs.syzygy.rules import reset, step

LONGEST_ROW = 9
"""Cards in the longest row whose deals are listed: 362,880 deals."""
ASKED_AT_ONCE = 16_384
"""Observations that an agent is asked about in one call."""

Ints = npt.NDArray[np.int64]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


def all_deals(game: Game) -> Records:
    """``(n!,)`` records of ``STATE_DTYPE``: every deal of ``n`` cards once, before the first decision.

    Raises:
        ValueError: not Syzygy, or a row of more than ``LONGEST_ROW`` cards.
    """
    config = game.config
    if not isinstance(config, SyzygyConfig):
        raise ValueError(f"game {config.game!r}: its deals cannot be listed; must be 'syzygy'")
    n = config.n_positions
    if n > LONGEST_ROW:
        raise ValueError(f"n_planets={n}: too many deals to list; must be {LONGEST_ROW} or fewer")
    rows = np.array(list(permutations(range(1, n + 1))), np.uint64)
    first = game.new_states(1, 0)
    reset(config.params[0], first[0])
    states = take(first, np.zeros(len(rows), np.int64))
    states["planets"] = np.bitwise_or.reduce(rows << (4 * np.arange(n, dtype=np.uint64)), axis=1)
    right, left = np.tril_indices(n, -1)
    states["inversions"] = (rows[:, left] > rows[:, right]).sum(axis=1)
    return states


def exact_win_rate(game: Game, agent: Agent) -> float:
    """The share of all deals that a team of ``agent`` in every seat wins.

    Raises:
        ValueError: the deals cannot be listed (see ``all_deals``), or the agent does not choose by the
            observation alone.
    """
    return float(PolicyTable(game, agent).wins(all_deals(game)).mean())


def take(states: Records, rows: Ints) -> Records:
    """A copy of the games ``rows``, byte by byte: several times faster than numpy copies records."""
    size = states.dtype.itemsize
    copied = states.view(np.uint8).reshape(len(states), size)[rows]
    return copied.reshape(-1).view(states.dtype).view(np.recarray)


def decision_number(states: Records) -> Ints:
    """``(m,)``: twice the turn, plus 1 where a destination is to be chosen.

    So a turn has two numbers, and a pass skips the second. No decision of a game follows one with a higher
    number.
    """
    number: Ints = 2 * states["turn"].astype(np.int64) + (states["confirmed"] != 0)
    return number


class PolicyTable:
    """What a team with one policy for all seats plays, by the key of the observation.

    It starts empty and asks an agent for every observation that it does not hold; what is changed stays.

    Attributes:
        game: what is played. agent: the one that is asked.
    """

    def __init__(self, game: Game, agent: Agent) -> None:
        """``ValueError``: the agent cannot play this game, or does not choose by the observation alone."""
        if agent.sees_state or agent.reset(game, 1, 0) is not None:
            raise ValueError(f"agent {agent.name!r}: must choose by the observation alone")
        self.game = game
        self.agent = agent
        self._params = game.config.params
        self._factors = multipliers(game.layout.size)
        self._view = np.zeros(game.feature_width, np.int8)
        self._held = 0
        self._keys = np.zeros(2**16, np.uint64)
        self._actions = np.zeros(2**16, np.uint8)

    def play(self, states: Records, until: int) -> None:
        """Play every game, in place, up to the decision with number ``until`` (see ``decision_number``)."""
        rows = np.arange(len(states))
        while len(rows):
            waiting = np.empty(len(rows), np.int64)
            table = self._keys, self._actions
            count = _play(self._params, states, rows, until, self._factors, *table, self._view, waiting)
            rows = waiting[:count]
            if count:
                self._ask(take(states, rows))

    def finish(self, states: Records) -> npt.NDArray[np.bool_]:
        """``(m,) bool``: play every game to its end, in place, and say whether it is won."""
        self.play(states, 2 * self.game.config.n_turns)
        return np.array(states["won"])

    def wins(self, states: Records) -> npt.NDArray[np.bool_]:
        """``(m,) bool``: whether each game will be won; the games stay as they are."""
        return self.finish(take(states, np.arange(len(states))))

    def keys(self, states: Records) -> npt.NDArray[np.uint64]:
        """``(m,) uint64``: the keys of what the seats to act see."""
        keys = np.empty(len(states), np.uint64)
        _write_keys(self._params, states, self._factors, self._view, keys)
        return keys

    def actions(self, states: Records) -> Ints:
        """``(m,)``: what the seats to act play."""
        keys = self.keys(states)
        actions = np.empty(len(keys), np.int64)
        missing = np.flatnonzero(_read(self._keys, self._actions, keys, actions))
        if len(missing):
            self._ask(take(states, missing))
            _read(self._keys, self._actions, keys, actions)
        return actions

    def change(self, keys: npt.NDArray[np.uint64], actions: Ints) -> None:
        """Let the team play ``actions`` where it sees ``keys``, which are different from each other."""
        while 2 * (self._held + len(keys)) > len(self._keys):
            old_keys, old_actions = self._keys, self._actions
            held = old_keys != 0
            self._keys = np.zeros(2 * len(old_keys), np.uint64)
            self._actions = np.zeros(2 * len(old_keys), np.uint8)
            _write(self._keys, self._actions, old_keys[held], old_actions[held])
        self._held += _write(self._keys, self._actions, keys, actions.astype(np.uint8))

    def _ask(self, states: Records) -> None:
        """Ask the agent what it plays in these games."""
        keys, first = np.unique(self.keys(states), return_index=True)
        for start in range(0, len(first), ASKED_AT_ONCE):
            part = slice(start, start + ASKED_AT_ONCE)
            asked = take(states, first[part])
            features, mask = views(self.game, asked)
            self.change(keys[part], self.agent.act(features, mask, np.array(asked["seat"]), None)[0])


@dataclass(frozen=True)
class Met:
    """Different observations that a team meets at one decision.

    Attributes:
        keys: ``(m,) uint64``. states: ``(m,)``, of each observation one game in which it is made.
        deals: ``(m,)``, in how many it is made. wins: ``(m,)``, how many of them the team wins.
    """

    keys: npt.NDArray[np.uint64]
    states: Records
    deals: Ints
    wins: npt.NDArray[np.float64]


def meet(table: PolicyTable, deals: Records) -> Iterator[Met]:
    """All that a team meets in ``deals``, in pieces of ``ASKED_AT_ONCE`` observations at most."""
    states = take(deals, np.arange(len(deals)))
    won = table.wins(states)
    for number in range(2 * table.game.config.n_turns):
        table.play(states, number)
        rows = np.flatnonzero(decision_number(states) == number)
        deciding = take(states, rows)
        keys, one, group = np.unique(table.keys(deciding), return_index=True, return_inverse=True)
        count = np.bincount(group)
        wins: npt.NDArray[np.float64] = np.bincount(group, won[rows]).astype(np.float64)
        for start in range(0, len(keys), ASKED_AT_ONCE):
            part = slice(start, start + ASKED_AT_ONCE)
            yield Met(keys[part], take(deciding, one[part]), count[part], wins[part])


def views(game: Game, states: Records) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """``(m, F)`` and ``(m, A) int8``: what the seats to act see, and the mask of what they may do."""
    features = np.zeros((len(states), game.feature_width), np.int8)
    mask = np.zeros((len(states), game.mask_width), np.int8)
    player = np.zeros(len(states), np.int8)
    rows = features.reshape(-1), mask.reshape(-1)
    game.kernels.view_games(game.config.params, states, 0, len(states), *rows, player)
    return features[:, : game.layout.size], mask[:, : game.config.n_actions]


@njit(cache=True, nogil=True)
def play_actions(params, states, actions):  # type: ignore[no-untyped-def]
    """Play a legal action in each game, in place."""
    for game in range(len(states)):
        step(params[0], states[game], actions[game])


@njit(cache=True, nogil=True)
def _play(params, states, rows, until, factors, keys, actions, view, waiting):  # type: ignore[no-untyped-def]
    """Play games on; writes those whose action is not in the table to ``waiting``, returns their number."""
    count = 0
    for row in rows:
        state = states[row]
        while not state.finished and 2 * state.turn + (state.confirmed != 0) < until:
            observe(params[0], state, state.seat, view)
            key = key_of(view, factors)
            place = _place(keys, key)
            if keys[place] != key:
                waiting[count] = row
                count += 1
                break
            step(params[0], state, int(actions[place]))
    return count


@njit(cache=True, nogil=True)
def _write_keys(params, states, factors, view, keys):  # type: ignore[no-untyped-def]
    for game in range(len(states)):
        observe(params[0], states[game], states[game].seat, view)
        keys[game] = key_of(view, factors)


@njit(cache=True, nogil=True)
def _place(keys, key):  # type: ignore[no-untyped-def]
    """Where ``key`` is, or the free place (key 0) where it belongs; half of the 2**k places are free."""
    last = np.uint64(len(keys) - 1)
    place = ((key * _SPREAD) >> _HALF) & last
    while keys[place] != key and keys[place] != 0:
        place = (place + _ONE) & last
    return place


@njit(cache=True, nogil=True)
def _read(keys, actions, wanted, out):  # type: ignore[no-untyped-def]
    """Write the action at each wanted key; returns whether each is missing."""
    missing = np.zeros(len(wanted), np.bool_)
    for index in range(len(wanted)):
        place = _place(keys, wanted[index])
        missing[index] = keys[place] == 0
        out[index] = actions[place]
    return missing


@njit(cache=True, nogil=True)
def _write(keys, actions, new_keys, new_actions):  # type: ignore[no-untyped-def]
    """Returns how many keys were not there before."""
    added = 0
    for index in range(len(new_keys)):
        place = _place(keys, new_keys[index])
        added += keys[place] == 0
        keys[place] = new_keys[index]
        actions[place] = new_actions[index]
    return added


forget_stale_code([Path(package.__path__[0]) for package in (engine, syzygy)], [sys.modules[__name__]])
