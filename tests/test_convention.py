"""The convention bot: legal, deterministic, the same in every seat, and better than no convention at all."""

from typing import Any

import numpy as np
import pytest

from unspoken.agents.base import Agent
from unspoken.agents.syzygy.convention import ConventionAgent
from unspoken.envs import make_game, make_vec


def play(task: str, games: int, seed: int = 0, **options: Any) -> float:
    """Share of games won by a team of one bot; every action must be legal."""
    vec = make_vec(task, num_envs=games, seed=seed, threads=1, **options)
    vec.reset()
    agent = ConventionAgent()
    agent.reset(vec.game, games, 0)
    finished = np.zeros(games, bool)
    won = np.zeros(games, bool)
    for _ in range(vec.config.max_decisions):
        actions, state = agent.act(vec.features, vec.mask, vec.player, None)
        assert state is None
        assert vec.mask[np.arange(games), actions].all()
        vec.step(actions)
        won |= vec.done & ~finished & (vec.score > 0)
        finished |= vec.done
    assert finished.all()
    return float(won.mean())


@pytest.mark.parametrize(
    ("task", "least"),
    [
        ("syzygy-base-2p", 0.2),
        ("syzygy-base-3p", 0.93),
        ("syzygy-base-4p", 0.985),
        ("syzygy-base-6p", 0.99),
        ("syzygy-trial-3p", 0.9),
        ("syzygy-divine-3p", 0.7),
        ("syzygy-divine-4p", 0.97),
    ],
)
def test_win_rate(task: str, least: float) -> None:
    assert play(task, 1000) > least


def test_is_an_agent() -> None:
    assert isinstance(ConventionAgent(), Agent)


def test_other_games_are_refused() -> None:
    class Other:
        class config:  # noqa: N801
            game = "syncro"

    with pytest.raises(ValueError, match="only Syzygy"):
        ConventionAgent().reset(Other(), 1, 0)  # type: ignore[arg-type]


def test_game_is_bound() -> None:
    assert ConventionAgent().reset(make_game("syzygy-base-4p"), 1, 0) is None
