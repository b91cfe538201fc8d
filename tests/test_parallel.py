"""The parallel face: PettingZoo's own tests, and what it promises beyond them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from tests.face_games import CONFIGURATIONS, assert_same, configuration_name, draw_legal
from unspoken.envs import syzygy_v0
from unspoken.envs.faces.parallel import GameParallelEnv

all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


def draw_actions(random: np.random.Generator, observations: dict[str, dict[str, Any]]) -> dict[str, int]:
    return {agent: draw_legal(random, seen["action_mask"]) for agent, seen in observations.items()}


def play(
    env: GameParallelEnv, observations: dict[str, Any], random: np.random.Generator, steps: int = 1000
) -> list[Any]:
    seen = []
    while env.agents and len(seen) < steps:
        result = env.step(draw_actions(random, observations))
        observations = result[0]
        seen.append(result)
    return seen


@all_configurations
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_pettingzoo_accepts_it(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(syzygy_v0.parallel_env(**options), num_cycles=60)
    parallel_seed_test(lambda: syzygy_v0.parallel_env(**options), num_cycles=60)


@all_configurations
def test_it_plays_the_same_games_as_the_aec_face(options: dict[str, Any]) -> None:
    parallel, aec = syzygy_v0.parallel_env(**options), syzygy_v0.env(**options)
    noop = parallel.noop
    random = np.random.default_rng(0)
    for seed in (8, None):
        observations, infos = parallel.reset(seed=seed)
        aec.reset(seed=seed)
        while True:
            actor = aec.agent_selection
            for agent in parallel.possible_agents:
                expected = aec.observe(agent)
                mask = observations[agent]["action_mask"]
                np.testing.assert_array_equal(observations[agent]["observation"], expected["observation"])
                np.testing.assert_array_equal(mask[:noop], expected["action_mask"])
                assert mask[noop] == (agent != actor or not parallel.agents)
                assert {**infos[agent], "action_mask": None} == {**aec.infos[agent], "action_mask": None}
                assert list(infos[agent]) == ["score", "illegal"]
                assert parallel.observation_space(agent).contains(observations[agent])
            np.testing.assert_array_equal(parallel.state(), aec.state())
            if not parallel.agents:
                break
            actions = draw_actions(random, observations)
            observations, rewards, terminations, truncations, infos = parallel.step(actions)
            aec.step(actions[actor])
            assert rewards == aec.rewards
            assert terminations == aec.terminations
            assert truncations == aec.truncations


def test_noop_is_the_last_action_and_only_the_parallel_face_has_it() -> None:
    env = syzygy_v0.parallel_env()
    assert env.noop == env.config.n_actions
    assert env.action_space("player_0").n == syzygy_v0.env().action_space("player_0").n + 1
    assert env.action_name(env.noop) == "NOOP"
    assert env.metadata["name"] == "syzygy_v0"


def play_first(env: GameParallelEnv, **changed: int) -> tuple[Any, ...]:
    env.reset(seed=0)
    actions = {"player_0": 0, **dict.fromkeys(env.possible_agents[1:], env.noop), **changed}
    return env.step(actions)


@pytest.mark.parametrize("changed", [{"player_0": 10}, {"player_0": 19}, {"player_2": 0}, {"player_3": 18}])
def test_what_a_mask_forbids_loses_the_game_at_once_whichever_seat_plays_it(changed: dict[str, int]) -> None:
    env = syzygy_v0.parallel_env()
    _, rewards, terminations, truncations, infos = play_first(env, **changed)
    assert rewards == dict.fromkeys(env.possible_agents, -1.0)
    assert terminations == dict.fromkeys(env.possible_agents, True)
    assert truncations == dict.fromkeys(env.possible_agents, False)
    assert all(info["illegal"] == 1 and info["score"] == 0.0 for info in infos.values())
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})
    _, infos = env.reset()
    assert all(info["illegal"] == 0 for info in infos.values())


def test_bad_input_is_refused() -> None:
    env = syzygy_v0.parallel_env()
    with pytest.raises(AssertionError, match="reset"):
        env.step({})
    env.reset(seed=0, options={"anything": 1})
    with pytest.raises(ValueError, match="actions for player_0: must be for each of player_0, player_1"):
        env.step({"player_0": 0})
    with pytest.raises(ValueError, match="not in the action space, must be from 0 to 19"):
        play_first(env, player_1=20)
    with pytest.raises(TypeError, match=r"action=1\.0: must be an integer from 0 to 19"):
        play_first(env, player_1=1.0)  # type: ignore[arg-type]
    assert play_first(env)[3] == dict.fromkeys(env.possible_agents, False)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@all_configurations
def test_a_copy_in_the_middle_of_a_game_goes_on_exactly_like_it(options: dict[str, Any], copied: Any) -> None:
    env = syzygy_v0.parallel_env(**options)
    observations, _ = env.reset(seed=4)
    observations = play(env, observations, np.random.default_rng(4), 9)[-1][0]
    twin = copied(env)
    saved = syzygy_v0.parallel_env(**options)
    saved.set_state(env.get_state())
    expected = [play(env, observations, np.random.default_rng(5)), env.reset()]
    assert_same([play(twin, observations, np.random.default_rng(5)), twin.reset()], expected)
    assert_same([play(saved, observations, np.random.default_rng(5)), saved.reset()], expected)


def test_masks_are_in_infos_only_if_asked_for() -> None:
    env = syzygy_v0.parallel_env(info_mask=True)
    observations, infos = env.reset(seed=0)
    for _ in range(3):
        for agent in env.agents:
            np.testing.assert_array_equal(infos[agent]["action_mask"], observations[agent]["action_mask"])
        observations, _, _, _, infos = env.step(draw_actions(np.random.default_rng(0), observations))
    without = syzygy_v0.env(info_mask=False)
    without.reset(seed=0)
    assert list(without.infos["player_0"]) == ["score", "illegal"]
