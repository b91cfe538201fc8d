"""Recording the games of an evaluation: a replay for each of the first ones.

While the games are played only their actions are kept. Everything else of a replay is found by playing the
game once more: seats and result, and what the learned policies thought.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import Agent, Thinker
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import Recorder, Replay, save_replay
from unspoken.train.replay_format import DIGITS

Ints = npt.NDArray[np.int64]


class PlayedGame(NamedTuple):
    """A game as it was played: its number in the evaluation, its deal (see ``OneGame.deal``), its actions."""

    number: int
    slot: int
    episode: int
    actions: Ints


class ActionLog:
    """The actions of games that are played side by side."""

    def __init__(self, n_games: int) -> None:
        """``n_games``: of the games with numbers below this the actions are kept."""
        self._n_games = n_games
        self._games: list[Ints] = []
        self._actions: list[Ints] = []

    def note(self, games: Ints, actions: Ints) -> None:
        """Note the next action, ``(m,)``, of each of the games with these numbers, ``(m,)``."""
        kept = games < self._n_games
        self._games.append(games[kept])
        self._actions.append(actions[kept])

    def by_game(self) -> dict[int, Ints]:
        """The actions of each game, in order, by its number."""
        games = np.concatenate([np.zeros(0, np.int64), *self._games])
        actions = np.concatenate([np.zeros(0, np.int64), *self._actions])
        order = np.argsort(games, kind="stable")
        numbers, starts = np.unique(games[order], return_index=True)
        parts = np.split(actions[order], starts[1:])
        return dict(zip(numbers.tolist(), parts, strict=False))


def prepare_folder(folder: Path) -> None:
    """Make the folder for replays.

    Raises:
        ValueError: there is something in it. OSError: it cannot be made.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"record={str(folder)!r}: holds something else; must be new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"record={str(folder)!r}: cannot be written to")


def write_replays(
    folder: Path,
    game: Game,
    agents: Sequence[Agent],
    names: Sequence[str],
    seed: int,
    played: Iterable[PlayedGame],
) -> None:
    """Write ``game-000017.json`` and so on, one for each game played.

    Args:
        folder: a folder (see ``prepare_folder``).
        game: what was played. agents, names: who played, by seat. seed: of the deals.
        played: the games.
    """
    for each in played:
        replay = record(game, agents, names, seed, each)
        save_replay(folder / replay_name(each.number), replay)


def replay_name(number: int) -> str:
    """The name of a game's file."""
    return f"game-{number:06d}.json"


def record(
    game: Game, agents: Sequence[Agent], names: Sequence[str], seed: int, played: PlayedGame
) -> Replay:
    """The replay of a game, with what the policies among ``agents`` thought at each of their decisions."""
    one = OneGame(game, "compact")
    one.deal(seed, played.slot, played.episode)
    seats, features, masks = [], [], []
    for action in played.actions.tolist():
        seats.append(one.seat)
        features.append(one.observe(one.seat))
        masks.append(one.mask(one.seat))
        one.play(action)
    recorder = Recorder(game, names, seed, played.slot, played.episode)
    thoughts = _thoughts(game, agents, np.array(seats, np.int8), np.array(features), np.array(masks))
    for seat, action, (probabilities, value) in zip(seats, played.actions.tolist(), thoughts, strict=True):
        recorder.append(seat, action, probabilities, value)
    return recorder.replay(one)


def _thoughts(
    game: Game,
    agents: Sequence[Agent],
    seats: npt.NDArray[np.int8],
    features: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int8],
) -> list[tuple[dict[int, float] | None, float | None]]:
    """Probabilities and value of each of a game's decisions, ``None`` where no policy chose."""
    thoughts: list[tuple[dict[int, float] | None, float | None]] = [(None, None)] * len(seats)
    for seat, agent in enumerate(agents):
        if not isinstance(agent, Thinker):
            continue
        rows = np.flatnonzero(seats == seat)
        state = agent.reset(game, 1, 0)
        # Without a memory all decisions are thought about at once, else one after the other.
        for some in [rows] if state is None else np.split(rows, len(rows)):
            if len(some) == 0:
                continue
            probabilities, values, state = agent.think(features[some], masks[some], seats[some], state)
            for row, chances, value in zip(some.tolist(), probabilities, values.tolist(), strict=True):
                thoughts[row] = _rounded(chances), round(value, DIGITS)
    return thoughts


def _rounded(chances: npt.NDArray[np.float32]) -> dict[int, float]:
    """The probabilities that are not 0 when they are rounded, by action."""
    rounded = {action: round(chance, DIGITS) for action, chance in enumerate(chances.tolist())}
    return {action: chance for action, chance in rounded.items() if chance > 0}
