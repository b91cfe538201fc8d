"""Cross-play: how well do players work together that were not made together?

Every run (or bot) plays with every other one. The entry of a row and a column is the win rate of a team in
which the row's player takes one seat and the column's player all the others, averaged over the seats it can
take; on the diagonal it plays with itself. Every entry is measured on the same number of games. A game of
several levels is won if all of them are; of such games there is a second matrix, the mean number of levels
won.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from unspoken.agents import Agent, load_agent
from unspoken.envs import make_game
from unspoken.envs.engine.random import MAX_SEED, check_seed
from unspoken.train.evaluate import Evaluation, add_game_arguments, evaluate, show_progress, wilson_interval
from unspoken.train.ray_tasks import map_on_ray
from unspoken.train.text import parse_options, percent, table


@dataclass(frozen=True)
class Pairing:
    """One entry of the matrix.

    Attributes:
        guest, hosts: who takes the one seat, and who takes the others.
        games, wins, win_rate, low, high: over all seat orders, with the 95% Wilson interval.
        score: mean score of those games.
        seat_orders: the result for each seat that the guest can take; a single one if guest and hosts are the
            same.
    """

    guest: str
    hosts: str
    games: int
    wins: int
    win_rate: float
    low: float
    high: float
    score: float
    seat_orders: tuple[Evaluation, ...]


@dataclass(frozen=True)
class CrossPlay:
    """All pairings of some players.

    Attributes:
        task, runs, games, seed: what was asked for; ``games`` a pairing.
        max_score: the score of a game that is won: 1, or the number of levels.
        pairings: ``pairings[row][column]`` has ``runs[row]`` as guest of ``runs[column]``.
        self_play: mean of the diagonal. cross_play: mean of everything else.
    """

    task: str
    runs: tuple[str, ...]
    games: int
    seed: int
    max_score: int
    pairings: tuple[tuple[Pairing, ...], ...]
    self_play: float
    cross_play: float

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON; ``matrix`` has the win rates alone, ``scores`` the mean scores."""
        return {
            "task": self.task,
            "runs": list(self.runs),
            "games": self.games,
            "seed": self.seed,
            "max_score": self.max_score,
            "self_play": self.self_play,
            "cross_play": self.cross_play,
            "matrix": [[pairing.win_rate for pairing in row] for row in self.pairings],
            "scores": [[pairing.score for pairing in row] for row in self.pairings],
            "pairings": [
                {**vars(pairing), "seat_orders": [order.as_dict() for order in pairing.seat_orders]}
                for row in self.pairings
                for pairing in row
            ],
        }


def crossplay(
    task: str,
    runs: Sequence[str | Path],
    games: int = 1000,
    seed: int = 0,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    ray: str | None = None,
    **options: Any,
) -> CrossPlay:
    """Let every run play with every other, in all seat orders.

    Args:
        task: a task name, or a game's name with its options.
        runs: two or more different agents, as ``load_agent`` takes them.
        games: games a pairing, shared out among its seat orders: at least one for each seat.
        seed: of the deals, which are the same for all pairings.
        threads, progress, options: as for ``evaluate``.
        ray: as for ``evaluate``; a task is one team's games, and the result is the same.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it, its value and what is
        allowed.
    """
    names = [str(run) for run in runs]
    if len(names) < 2:
        raise ValueError(f"runs={names!r}: must be two or more agents")
    if len(set(names)) < len(names):
        raise ValueError(f"runs={names!r}: must be different agents")
    game = make_game(task, **options)
    n_players = game.config.n_players
    if not isinstance(games, int) or games < n_players:
        raise ValueError(f"games={games!r}: must be at least {n_players}, one for each seat order")
    seed = check_seed(seed)
    agents = [load_agent(name) for name in names]

    everyone = range(len(names))
    orders = [
        _Order(guest, hosts, seat, games // seats + (seat < games % seats))
        for guest in everyone
        for hosts in everyone
        for seats in [1 if guest == hosts else n_players]
        for seat in range(seats)
    ]
    play = partial(_play, task, names, agents, seed, threads, options)
    finished = 0

    def count(result: Evaluation) -> None:
        nonlocal finished
        finished += result.games
        if progress is not None:
            progress(finished)

    if ray is None:
        results = []
        for order in orders:
            results.append(play(order))
            count(results[-1])
    else:
        results = map_on_ray(play, orders, ray, cpus=threads or 1, finished=count)
    entries: dict[tuple[int, int], list[Evaluation]] = {}
    for order, result in zip(orders, results, strict=True):
        entries.setdefault((order.guest, order.hosts), []).append(result)
    pairings = tuple(
        tuple(_pairing(names[guest], names[hosts], entries[guest, hosts]) for hosts in everyone)
        for guest in everyone
    )
    rates = np.array([[pairing.win_rate for pairing in row] for row in pairings])
    own = np.eye(len(names), dtype=bool)
    return CrossPlay(
        task=task,
        runs=tuple(names),
        games=games,
        seed=seed,
        max_score=game.max_score,
        pairings=pairings,
        self_play=float(rates[own].mean()),
        cross_play=float(rates[~own].mean()),
    )


@dataclass(frozen=True)
class _Order:
    """One seat order of a pairing: ``guest`` in ``seat``, ``hosts`` elsewhere, by number; and its games."""

    guest: int
    hosts: int
    seat: int
    games: int


def _play(
    task: str,
    names: Sequence[str],
    agents: Sequence[Agent],
    seed: int,
    threads: int | None,
    options: dict[str, Any],
    order: _Order,
) -> Evaluation:
    """The result of a seat order; ``names`` are what the players are called in it."""
    n_players = make_game(task, **options).config.n_players
    players = [order.hosts] * n_players
    players[order.seat] = order.guest
    team = [agents[player] for player in players]
    result = evaluate(task, team, order.games, _seed_of_order(seed, order.seat), threads=threads, **options)
    return replace(result, seats=tuple(names[player] for player in players))


def _pairing(guest: str, hosts: str, orders: Sequence[Evaluation]) -> Pairing:
    games = sum(order.games for order in orders)
    wins = sum(order.wins for order in orders)
    low, high = wilson_interval(wins, games)
    score = sum(order.score * order.games for order in orders) / games
    return Pairing(guest, hosts, games, wins, wins / games, low, high, score, tuple(orders))


def _seed_of_order(seed: int, seat: int) -> int:
    """Other deals for every seat order, so that a pairing is measured on as many deals as games."""
    return (seed + seat * 0x9E3779B97F4A7C15) % (MAX_SEED + 1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken crossplay``."""
    parser.add_argument("task", metavar="TASK", help="a task (see unspoken tasks)")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="two or more agents: runs, checkpoints, bots")
    add_game_arguments(parser)


def run(arguments: argparse.Namespace) -> None:
    """``unspoken crossplay``: print the matrix and its two means."""
    result = crossplay(
        arguments.task,
        arguments.runs,
        arguments.games,
        arguments.seed,
        threads=arguments.threads,
        progress=show_progress(arguments.games * len(arguments.runs) ** 2),
        ray=arguments.ray,
        **parse_options(arguments.set),
    )
    if arguments.json:
        print(json.dumps(result.as_dict()))
        return
    print(f"{result.task}: one seat is the row's, the others are the column's ({result.games} games each)\n")
    print(_matrix(result, lambda pairing: percent(pairing.win_rate)))
    if result.max_score > 1:
        print(f"\nmean number of levels won, of {result.max_score}\n")
        print(_matrix(result, lambda pairing: f"{pairing.score:.2f}"))
    print(f"\nself-play {percent(result.self_play)}   cross-play {percent(result.cross_play)}")


def _matrix(result: CrossPlay, show: Callable[[Pairing], str]) -> str:
    numbers = [f"({number})" for number in range(1, len(result.runs) + 1)]
    rows = [
        [f"{number} {name}", *map(show, row)]
        for number, name, row in zip(numbers, result.runs, result.pairings, strict=True)
    ]
    return table(["", *numbers], rows)
