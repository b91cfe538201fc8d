"""Runs and policies on disk: whole, plain, resumable, and refused where they do not fit."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.test_ppo import SMALL
from unspoken.agents import load_agent
from unspoken.agents.checkpoint import CheckpointError, load_policy, save_policy
from unspoken.agents.learned import LearnedAgent
from unspoken.envs import make_game, make_vec
from unspoken.train import run as run_command
from unspoken.train.cli import main
from unspoken.train.config import TrainConfig
from unspoken.train.loop import train
from unspoken.train.ppo import PPO
from unspoken.train.run_folder import RunFolder, read_metrics

CONFIG = TrainConfig(**SMALL | {"checkpoint_every": 1024})


def weights(path: Path) -> torch.Tensor:
    policy, _ = load_policy(path)
    return torch.cat([each.flatten() for each in policy.parameters()])


def run_until(folder: Path, steps: int, config: TrainConfig = CONFIG) -> PPO:
    ppo = PPO(config)
    with RunFolder(folder, ppo, "test") as run:
        train(ppo, run, stop=lambda: ppo.steps >= steps)
    return ppo


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_that_was_stopped_ends_with_the_same_weights_and_measurements(
    tmp_path: Path, threads: int
) -> None:
    config = CONFIG.model_copy(update={"threads": threads})
    run_until(tmp_path / "whole", 4096, config)
    run_until(tmp_path / "stopped", 2048, config)
    run_until(tmp_path / "stopped", 4096, config)
    last = "checkpoints/step-000000004096"
    assert torch.equal(weights(tmp_path / "whole" / last), weights(tmp_path / "stopped" / last))
    whole, stopped = read_metrics(tmp_path / "whole"), read_metrics(tmp_path / "stopped")
    timed = {"seconds", "steps_per_second"}
    assert [{key: row[key] for key in row.keys() - timed} for row in whole] == [
        {key: row[key] for key in row.keys() - timed} for row in stopped
    ]


def test_measurements_after_the_checkpoint_are_dropped_when_the_run_goes_on(tmp_path: Path) -> None:
    run_until(tmp_path / "run", 1024)
    with (tmp_path / "run" / "metrics.csv").open("a") as file:
        file.write("2048" + "," * 14 + "\n")
    ppo = PPO(CONFIG)
    RunFolder(tmp_path / "run", ppo, "test").close()
    assert ppo.steps == 1024
    assert [row["steps"] for row in read_metrics(tmp_path / "run")] == [1024]


def test_a_run_says_where_it_comes_from(tmp_path: Path) -> None:
    run_until(tmp_path / "run", 1024)
    starts = json.loads((tmp_path / "run" / "run.json").read_text())["starts"]
    assert starts[0]["command"] == "test"
    assert starts[0]["seed"] == 0
    assert {"unspoken", "python", "numpy", "numba", "torch"} == starts[0]["versions"].keys()
    _, description = load_policy(tmp_path / "run")
    assert description.task == "syzygy-base4-2p"
    assert description.training["steps"] == 1024
    assert description.training["config"]["num_envs"] == 64


def test_only_the_latest_checkpoints_are_kept(tmp_path: Path) -> None:
    run_until(tmp_path / "run", 4096)
    kept = sorted(folder.name for folder in (tmp_path / "run" / "checkpoints").iterdir())
    assert kept == ["best", "step-000000003072", "step-000000004096"]


def test_an_unfinished_checkpoint_does_not_count(tmp_path: Path) -> None:
    run_until(tmp_path / "run", 1024)
    (tmp_path / "run" / "checkpoints" / "step-000000009999.tmp").mkdir()
    ppo = PPO(CONFIG)
    RunFolder(tmp_path / "run", ppo, "test").close()
    assert ppo.steps == 1024


def test_a_folder_with_another_run_or_something_else_is_refused(tmp_path: Path) -> None:
    run_until(tmp_path / "run", 1024)
    with pytest.raises(ValueError, match="holds a run with seed=0, not 1"):
        run_until(tmp_path / "run", 1024, CONFIG.model_copy(update={"seed": 1}))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear reader")
    with pytest.raises(ValueError, match="holds something else; must be new, empty or a run"):
        run_until(tmp_path / "other", 1024)


@pytest.mark.parametrize("name", ["policy.safetensors", "training.safetensors"])
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    run_until(tmp_path / "run", 1024)
    file = tmp_path / "run" / "checkpoints" / "step-000000001024" / name
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(CheckpointError, match=f"{name}: damaged: its checksum is not the one in"):
        RunFolder(tmp_path / "run", PPO(CONFIG), "test")
    file.write_bytes(data[:100])
    with pytest.raises(CheckpointError, match=f"{name}: damaged"):
        RunFolder(tmp_path / "run", PPO(CONFIG), "test")
    file.unlink()
    with pytest.raises(CheckpointError, match=f"{name}: cannot be read: No such file"):
        RunFolder(tmp_path / "run", PPO(CONFIG), "test")


def saved_policy(folder: Path, **changes: Any) -> Path:
    ppo = PPO(CONFIG)
    path = folder / "mine.safetensors"
    save_policy(path, ppo.policy, ppo.describe())
    description = path.with_suffix(".json")
    description.write_text(json.dumps(json.loads(description.read_text()) | changes))
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"environment": "syzygy_v9"},
            "trained for environment 'syzygy_v9' and cannot play environment 'syzygy_v0'",
        ),
        ({"features": ["phase 1 2"]}, "trained for feature layout"),
        ({"n_actions": 3}, "trained for number of actions 3 and cannot play number of actions 9"),
        ({"hidden": [8]}, "weights do not fit its description"),
        ({"format": 99}, "not a checkpoint of format 1"),
        ({"task": 1, "game": {"n_players": 9}}, "not the description of a policy: n_players=9"),
        ({"colour": "red"}, "not the description of a policy: .*colour"),
    ],
)
def test_a_policy_of_another_version_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(CheckpointError, match=message):
        load_policy(saved_policy(tmp_path, **changes))


def test_a_description_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = saved_policy(tmp_path)
    path.with_suffix(".json").write_text("{")
    with pytest.raises(CheckpointError, match=r"mine\.json: damaged"):
        load_policy(path)


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        (
            "syzygy-base4-3p",
            {},
            "agent 'mine'.*for task 'syzygy-base4-2p' and cannot play task 'syzygy-base4-3p'",
        ),
        (
            "syzygy-base4-2p",
            {"memory": "none"},
            "setting memory 'perfect' and cannot play setting memory 'none'",
        ),
        ("syzygy-base4-2p", {"emotions": 2}, "setting emotions 1 and cannot play setting emotions 2"),
    ],
)
def test_a_policy_is_refused_by_another_game(
    tmp_path: Path, task: str, options: dict[str, Any], message: str
) -> None:
    agent = load_agent(saved_policy(tmp_path))
    with pytest.raises(ValueError, match=message):
        agent.reset(make_game(task, **options), 1, 0)


def test_a_policy_that_was_trained_plays_a_game_with_shaped_rewards(tmp_path: Path) -> None:
    load_agent(saved_policy(tmp_path)).reset(make_game("syzygy-base4-2p", reward="shaped"), 1, 0)


def test_a_loaded_agent_plays_what_its_network_finds_best(tmp_path: Path) -> None:
    ppo = PPO(CONFIG.model_copy(update={"precision": "float32"}))
    path = tmp_path / "mine.safetensors"
    save_policy(path, ppo.policy, ppo.describe())
    agent = load_agent(path)
    assert isinstance(agent, LearnedAgent)
    assert agent.name == "mine"
    vec = make_vec("syzygy-base4-2p", 100, seed=1)
    vec.reset()
    vec.play_random(3)
    assert agent.reset(vec.game, 100, 0) is None
    actions, state = agent.act(vec.features, vec.mask, vec.player, None)
    assert actions.dtype == np.int64
    assert state is None
    logits, _, _ = ppo.policy(ppo.policy.expand(torch.from_numpy(vec.features)))
    expected = np.where(vec.mask, logits.detach().numpy(), -np.inf).argmax(1)
    assert np.array_equal(actions, expected)


def test_a_path_without_a_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="neither a checkpoint nor a run with one"):
        load_policy(tmp_path)


def settings() -> list[str]:
    given = {**SMALL, "hidden": "[32, 32]", "checkpoint_every": 1024}
    return [f"{key}={value}" for key, value in given.items() if key != "task"]


def test_ctrl_c_saves_and_the_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    original = PPO.update

    def interrupted(ppo: PPO) -> dict[str, float]:
        if ppo.steps == 1024:
            os.kill(os.getpid(), signal.SIGINT)
        return original(ppo)

    with monkeypatch.context() as patch:
        patch.setattr(PPO, "update", interrupted)
        assert main(["train", "syzygy-base4-2p", *settings(), "--folder", str(folder)]) == 130
    assert f"to go on: unspoken train {folder}" in capsys.readouterr().out
    assert [row["steps"] for row in read_metrics(folder)] == [1024, 2048]
    assert main(["train", str(folder)]) == 0
    assert [row["steps"] for row in read_metrics(folder)] == [1024, 2048, 3072, 4096]
    assert main(["train", str(folder), "seed=3"]) == 2
    assert "goes on with its own settings" in capsys.readouterr().err


def test_divergence_names_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    original = PPO.update

    def spoiled(ppo: PPO) -> dict[str, float]:
        if ppo.steps == 2048:
            with torch.no_grad():
                ppo.policy.head.bias[-1] = float("nan")
        return original(ppo)

    monkeypatch.setattr(PPO, "update", spoiled)
    assert main(["train", "syzygy-base4-2p", *settings(), "--folder", str(folder)]) == 1
    last = folder / "checkpoints" / "step-000000002048"
    assert f"the last good checkpoint is {last}" in " ".join(capsys.readouterr().err.split())
    assert weights(last).isfinite().all()


def test_folders_are_numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command.choose_folder("mine.yaml", CONFIG) == Path("runs/mine-seed0")
    Path("runs/mine-seed0").mkdir(parents=True)
    assert run_command.choose_folder("mine.yaml", CONFIG) == Path("runs/mine-seed0-2")
