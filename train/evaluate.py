"""How often a team wins: any agents at any seats, one score a game, with a confidence interval."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.agents import Agent, Table, load_agent
from unspoken.envs import make_vec
from unspoken.envs.engine.random import check_seed

GAMES_AT_A_TIME = 4096
"""Games played side by side. Part of what a seed means: game g is episode g // 4096 of slot g % 4096."""

_TWO_SIDED_95 = 1.959963984540054


@dataclass(frozen=True)
class Evaluation:
    """What a team did.

    Attributes:
        task: the task's name.
        seats: the agents' names, by seat.
        games: games played; each of them to its end. seed: of the deals (and of agents that draw).
        wins: games won by the team.
        win_rate: wins / games. low, high: its 95% Wilson interval.
        illegal: games that an illegal action ended (lost, and counted as such).
        decisions: mean number of decisions a game.
        seconds: wall-clock time, first compilation included. games_per_second: games / seconds.
        outcomes: ``(games,) bool``, game by game in the order of the deals, for paired comparisons.
    """

    task: str
    seats: tuple[str, ...]
    games: int
    seed: int
    wins: int
    win_rate: float
    low: float
    high: float
    illegal: int
    decisions: float
    seconds: float
    games_per_second: float
    outcomes: npt.NDArray[np.bool_] = field(repr=False, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Everything but ``outcomes``, ready for JSON."""
        values = {name: value for name, value in vars(self).items() if name != "outcomes"}
        return {**values, "seats": list(self.seats)}


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """The 95% Wilson score interval ``(low, high)`` of a proportion; it holds wins / games and stays in 0..1."""
    square = _TWO_SIDED_95**2
    rate = wins / games
    middle = rate + square / (2 * games)
    spread = _TWO_SIDED_95 * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    low = 0.0 if wins == 0 else (middle - spread) / (1 + square / games)
    high = 1.0 if wins == games else (middle + spread) / (1 + square / games)
    return low, high


def evaluate(
    task: str,
    seats: str | Path | Agent | Sequence[str | Path | Agent],
    games: int = 1000,
    seed: int = 0,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Evaluation:
    """Let a team play ``games`` games and count its wins.

    The deals follow from ``seed`` and ``games`` alone, whoever plays, so two teams meet the same deals. Each
    of them is played to its end and counted once, so short games are not counted more often than long ones.

    Args:
        task: a task name, or ``"syzygy"`` with its options.
        seats: one agent for each seat, by name (see ``load_agent``) or as an object; one fills all.
        games: number of games, 1 or more.
        seed: integer from 0 to 2**64 - 1.
        threads: threads of the engine; ``None`` chooses.
        progress: called now and then with the number of games finished.
        options: fields of the game's configuration that the task's name leaves open.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it and what is allowed.
    """
    if isinstance(games, bool) or not isinstance(games, (int, np.integer)):
        raise TypeError(f"games={games!r}: must be a positive integer")
    if games < 1:
        raise ValueError(f"games={games!r}: must be 1 or more")
    if seed is None:
        raise TypeError("seed=None: must be an integer from 0 to 2**64 - 1")
    seed = check_seed(seed)
    slots = min(int(games), GAMES_AT_A_TIME)
    vec = make_vec(task, slots, seed=seed, threads=threads, **options)
    names, agents = _seated(seats, vec.n_players)
    started = time.perf_counter()
    table = Table(vec, agents, seed)
    vec.reset()
    quota = games // slots + (np.arange(slots) < games % slots)
    finished = np.zeros(slots, np.int64)
    outcomes = np.zeros(games, np.bool_)
    decisions = illegal = 0
    while len(rows := np.flatnonzero(finished < quota)):
        vec.step(table.act(rows))
        decisions += len(rows)
        ended = rows[vec.done[rows]]
        if len(ended) == 0:
            continue
        outcomes[ended + slots * finished[ended]] = vec.score[ended] > 0
        illegal += int(vec.illegal[ended].sum())
        finished[ended] += 1
        table.begin(ended)
        if progress is not None:
            progress(int(finished.sum()))
    seconds = time.perf_counter() - started
    vec.close()
    wins = int(outcomes.sum())
    low, high = wilson_interval(wins, games)
    return Evaluation(
        task=task,
        seats=names,
        games=int(games),
        seed=seed,
        wins=wins,
        win_rate=wins / games,
        low=low,
        high=high,
        illegal=illegal,
        decisions=decisions / games,
        seconds=seconds,
        games_per_second=games / seconds,
        outcomes=outcomes,
    )


def _seated(
    seats: str | Path | Agent | Sequence[str | Path | Agent], n_players: int
) -> tuple[tuple[str, ...], list[Agent]]:
    """Names and agents, by seat; an agent named several times is loaded once."""
    given: list[str | Path | Agent]
    given = list(seats) if isinstance(seats, Sequence) and not isinstance(seats, str) else [seats]
    if len(given) == 1:
        given *= n_players
    if len(given) != n_players:
        raise ValueError(
            f"seats: {len(given)} agents given; must be one for all seats, or one for each of {n_players}"
        )
    loaded: dict[str, Agent] = {}
    names, agents = [], []
    for each in given:
        if isinstance(each, (str, Path)):
            name = str(each)
            if name not in loaded:
                loaded[name] = load_agent(each)
            names.append(name)
            agents.append(loaded[name])
        else:
            names.append(each.name)
            agents.append(each)
    return tuple(names), agents
