"""How often a team wins: any agents at any seats, one score a game, with a confidence interval.

A game of several levels, such as an adventure, is won if all of them are; beside the share of games won
stands the mean score, the number of levels won.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.agents import Agent, load_agent
from unspoken.envs import make_game
from unspoken.envs.engine.random import check_seed
from unspoken.envs.engine.threads import choose_threads
from unspoken.train.game_parts import PART_SLOTS, draws, play_part, split_games
from unspoken.train.ray_tasks import add_ray_argument, map_on_ray
from unspoken.train.recording import prepare_folder, replay_name, write_replays
from unspoken.train.text import add_set_argument, parse_options, percent

_TWO_SIDED_95 = 1.959963984540054


class UnrecordedError(OSError):
    """All games have been played, and a replay could not be written.

    Attributes:
        result: what the team did.
    """

    def __init__(self, message: str, result: "Evaluation") -> None:
        super().__init__(message)
        self.result = result


@dataclass(frozen=True)
class Evaluation:
    """What a team did.

    Attributes:
        task: the task's name.
        seats: the agents' names, by seat.
        games: games played; each of them to its end. seed: of the deals (and of agents that draw).
        wins: games won by the team; of a game with several levels, all of them.
        win_rate: wins / games. low, high: its 95% Wilson interval.
        max_score: the score of a game that is won: 1, or the number of levels.
        score: mean score. score_error: half the width of its 95% interval, 1.96 standard errors.
        tries: mean number of tries, of all levels together; 1 where a game has no tries.
        illegal: games that an illegal action ended (lost, and counted as such).
        decisions: mean number of decisions a game.
        seconds: wall-clock time, first compilation included. games_per_second: games / seconds.
        outcomes: ``(games,) bool``, won or not, in the order of the deals, for paired comparisons.
        scores: ``(games,) float32``, the score of each.
    """

    task: str
    seats: tuple[str, ...]
    games: int
    seed: int
    wins: int
    win_rate: float
    low: float
    high: float
    max_score: int
    score: float
    score_error: float
    tries: float
    illegal: int
    decisions: float
    seconds: float
    games_per_second: float
    outcomes: npt.NDArray[np.bool_] = field(repr=False, compare=False)
    scores: npt.NDArray[np.float32] = field(repr=False, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Everything but ``outcomes`` and ``scores``, ready for JSON."""
        values = {name: value for name, value in vars(self).items() if not isinstance(value, np.ndarray)}
        return {**values, "seats": list(self.seats)}


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """The 95% Wilson score interval ``(low, high)`` of a proportion; it holds wins / games, within 0..1."""
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
    ray: str | None = None,
    record: str | Path | None = None,
    record_games: int | None = None,
    **options: Any,
) -> Evaluation:
    """Let a team play ``games`` games and count its wins.

    The deals follow from ``seed`` and ``games`` alone, whoever plays, so two teams meet the same deals. Each
    of them is played to its end and counted once, so short games are not counted more often than long ones.

    The games are played in parts, each at a table of its own, here or as Ray tasks: the result is the same. A
    team with an agent that draws, such as ``random``, plays all its games at one table, and in one task.

    Args:
        task: a task name, or ``"syzygy"`` or ``"syncro"`` with its options.
        seats: one agent for each seat, by name (see ``load_agent``) or as an object; one fills all.
        games: number of games, 1 or more.
        seed: integer from 0 to 2**64 - 1.
        threads: threads of the engine; ``None`` chooses.
        progress: called now and then with the number of games finished.
        ray: ``None`` plays here; an address, or ``"auto"``, plays on a Ray cluster (see
            ``unspoken.train.ray_tasks``).
        record: a folder, new or empty, for a replay of each game (see ``unspoken.train.replay_file``).
        record_games: how many games, the first ones, are recorded; ``None``: all.
        options: fields of the game's configuration that the task's name leaves open.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it and what is allowed.
        ImportError: Ray is asked for and not installed.
        OSError: a worker died again and again. UnrecordedError: a replay cannot be written; it holds the
            result.
    """
    if isinstance(games, bool) or not isinstance(games, (int, np.integer)):
        raise TypeError(f"games={games!r}: must be a positive integer")
    if games < 1:
        raise ValueError(f"games={games!r}: must be 1 or more")
    if seed is None:
        raise TypeError("seed=None: must be an integer from 0 to 2**64 - 1")
    seed = check_seed(seed)
    game = make_game(task, **options)
    choose_threads(threads, PART_SLOTS)
    names, agents = _seated(seats, game.config.n_players)
    recorded = _recorded_games(games, record, record_games)
    started = time.perf_counter()
    parts = split_games(int(games), any(draws(agent, game) for agent in agents))
    play = partial(play_part, game, agents, seed, threads, recorded)
    finished = 0

    def count(more: int) -> None:
        nonlocal finished
        finished += more
        if progress is not None:
            progress(finished)

    if ray is None:
        played = [play(part, count) for part in parts]
    else:
        cores = threads or 1
        played = map_on_ray(play, parts, ray, cpus=cores, finished=lambda part: count(len(part.scores)))
    seconds = time.perf_counter() - started
    scores = np.zeros(games, np.float32)
    for part, each in zip(parts, played, strict=True):
        scores[part.games] = each.scores
    outcomes = scores >= game.max_score
    wins = int(outcomes.sum())
    low, high = wilson_interval(wins, games)
    result = Evaluation(
        task=task,
        seats=names,
        games=int(games),
        seed=seed,
        wins=wins,
        win_rate=wins / games,
        low=low,
        high=high,
        max_score=game.max_score,
        score=float(scores.mean(dtype=np.float64)),
        score_error=_TWO_SIDED_95 * float(scores.std(dtype=np.float64)) / sqrt(games),
        tries=sum(each.tries for each in played) / games,
        illegal=sum(each.illegal for each in played),
        decisions=sum(each.decisions for each in played) / games,
        seconds=seconds,
        games_per_second=games / seconds,
        outcomes=outcomes,
        scores=scores,
    )
    if record is not None:
        recorded_parts = [game for part in played for game in part.recorded]
        try:
            write_replays(Path(record), game, agents, names, seed, recorded_parts)
        except OSError as error:
            raise UnrecordedError(f"a replay could not be written: {error}", result) from error
    return result


def _recorded_games(games: int, record: str | Path | None, record_games: int | None) -> int:
    """How many games are recorded; their folder is made."""
    if record is None:
        if record_games is not None:
            raise ValueError(f"record_games={record_games!r}: needs record, a folder for the replays")
        return 0
    if record_games is not None and (isinstance(record_games, bool) or not 1 <= record_games <= games):
        raise ValueError(f"record_games={record_games!r}: must be from 1 to {games}, the games played")
    prepare_folder(Path(record))
    return games if record_games is None else record_games


def describe_score(result: Evaluation) -> str:
    """The mean score of games of several levels, in words."""
    return f"levels won: {result.score:.2f} ± {result.score_error:.2f} of {result.max_score}"


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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken evaluate``."""
    parser.add_argument("task", metavar="TASK", help="a task (see unspoken tasks)")
    parser.add_argument(
        "--seats", required=True, metavar="A,B,...", help="an agent for each seat, or one for all"
    )
    add_game_arguments(parser)
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="write a replay of each game there")
    parser.add_argument(
        "--record-games", type=int, metavar="N", help="record the first N games only (default: all)"
    )


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that every command that plays games has."""
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games to play (default 1000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the deals (default 0)")
    parser.add_argument("--threads", type=int, metavar="T", help="threads of the engine (default: chosen)")
    add_set_argument(parser)
    add_ray_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def show_progress(total: int, what: str = "games") -> Callable[[int], None] | None:
    """A line on standard error that counts ``what``, where somebody is watching; ``None`` elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(finished: int) -> None:
        end = "\r" if finished < total else "\r\033[K"
        print(f"{finished:,} of {total:,} {what}", end=end, file=sys.stderr, flush=True)

    return show


def run(arguments: argparse.Namespace) -> None:
    """``unspoken evaluate``: print the result of one team."""
    try:
        result = _evaluated(arguments)
    except UnrecordedError as error:
        _show(error.result, arguments.json)
        raise
    _show(result, arguments.json)
    if arguments.record is not None and not arguments.json:
        recorded = result.games if arguments.record_games is None else arguments.record_games
        print(f"recorded {recorded} games: unspoken replay {arguments.record / replay_name(0)}")


def _evaluated(arguments: argparse.Namespace) -> Evaluation:
    return evaluate(
        arguments.task,
        [name.strip() for name in arguments.seats.split(",")],
        arguments.games,
        arguments.seed,
        threads=arguments.threads,
        progress=show_progress(arguments.games),
        ray=arguments.ray,
        record=arguments.record,
        record_games=arguments.record_games,
        **parse_options(arguments.set),
    )


def _show(result: Evaluation, as_json: bool) -> None:
    """Print what a team did."""
    if as_json:
        print(json.dumps(result.as_dict()), flush=True)
        return
    seats = result.seats[0] if len(set(result.seats)) == 1 else ", ".join(result.seats)
    print(f"{result.task}  {seats}")
    print(
        f"won {result.wins} of {result.games} games (seed {result.seed}): {percent(result.win_rate)}, "
        f"95% interval {percent(result.low)} to {percent(result.high)}"
    )
    if result.max_score > 1:
        print(f"{describe_score(result)}, {result.tries:.1f} tries a game")
    print(f"{result.decisions:.1f} decisions a game, {result.games_per_second:,.0f} games/s")
    if result.illegal:
        print(f"{result.illegal} games were lost by an illegal action")
