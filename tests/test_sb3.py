"""Stable-Baselines3 runs on the batch engine out of the box, with masks."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from unspoken.agents import load_agent
from unspoken.agents.sb3_agent import OneHotExtractor, SB3Agent
from unspoken.envs import make_vec
from unspoken.train.adapters.sb3 import SB3VecEnv, make_sb3
from unspoken.train.evaluate import evaluate
from unspoken.train.sb3_ppo import Settings, main, make_model, train

TASK = "syzygy-base5-3p"
TINY = Settings(timesteps=256, num_envs=16, n_steps=8, batch_size=64, width=16, threads=1, eval_games=20)


def play(env: SB3VecEnv, steps: int) -> list[tuple[Any, ...]]:
    """First allowed actions: (observations, rewards, dones, infos) of each step."""
    return [env.step(np.argmax(env.action_masks(), axis=1)) for _ in range(steps)]


class TestVecEnv:
    @pytest.mark.parametrize("observation", ["onehot", "compact"])
    def test_observations_and_rewards_are_the_batch_s(self, observation: str) -> None:
        env = make_sb3(TASK, 3, seed=4, observation=observation)
        vec = make_vec(TASK, 3, seed=4)
        vec.reset()

        def expected() -> Any:
            return vec.layout.onehot(vec.features) if observation == "onehot" else vec.features

        np.testing.assert_array_equal(env.reset(), expected())
        for _ in range(30):
            actions = np.argmax(vec.mask, axis=1)
            np.testing.assert_array_equal(env.action_masks(), vec.mask)
            vec.step(actions)
            observations, rewards, dones, infos = env.step(actions)
            np.testing.assert_array_equal(observations, expected())
            np.testing.assert_array_equal(rewards, vec.reward)
            np.testing.assert_array_equal(dones, vec.done)
            for game in np.flatnonzero(vec.done):
                last = vec.final_features[game]
                wanted = vec.layout.onehot(last) if observation == "onehot" else last
                np.testing.assert_array_equal(infos[game]["terminal_observation"], wanted)

    @pytest.mark.parametrize("observation", ["onehot", "compact"])
    def test_observations_lie_in_the_space(self, observation: str) -> None:
        env = make_sb3(TASK, 2, seed=0, observation=observation)
        for row in env.reset():
            assert env.observation_space.contains(row)
        for observations, _, _, infos in play(env, 30):
            for row, info in zip(observations, infos, strict=True):
                assert env.observation_space.contains(row)
                if info:
                    assert env.observation_space.contains(info["terminal_observation"])

    def test_what_a_step_returns_is_not_overwritten_by_the_next(self) -> None:
        env = make_sb3(TASK, 2, seed=0, observation="compact")
        env.reset()
        ((first, rewards, dones, _),) = play(env, 1)
        masks = env.action_masks()
        kept = [array.copy() for array in (first, rewards, dones, masks)]
        play(env, 25)
        for array, copy in zip((first, rewards, dones, masks), kept, strict=True):
            np.testing.assert_array_equal(array, copy)

    @pytest.mark.parametrize("reward", ["sparse", "shaped"])
    def test_infos_of_finished_games_are_those_of_a_monitor(self, reward: str) -> None:
        env = make_sb3("syzygy-base4-3p", 50, seed=1, reward=reward)
        env.reset()
        returns = np.zeros(50)
        for step, (_, rewards, dones, infos) in enumerate(play(env, 24), start=1):
            returns += rewards
            for game in range(50):
                if not dones[game]:
                    assert infos[game] == {}
                    continue
                info = infos[game]
                assert info["episode"]["r"] == pytest.approx(returns[game])
                assert info["episode"]["l"] == step == 24
                if reward == "sparse":
                    assert info["is_success"] is bool(rewards[game] == 1)
                assert info["illegal"] is False
                assert info["TimeLimit.truncated"] is False
        assert dones.all()
        assert len({info["is_success"] for info in infos}) == 2

    def test_an_illegal_action_loses_that_game(self) -> None:
        env = make_sb3(TASK, 2, seed=1)
        env.reset()
        masks = env.action_masks()
        _, rewards, dones, infos = env.step(np.array([masks[0].argmin(), masks[1].argmax()]))
        assert rewards.tolist() == [-1, 0]
        assert dones.tolist() == [True, False]
        assert infos[0]["illegal"] is True
        assert infos[0]["is_success"] is False

    def test_masks_are_found_the_way_contrib_looks_for_them(self) -> None:
        env = make_sb3(TASK, 4, seed=0)
        env.reset()
        assert is_masking_supported(env)
        masks = get_action_masks(env)
        assert masks.shape == (4, env.vec.n_actions)
        np.testing.assert_array_equal(masks, env.vec.mask)
        np.testing.assert_array_equal(env.env_method("action_masks", indices=2), masks[[2]])
        assert masks.any(axis=1).all()

    def test_attributes(self) -> None:
        env = make_sb3(TASK, 3, seed=0)
        assert env.get_attr("render_mode") == [None] * 3
        assert env.has_attr("vec")
        assert not env.has_attr("nonsense")
        with pytest.raises(AttributeError, match="nonsense"):
            env.get_attr("nonsense")
        with pytest.raises(AttributeError, match="have only 'action_masks'"):
            env.env_method("nonsense")
        with pytest.raises(AttributeError, match="cannot be set"):
            env.set_attr("reward", 1)
        assert env.env_is_wrapped(Monitor) == [True] * 3

    def test_a_seed_fixes_the_next_deals(self) -> None:
        env = make_sb3(TASK, 3, seed=0)
        env.seed(11)
        first = env.reset()
        second = env.reset()
        np.testing.assert_array_equal(first, make_sb3(TASK, 3, seed=11).reset())
        env.seed(11)
        np.testing.assert_array_equal(env.reset(), first)
        np.testing.assert_array_equal(env.reset(), second)

    def test_a_wrong_request_is_refused(self) -> None:
        with pytest.raises(ValueError, match="observation='pixels': must be one of 'onehot', 'compact'"):
            make_sb3(TASK, 2, observation="pixels")
        with pytest.raises(RuntimeError, match=r"call step_async\(\) first"):
            make_sb3(TASK, 2).step_wait()


class TestMaskablePPO:
    def test_it_runs_as_in_the_readme(self) -> None:
        env = make_sb3(TASK, num_envs=8, seed=0)
        model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, n_epochs=1, gamma=1.0, device="cpu")
        model.learn(256)
        assert model.ep_info_buffer
        assert {info["l"] for info in model.ep_info_buffer} <= set(range(12, 25))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            mean, _ = evaluate_policy(model, make_sb3(TASK, num_envs=4, seed=1), n_eval_episodes=8)
        assert 0 <= mean <= 1

    def test_it_never_plays_an_illegal_action(self) -> None:
        model = make_model(TASK, TINY)
        assert evaluate(TASK, SB3Agent(model), 200).illegal == 0
        env = model.get_env()
        assert env is not None
        observations = env.reset()
        for _ in range(60):
            masks = get_action_masks(env)
            actions, _ = model.predict(observations, action_masks=masks)  # type: ignore[arg-type]
            assert masks[np.arange(len(masks)), actions].all()
            observations, _, _, _ = env.step(actions)

    def test_compact_and_one_hot_observations_are_the_same_to_the_network(self) -> None:
        compact = make_sb3(TASK, 4, seed=0, observation="compact")
        extractor = OneHotExtractor(compact.observation_space, features_dim=8)  # type: ignore[arg-type]
        import torch

        onehot = torch.from_numpy(np.asarray(make_sb3(TASK, 4, seed=0).reset()))
        features = torch.from_numpy(np.asarray(compact.reset())).float()
        torch.testing.assert_close(extractor(features), torch.relu(extractor.layer(onehot)))


class TestScript:
    def test_a_run_trains_saves_and_evaluates(self, tmp_path: Path) -> None:
        settings = Settings(**{**vars(TINY), "folder": str(tmp_path / "run")})
        result = train(TASK, settings)
        assert {path.name for path in (tmp_path / "run").iterdir()} >= {
            "settings.json",
            "progress.csv",
            "model.zip",
            "evaluation.json",
        }
        report = json.loads((tmp_path / "run" / "evaluation.json").read_text())
        assert report["wins"] == result.wins
        agent = load_agent(tmp_path / "run" / "model.zip")
        again = evaluate(TASK, agent, 10_000, seed=2)
        assert again.wins == result.wins
        mixed = evaluate(TASK, [agent, "random", "syzygy/oracle"], 50)
        assert mixed.illegal == 0
        with pytest.raises(ValueError, match="task 'syzygy-base5-3p' and cannot play task 'syzygy-base-4p'"):
            evaluate("syzygy-base-4p", agent, 5)

    def test_a_model_that_says_nothing_of_its_game_is_checked_by_its_spaces(self) -> None:
        model = MaskablePPO("MlpPolicy", make_sb3("syzygy-base4-2p", 2, seed=0), device="cpu")
        assert evaluate("syzygy-base4-2p", SB3Agent(model), 2).illegal == 0
        with pytest.raises(ValueError, match="agent 'sb3': learned on observations"):
            evaluate(TASK, SB3Agent(model), 2)

    @pytest.mark.parametrize("observation", ["compact", "onehot"])
    def test_it_says_what_it_thinks(self, observation: str) -> None:
        env = make_sb3(TASK, 20, seed=0, observation=observation)
        agent = SB3Agent(MaskablePPO("MlpPolicy", env, device="cpu"))
        vec = make_vec(TASK, 20, seed=0)
        vec.reset()
        agent.reset(vec.game, 20, 0)
        thought = agent.think(vec.features, vec.mask, vec.player, None)
        actions, _ = agent.act(vec.features, vec.mask, vec.player, None)
        np.testing.assert_array_equal(thought.probabilities.argmax(1), actions)
        np.testing.assert_array_equal(thought.probabilities > 0, vec.mask == 1)
        np.testing.assert_allclose(thought.probabilities.sum(1), 1, rtol=1e-5)
        assert thought.values.shape == (20,)

    def test_a_file_that_is_no_model_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "model.zip"
        path.write_text("nothing")
        with pytest.raises(ValueError, match="not a MaskablePPO model"):
            load_agent(path)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["syzygy-base-9p"], "task='syzygy-base-9p': unknown"),
            ([TASK, "lr=1"], "lr=1: unknown setting; there are timesteps"),
            ([TASK, "num_envs=many"], "num_envs='many': must be of type int"),
            ([TASK, "num_envs=0"], "num_envs=0: must be positive"),
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

    def test_numbers_are_read_as_the_setting_wants_them(self) -> None:
        settings = Settings.parse(["ent_coef=0", "timesteps=2_000", "folder=runs/x"])
        assert (settings.ent_coef, settings.timesteps, settings.folder) == (0.0, 2000, "runs/x")


def test_single_games_in_a_vec_env_of_theirs_work_too() -> None:
    """The slow way, one environment object a game, as people know it from Gymnasium."""
    envs = pytest.importorskip("unspoken.envs")
    if not hasattr(envs, "make_single"):
        pytest.skip("no single-agent face")
    env = DummyVecEnv([lambda: envs.make_single(TASK, partners=[load_agent("random")] * 2)])
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=16, n_epochs=1, device="cpu")
    model.learn(16)
