"""A copy of a game of Syncro goes on exactly like the original, whatever is being decided when it is made."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.face_games import assert_same, draw_legal
from tests.syncro_files import easy_cards, renamed_cards
from unspoken.envs import make_gym_vec, make_single, make_vec, syncro_v0
from unspoken.envs.syncro.state import DECIDE_KEEP, DECIDE_NOTHING

TASK: dict[str, Any] = {"scenario": "chapter-2", "n_players": 3, "reward": "shaped"}
STEPS = 40
"""How long a copy is compared with the original."""
COPIES = 3
"""Copies made in each phase."""


def draws(masks: Any, step: int) -> Any:
    """The same legal actions for the same masks in the same step."""
    random = np.random.default_rng(step)
    return np.array([draw_legal(random, mask) for mask in masks])


class AEC:
    last_phase = DECIDE_NOTHING
    saves_states = True

    def make(self, cards: str) -> Any:
        env = syncro_v0.env(cards=cards, observation="compact", **TASK)
        env.reset(seed=3)
        return env

    def phase(self, env: Any) -> int:
        return int(env.state()[0])

    def step(self, env: Any, step: int) -> Any:
        agent = env.agent_selection
        if env.terminations[agent]:
            env.reset()
        else:
            env.step(int(draws([env.infos[agent]["action_mask"]], step)[0]))
        views = {name: env.observe(name) for name in env.possible_agents}
        return env.agent_selection, views, env.rewards, env.terminations, env.infos, env.state()


class Parallel(AEC):
    def make(self, cards: str) -> Any:
        env = syncro_v0.parallel_env(cards=cards, observation="compact", **TASK)
        env.reset(seed=3)
        return env

    def step(self, env: Any, step: int) -> Any:
        if not env.agents:
            return env.reset()
        noop = env.noop
        actor = env.possible_agents[int(env.state()[1])]  # seat 0 sees the seats as they are
        mask = env._observations()[actor]["action_mask"]
        chosen = int(draws([mask], step)[0])
        return env.step({agent: chosen if agent == actor else noop for agent in env.agents}), env.state()


class Single(AEC):
    saves_states = False

    def make(self, cards: str) -> Any:
        env = make_single("syncro", seat="random", cards=cards, observation="compact", **TASK)
        env.reset(seed=3)
        return env

    def phase(self, env: Any) -> int:
        return int(env._one.features(env.seat)[0])

    def step(self, env: Any, step: int) -> Any:
        mask = env.action_masks()
        return env.step(int(draws([mask], step)[0])) if mask.any() else env.reset()


class Batch:
    last_phase = DECIDE_KEEP  # the next game is dealt in the same step
    saves_states = True

    def make(self, cards: str) -> Any:
        vec = make_vec("syncro", 3, seed=3, cards=cards, threads=2, **TASK)
        vec.reset()
        return vec

    def phase(self, vec: Any) -> int:
        return int(vec.features[0, 0])

    def step(self, vec: Any, step: int) -> Any:
        vec.step(draws(vec.mask, step))
        names = ("features", "mask", "player", "reward", "done", "truncated", "illegal", "score", "tries")
        seen = [getattr(vec, name).copy() for name in (*names, "progress")]
        return (
            seen,
            vec.final_features[vec.done],
            vec.observe(0, everything=True),
            vec.sample_actions().copy(),
        )


class Vector(Batch):
    saves_states = False

    def make(self, cards: str) -> Any:
        env = make_gym_vec("syncro", 3, None, "random", cards=cards, observation="compact", **TASK)
        env.reset(seed=3)
        return env

    def phase(self, env: Any) -> int:
        return int(env._batch.features[0, 0])

    def step(self, env: Any, step: int) -> Any:
        return env.step(draws(env.action_masks(), step))


FACES = [AEC(), Parallel(), Single(), Batch(), Vector()]


def by_pickle(face: Any, env: Any, cards: str) -> Any:
    return pickle.loads(pickle.dumps(env))


def by_deepcopy(face: Any, env: Any, cards: str) -> Any:
    return copy.deepcopy(env)


def by_saved_state(face: Any, env: Any, cards: str) -> Any:
    other = face.make(cards)
    other.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return other


WAYS = [
    pytest.param(face, duplicate, id=f"{type(face).__name__.lower()}-{duplicate.__name__}")
    for face in FACES
    for duplicate in (by_deepcopy, by_pickle, by_saved_state)
    if face.saves_states or duplicate is not by_saved_state
]


@pytest.mark.parametrize(("face", "duplicate"), WAYS)
def test_a_copy_made_in_any_phase_goes_on_exactly_like_the_original(
    face: Any, duplicate: Callable[[Any, Any, str], Any], tmp_path: Path
) -> None:
    cards = easy_cards(tmp_path / "cards")
    env = face.make(cards)
    copied = [0] * (face.last_phase + 1)
    twins: list[tuple[Any, int]] = []
    step = 0
    while min(copied) < COPIES or twins:
        assert step < 5000, f"the phases were reached {copied} times"
        phase = face.phase(env)
        if copied[phase] < COPIES:
            copied[phase] += 1
            twin = duplicate(face, env, cards)
            assert face.phase(twin) == phase
            twins.append((twin, step + STEPS))
        seen = face.step(env, step)
        for twin, _ in twins:
            assert_same(face.step(twin, step), seen)
        step += 1
        twins = [(twin, until) for twin, until in twins if step < until]


@pytest.mark.parametrize("make", [syncro_v0.env, syncro_v0.parallel_env])
def test_a_state_of_other_cards_or_another_scenario_is_refused(make: Any, tmp_path: Path) -> None:
    env = make("I-a", 3)
    env.reset(seed=0)
    state = env.get_state()
    for other in (make("I-b", 3), make("I-a", 3, cards=renamed_cards(tmp_path / "cards"))):
        with pytest.raises(ValueError, match=r"state of SyncroConfig.*: must be of SyncroConfig"):
            other.set_state(state)
