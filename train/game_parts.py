"""The games of an evaluation, split into parts that are played on their own, here or elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unspoken.agents import Agent, Table
from unspoken.envs import BatchEnv
from unspoken.envs.engine.game import Game
from unspoken.train.recording import ActionLog, PlayedGame

GAMES_AT_A_TIME = 4096
"""Slots. Part of what a seed means: game g is episode g // 4096 of slot g % 4096."""

PART_SLOTS = 512
PART_EPISODES = 8
"""Slots and episodes of a part, which is played on its own: fewer slots would cost speed. Learned policies
round differently in batches of other sizes, so the parts must be the same wherever they are played."""


@dataclass(frozen=True)
class Part:
    """The games ``slot + 4096 * episode`` below ``total`` of some slots and episodes."""

    slots: range
    episodes: range
    total: int

    @property
    def quota(self) -> npt.NDArray[np.int64]:
        """``(slots,)``: how many games each slot plays."""
        last = -(-(self.total - np.arange(self.slots.start, self.slots.stop)) // GAMES_AT_A_TIME)
        return np.clip(last - self.episodes.start, 0, len(self.episodes)).astype(np.int64)

    @property
    def games(self) -> npt.NDArray[np.int64]:
        """The numbers of the games, in ascending order."""
        rows = GAMES_AT_A_TIME * np.arange(self.episodes.start, self.episodes.stop)
        numbers = (rows[:, None] + np.arange(self.slots.start, self.slots.stop)).ravel()
        return numbers[numbers < self.total]

    def number(self, rows: npt.NDArray[np.int64], ended: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """``(m,)``: the numbers of the games of slots ``rows`` of this part after ``ended`` games of each."""
        return self.slots.start + rows + GAMES_AT_A_TIME * (self.episodes.start + ended)


@dataclass(frozen=True)
class Played:
    """The scores of a part's games, in ascending order of their numbers, and sums over them.

    ``recorded`` are the games whose actions were kept.
    """

    scores: npt.NDArray[np.float32]
    decisions: int
    tries: int
    illegal: int
    recorded: list[PlayedGame]


def draws(agent: Agent, game: Game) -> bool:
    """Whether what an agent does depends on the seed it is given."""
    one, other = (agent.reset(game, 1, seed) for seed in (0, 1))
    return one is not None and other is not None and not np.array_equal(one, other)


def split_games(games: int, whole: bool) -> list[Part]:
    """The parts of ``games`` games; a single one if the team must stay ``whole``.

    The seeds of agents that draw depend on the order in which all the games of their table end.
    """
    slots = min(games, GAMES_AT_A_TIME)
    episodes = -(-games // GAMES_AT_A_TIME)
    if whole:
        return [Part(range(slots), range(episodes), games)]
    return [
        part
        for first in range(0, episodes, PART_EPISODES)
        for start in range(0, slots, PART_SLOTS)
        if (
            part := Part(
                range(start, min(start + PART_SLOTS, slots)),
                range(first, min(first + PART_EPISODES, episodes)),
                games,
            )
        ).quota.any()
    ]


def play_part(
    game: Game,
    agents: Sequence[Agent],
    seed: int,
    threads: int | None,
    recorded: int,
    part: Part,
    finish: Callable[[int], None] = lambda more: None,
) -> Played:
    """Play a part, and keep the actions of the games with numbers below ``recorded``.

    ``finish`` is called with the number of games that have just ended.
    """
    quota = part.quota
    vec = BatchEnv(game, len(quota), seed, threads)
    vec.states[:] = game.new_states(part.slots.stop, seed)[part.slots.start :]
    vec.states.episode[:] = part.episodes.start
    table = Table(vec, agents, seed)
    vec.reset()
    ended_before = np.zeros(len(quota), np.int64)
    scores = np.zeros((len(part.episodes), len(quota)), np.float32)
    decisions = illegal = tries = 0
    log = ActionLog(recorded)
    while len(rows := np.flatnonzero(ended_before < quota)):
        actions = table.act(rows)
        if recorded:
            log.note(part.number(rows, ended_before[rows]), actions[rows])
        vec.step(actions)
        decisions += len(rows)
        ended = rows[vec.done[rows]]
        if len(ended) == 0:
            continue
        scores[ended_before[ended], ended] = vec.score[ended]
        tries += int(vec.tries[ended].sum())
        illegal += int(vec.illegal[ended].sum())
        ended_before[ended] += 1
        table.begin(ended)
        finish(len(ended))
    vec.close()
    played = np.arange(len(part.episodes))[:, None] < quota
    kept = [
        PlayedGame(number, number % GAMES_AT_A_TIME, number // GAMES_AT_A_TIME, actions)
        for number, actions in log.by_game().items()
    ]
    return Played(scores[played], decisions, tries, illegal, kept)
