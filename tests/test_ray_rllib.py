"""RLlib trains on the games, and what it learned sits at any table."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray", reason="Ray is not installed; it has its own environment: make test-ray")
pytest.importorskip("ray.rllib", reason="RLlib is not installed; it has its own environment: make test-ray")

import ray

from tests.docs_blocks import DOCS, read_blocks
from unspoken.agents import load_agent
from unspoken.envs import make_vec
from unspoken.train.adapters.rllib import RLlibEnv
from unspoken.train.evaluate import evaluate
from unspoken.train.rllib_ppo import Settings, main, make_agent, make_algorithm, train

PAGE = DOCS / "scaling.md"
TASK = "syzygy-base4-3p"
SMALL = {"num_envs": 4, "batch_size": 256, "minibatch_size": 64, "n_epochs": 1, "width": 16, "threads": 1}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def first_allowed(observations: dict[str, Any]) -> dict[str, int]:
    return {agent: int(np.argmax(each["action_mask"])) for agent, each in observations.items()}


class TestEnv:
    @pytest.mark.parametrize("observation", ["onehot", "compact"])
    def test_it_is_slot_0_of_a_batch_shown_to_the_seat_to_act(self, observation: str) -> None:
        env = RLlibEnv({"task": TASK, "observation": observation})
        vec = make_vec(TASK, 1, seed=4)
        vec.reset()
        observations, _ = env.reset(seed=4)
        finished = False
        while not finished:
            (agent,) = observations
            assert agent == f"player_{vec.player[0]}"
            assert env.observation_spaces[agent].contains(observations[agent])
            shown = vec.layout.onehot(vec.features) if observation == "onehot" else vec.features
            np.testing.assert_array_equal(observations[agent]["observations"], shown[0])
            np.testing.assert_array_equal(observations[agent]["action_mask"], vec.mask[0])
            actions = first_allowed(observations)
            vec.step([actions[agent]])
            observations, rewards, terminated, truncated, infos = env.step(actions)
            finished = bool(vec.done[0])
            assert rewards == dict.fromkeys(env.possible_agents, vec.reward[0])
            assert terminated == dict.fromkeys([*env.possible_agents, "__all__"], finished)
            assert truncated == dict.fromkeys([*env.possible_agents, "__all__"], False)
        assert set(observations) == set(env.possible_agents)
        for each in observations.values():
            assert each["action_mask"].all()
        expected = {"score": vec.score[0], "illegal": 0, "won": vec.score[0] == 1}
        assert infos == dict.fromkeys(env.possible_agents, expected)

    def test_a_game_that_is_cut_off_is_truncated_for_all(self) -> None:
        env = RLlibEnv({"task": "syncro-adventure-2p"})
        env._one.config.params.max_decisions = 5
        observations, _ = env.reset(seed=0)
        for _ in range(5):
            observations, _, terminated, truncated, infos = env.step(first_allowed(observations))
        assert set(truncated.values()) == {True}
        assert set(terminated.values()) == {False}
        assert infos["player_0"]["tries"] == 1

    def test_an_illegal_action_loses_the_game_for_all(self) -> None:
        env = RLlibEnv({"task": TASK})
        observations, _ = env.reset(seed=0)
        illegal = int(np.argmin(observations["player_0"]["action_mask"]))
        _, rewards, terminated, _, infos = env.step({"player_0": illegal})
        assert set(rewards.values()) == {-1.0}
        assert set(terminated.values()) == {True}
        assert {info["illegal"] for info in infos.values()} == {1}

    @pytest.mark.parametrize(
        ("config", "message"),
        [
            ({}, "env_config without 'task': must name a task"),
            ({"task": "syzygy-base-9p"}, "task='syzygy-base-9p': unknown"),
            ({"task": TASK, "observation": "pixels"}, "observation='pixels': must be one of"),
        ],
    )
    def test_a_wrong_request_is_refused(self, config: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            RLlibEnv(config)


def test_the_example_with_rllib_s_own_module_runs_and_the_return_is_the_sum_over_the_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (example,) = [block.text for block in read_blocks(PAGE) if block.needs == "ray"]
    for _ in range(4):
        exec(compile(example, "example", "exec"), {"__name__": "example"})
        score, episode_return = map(float, capsys.readouterr().out.split())
        # A team that plays at random may lose its few dozen games, and RLlib draws others every time.
        if score > 0:
            break
    assert 0 < score < 1
    assert episode_return == pytest.approx(3 * score)


class TestScript:
    def test_a_run_trains_saves_and_evaluates(self, tmp_path: Path) -> None:
        folder = tmp_path / "run"
        result = train(
            TASK, Settings(timesteps=500, eval_every=1, eval_games=50, folder=str(folder), **SMALL)
        )
        assert {path.name for path in folder.iterdir()} == {
            "settings.json",
            "progress.csv",
            "policy.safetensors",
            "policy.json",
            "evaluation.json",
        }
        assert json.loads((folder / "evaluation.json").read_text())["wins"] == result.wins
        with (folder / "progress.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 2
        assert 0 <= float(rows[-1]["eval_win_rate"]) <= 1
        agent = load_agent(folder)
        again = evaluate(TASK, agent, 10_000, seed=2)
        assert (again.wins, again.illegal) == (result.wins, 0)
        assert evaluate(TASK, [agent, "random", "syzygy/oracle"], 50).illegal == 0
        with pytest.raises(ValueError, match=f"task '{TASK}' and cannot play task 'syzygy-base-4p'"):
            evaluate("syzygy-base-4p", agent, 5)

    def test_games_are_played_by_other_processes_too_and_of_the_other_game(self) -> None:
        task = "syncro-Ia-3p"
        algorithm = make_algorithm(task, Settings(env_runners=1, **SMALL))
        before = make_agent(algorithm, task, "before").policy.head.weight.clone()
        algorithm.train()
        agent = make_agent(algorithm, task, "after")
        learned = algorithm.learner_group.get_weights()["team"]["network.head.weight"]
        np.testing.assert_array_equal(agent.policy.head.weight.detach().numpy(), learned)
        assert not (agent.policy.head.weight == before).all()
        assert evaluate(task, agent, 20).illegal == 0
        algorithm.stop()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["syzygy-base-9p"], "task='syzygy-base-9p': unknown"),
            ([TASK, "lr=1"], "lr=1: unknown setting; there are timesteps"),
            ([TASK, "num_envs=many"], "num_envs='many': must be of type int"),
            ([TASK, "num_envs=0"], "num_envs=0: must be positive"),
            ([TASK, "reward=huge"], "reward='huge': must be one of"),
            ([TASK, "num_envs"], "option 'num_envs': must be of the form key=value"),
        ],
    )
    def test_a_wrong_request_gets_one_line(
        self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
