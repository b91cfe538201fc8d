"""Search over all deals for a better team (see ``unspoken.train.improve``)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import Agent
from unspoken.envs.engine.game import Game, Records
from unspoken.train.deals import Ints, PolicyTable, all_deals, play_actions, take, views

Candidates = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.NDArray[np.bool_]]
"""From features ``(m, F)`` and mask ``(m, A)`` to the actions worth trying, ``(m, A) bool``."""

AT_ONCE = 8192
"""Deals in which a turn is improved together: each of them is played on in dozens of ways."""

NOISES = (0.1, 0.3, 0.6, 1.0)
"""Scales of the noise that shakes a team, in deals won."""
SHARES = (0.1, 0.3, 1.0)
"""Shares of the observations that it is added to."""


class DealSearch:
    """A team, and what makes it win more of all deals.

    A change of the action in one observation concerns the deals in which a seat sees that and no others, so
    the best actions of one turn, everything else being as it is, are found for all observations at once.
    ``sweep`` does so turn by turn, until no single turn can be improved; ``shake`` leads on from there.

    Attributes:
        table: the team's policy. deals: all of them, before the first decision.
    """

    def __init__(self, game: Game, agent: Agent, candidates: Candidates | None = None, seed: int = 0) -> None:
        """Start from ``agent`` in all seats; without ``candidates`` every legal action is tried.

        Raises:
            ValueError: see ``all_deals`` and ``PolicyTable``.
        """
        self.table = PolicyTable(game, agent)
        self.deals = all_deals(game)
        self._turns: int = game.config.n_turns
        self._params = game.config.params
        self._pass: int = game.config.pass_action
        self._candidates = candidates
        self._random = np.random.default_rng(seed)
        self._changes: list[_Change] = []

    def wins(self) -> int:
        """Deals won."""
        return int(self.table.wins(self.deals).sum())

    def sweep(self) -> None:
        """Improve every turn once, the last one first. Never fewer deals are won than before."""
        nodes = np.zeros(len(self.deals), np.int64)
        for turn in reversed(range(self._turns)):
            self._improve_turn(self.deals, nodes, turn)
            self._changes = []

    def shake(self, turn: int) -> None:
        """Disturb what is played from ``turn`` on, improve it again, and keep what wins no fewer deals.

        That is judged for each public record at that turn by itself, since what is played after one record
        has nothing to do with the others.
        """
        noise, share = self._random.choice(NOISES), self._random.choice(SHARES)
        everywhere = self._random.random() < 0.3
        states = take(self.deals, np.arange(len(self.deals)))
        self.table.play(states, 2 * turn)
        nodes = _public_records(states)
        won = self.table.wins(states)
        # Where every deal is won there is nothing to gain.
        kept = np.flatnonzero(np.bincount(nodes, ~won)[nodes])
        if len(kept) == 0:
            return
        states, won = take(states, kept), won[kept]
        nodes = np.unique(nodes[kept], return_inverse=True)[1]
        self._changes = []
        for each in range(turn, self._turns):
            shaken = each == turn or everywhere
            self._improve_turn(states, nodes, each, noise if shaken else 0.0, share)
        for each in reversed(range(turn, self._turns)):
            self._improve_turn(states, nodes, each)
        worse = np.bincount(nodes, self.table.wins(states)) < np.bincount(nodes, won)
        for change in reversed(self._changes):
            undone = worse[change.nodes]
            self.table.change(change.keys[undone], change.before[undone])

    def _improve_turn(
        self, states: Records, nodes: Ints, turn: int, noise: float = 0.0, share: float = 1.0
    ) -> None:
        """Choose the best source and destinations wherever one of ``states`` arrives at the turn.

        With noise added to the number of deals won, in a share of the observations.
        """
        states = take(states, np.arange(len(states)))
        self.table.play(states, 2 * turn)
        group = np.unique(self.table.keys(states), return_inverse=True)[1]
        if noise == 0.0:
            lost = np.bincount(group, ~self.table.wins(states))
            group[lost[group] == 0] = -1
        order = np.argsort(group, kind="stable")
        ordered = group[order]
        start = int(np.searchsorted(ordered, 0))
        while start < len(order):
            last = min(start + AT_ONCE, len(order)) - 1
            stop = int(np.searchsorted(ordered, ordered[last], side="right"))
            rows = order[start:stop]
            self._improve(take(states, rows), nodes[rows], noise, share)
            start = stop

    def _improve(self, states: Records, nodes: Ints, noise: float, share: float) -> None:
        """The same for games at their turn, all that look alike being among them."""
        first = self._look(states)
        games, sources = first.ways()
        after = take(states, games)
        play_actions(self._params, after, sources)
        passed = np.flatnonzero(sources == self._pass)
        taken = np.flatnonzero(sources != self._pass)
        second = self._look(take(after, taken))
        ways, destinations = second.ways()
        ends = take(after, np.concatenate([passed, taken[ways]]))
        play_actions(self._params, ends[len(passed) :], destinations)
        won = self.table.finish(ends)
        by_destination = second.count(ways, destinations, won[len(passed) :])
        best = self._choose(by_destination, second.current, noise, share)
        one = taken[second.one]
        self._change(second, best, nodes[games[one]])
        by_source = first.count(games[passed], sources[passed], won[: len(passed)])
        found = by_destination[np.arange(len(best)), best]
        np.add.at(by_source, (first.group[games[one]], sources[one]), found)
        best = self._choose(by_source, first.current, noise, share)
        self._change(first, best, nodes[first.one])

    def _look(self, states: Records) -> "_Look":
        keys, one, group = np.unique(self.table.keys(states), return_index=True, return_inverse=True)
        seen = take(states, one)
        current = self.table.actions(seen)
        features, mask = views(self.table.game, seen)
        tried = mask.astype(np.bool_)
        if self._candidates is not None:
            tried &= self._candidates(features, mask)
            tried[np.arange(len(keys)), current] = True
        return _Look(keys, one, group, tried, current)

    def _choose(self, won: npt.NDArray[np.float64], current: Ints, noise: float, share: float) -> Ints:
        """By group the action with the most deals won: of equals the current one."""
        if noise > 0.0:
            shaken = self._random.random((len(won), 1)) < share
            won = won + shaken * self._random.gumbel(0.0, noise, won.shape)
        rows = np.arange(len(won))
        best = won.argmax(axis=1)
        return np.where(won[rows, best] > won[rows, current], best, current)

    def _change(self, look: "_Look", best: Ints, nodes: Ints) -> None:
        changed = np.flatnonzero(best != look.current)
        keys = look.keys[changed]
        self._changes.append(_Change(keys, look.current[changed], nodes[changed]))
        self.table.change(keys, best[changed])


@dataclass(frozen=True)
class _Look:
    """What the seats to act see; the games of a group look alike.

    Attributes:
        keys: by group, the key of the observation. one: by group, one of its games. group: by game.
        tried: by group and action, whether it is tried. current: by group, what the team plays.
    """

    keys: npt.NDArray[np.uint64]
    one: Ints
    group: Ints
    tried: npt.NDArray[np.bool_]
    current: Ints

    def ways(self) -> tuple[Ints, Ints]:
        """Every game with every action that is tried in it."""
        games, actions = np.nonzero(self.tried[self.group])
        return games, actions

    def count(self, games: Ints, actions: Ints, won: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """By group and action the number of ``games`` won; less than any number where it was not tried."""
        groups, width = self.tried.shape
        counted = np.bincount(self.group[games] * width + actions, won, groups * width)
        return np.where(self.tried, counted.reshape(groups, width), -np.inf)


@dataclass(frozen=True)
class _Change:
    """Observations in which the team was changed, what it played there before, and after which records."""

    keys: npt.NDArray[np.uint64]
    before: Ints
    nodes: Ints


def _public_records(states: Records) -> Ints:
    """``(m,)``: equal numbers where everybody has seen the same."""
    public = [states["origins"], *states["chips"].T, *states["history"].T]
    return np.unique(np.stack(public, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
