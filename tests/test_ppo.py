"""The trainer's parts: what the network is given, what is drawn, what is estimated, when it stops."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from unspoken.agents.checkpoint import load_policy, save_policy
from unspoken.agents.item_network import ItemNetwork
from unspoken.agents.policy import MlpNetwork, masked
from unspoken.envs import make_vec
from unspoken.train.config import TrainConfig
from unspoken.train.evaluate import Evaluation
from unspoken.train.loop import train
from unspoken.train.ppo import PPO, TrainingDivergedError
from unspoken.train.record import Record

SMALL: dict[str, Any] = {
    "task": "syzygy-base4-2p",
    "num_envs": 64,
    "rollout_steps": 16,
    "minibatches": 4,
    "epochs": 2,
    "hidden": (32, 32),
    "threads": 1,
    "total_steps": 4096,
    "evaluate_every": 2048,
    "evaluate_games": 50,
}


class Memory:
    """A run that is kept in memory."""

    def __init__(self) -> None:
        self.rows: list[dict[str, float]] = []
        self.saved: list[int] = []

    def log(self, row: dict[str, float]) -> None:
        self.rows.append(row)

    def save(self, ppo: PPO, win_rate: float | None) -> Path:
        self.saved.append(ppo.steps)
        return Path()

    def save_best(self, ppo: PPO, evaluation: Evaluation) -> None:
        pass


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_network_expands_features_as_the_layout_says(precision: str) -> None:
    vec = make_vec("syzygy-divine-3p", 16, seed=0)
    vec.reset()
    vec.play_random(9)
    policy = MlpNetwork(vec.layout, vec.game.items, [8]).in_precision(precision)
    features = torch.from_numpy(vec.features)
    (block,) = policy.expand(features)
    onehot = block.clone()
    assert onehot.dtype is policy.dtype
    assert np.array_equal(onehot.float().numpy(), vec.layout.onehot(vec.features))
    rows = torch.tensor([5, 3])
    assert torch.equal(policy.expand(features, rows)[0], onehot[rows])
    assert torch.equal(policy._expand_on_device(features)[0], onehot)


def test_a_forbidden_action_has_probability_zero() -> None:
    mask = torch.tensor([[1, 0, 1]], dtype=torch.int8)
    assert masked(torch.tensor([[1.0, 9.0, 1.0]]), mask).softmax(1).tolist() == [[0.5, 0.0, 0.5]]


def test_advantages_flow_back_along_a_game_and_stop_where_it_ends() -> None:
    record = Record(3, make_vec("syzygy-base4-2p", 2, seed=0, backend="torch"), central=False, memory=0)
    record.reward[:] = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    record.value[:] = torch.tensor([[0.5, 0.5], [0.25, 0.5], [0.5, 0.25], [9.0, 0.75]])
    record.done[:] = torch.tensor([[False, False], [False, True], [True, False]])
    # Game 0: surprises -0.25, 0.25, 0.5, the last one without the next game's 9. Game 1 ends after two steps.
    expected = [[-0.25 + 0.5 * 0.5, 0.0 + 0.5 * 0.5], [0.25 + 0.5 * 0.5, 0.5], [0.5, 0.5]]
    assert record.advantages(gae_lambda=0.5).tolist() == expected


def test_an_update_plays_legal_actions_and_remembers_what_it_saw_and_how_likely_it_was() -> None:
    ppo = PPO(TrainConfig(**SMALL | {"precision": "float32"}))
    record = ppo._record
    replay = make_vec(SMALL["task"], SMALL["num_envs"], seed=0, backend="torch")
    replay.reset()
    ppo._play(shaping=0.5)
    for step in range(SMALL["rollout_steps"]):
        assert torch.equal(record.features[step], replay.features)
        assert torch.equal(record.mask[step], replay.mask)
        with torch.no_grad():
            logits, value, _ = ppo.policy(ppo.policy.expand(replay.features))
        chosen = masked(logits, replay.mask).log_softmax(1)[range(64), record.action[step]]
        torch.testing.assert_close(record.log_probability[step], chosen)
        torch.testing.assert_close(record.value[step], value)
        replay.step(record.action[step])
        assert not replay.illegal.any()
        assert torch.equal(record.done[step], replay.done)
        torch.testing.assert_close(record.reward[step], replay.reward + 0.5 * replay.progress / 6)


def test_draws_follow_the_policy() -> None:
    ppo = PPO(TrainConfig(**SMALL | {"num_envs": 8192}))
    with torch.no_grad():
        ppo.policy.head.bias[0] += math.log(3.0)
    ppo.learner.refresh()
    ppo._play(shaping=0.0)
    # At first any of four cards and PASS are allowed; CONFIRM 0 has weight 3 of 7, up to small random logits.
    actions, probability = ppo._record.action[0], ppo._record.log_probability[0].exp()
    shares = (actions.bincount(minlength=9)[[0, 1, 2, 3, 8]] / 8192).tolist()
    for share, action in zip(shares, (0, 1, 2, 3, 8), strict=True):
        assert share == pytest.approx(float(probability[actions == action].mean()), abs=0.02)
    assert shares[0] == pytest.approx(3 / 7, abs=0.05)


def test_runs_with_equal_settings_are_equal_to_the_last_bit_and_with_another_seed_are_not() -> None:
    weights = []
    for seed in (0, 0, 1):
        ppo = PPO(TrainConfig(**SMALL, seed=seed))
        torch.rand(3)  # the global generator has no part in it
        measured = [ppo.update() for _ in range(2)]
        weights.append(torch.cat([each.flatten() for each in ppo.policy.parameters()]))
        assert measured[1]["steps"] == 2048
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_rates_follow_their_schedules() -> None:
    ppo = PPO(TrainConfig(**SMALL, learning_rate={"start": 1e-3, "end": 0.0}, shaping=0.25))
    rates = [ppo.update() for _ in range(4)]
    assert [row["schedule_learning_rate"] for row in rates] == pytest.approx([1e-3, 7.5e-4, 5e-4, 2.5e-4])
    assert {row["schedule_shaping"] for row in rates} == {0.25}


def test_training_evaluates_and_saves_when_it_is_due() -> None:
    run = Memory()
    train(PPO(TrainConfig(**SMALL, checkpoint_every=3000)), run)
    assert [row["steps"] for row in run.rows] == [1024, 2048, 3072, 4096]
    assert [row["steps"] for row in run.rows if "win_rate" in row] == [2048, 4096]
    assert run.saved == [3072, 4096]


def test_training_stops_at_its_target() -> None:
    run = Memory()
    ppo = PPO(TrainConfig(**SMALL, target=0.5))
    evaluation = ppo.evaluate()
    won = iter((0.4, 0.6))
    ppo.evaluate = lambda: replace(evaluation, win_rate=next(won))  # type: ignore[method-assign]
    assert train(ppo, run) == 0.6
    assert run.saved == [4096]


def test_training_stops_when_asked_and_saves() -> None:
    run = Memory()
    train(PPO(TrainConfig(**SMALL)), run, stop=lambda: len(run.rows) == 2)
    assert run.saved == [2048]


def test_a_loss_that_is_not_finite_stops_training() -> None:
    ppo = PPO(TrainConfig(**SMALL))
    with torch.no_grad():
        ppo.policy.head.bias[-1] = math.nan
    ppo.learner.refresh()
    with pytest.raises(TrainingDivergedError, match="loss nan"):
        ppo.update()


@pytest.mark.parametrize("task", ["syzygy-trial-3p", "syncro-Ia-2p", "syncro-IIe-5p"])
def test_the_item_network_is_given_every_feature_once_and_names_every_action(task: str) -> None:
    vec = make_vec(task, 8, seed=0)
    vec.reset()
    vec.play_random(5)
    policy = ItemNetwork(vec.layout, vec.game.items, [16, 8])
    blocks = policy.expand(torch.from_numpy(vec.features))
    assert sum(block.shape[1] for block in blocks) == vec.layout.onehot_size
    assert sum(block.sum(1) for block in blocks).tolist() == [vec.layout.size] * 8  # type: ignore[union-attr]
    logits, value, memory = policy(blocks)
    assert memory is None
    assert logits.shape == (8, vec.n_actions)
    assert value.shape == (8,)


def test_a_policy_of_the_item_network_is_saved_and_loaded(tmp_path: Path) -> None:
    ppo = PPO(TrainConfig(**SMALL | {"network": "items"}))
    save_policy(tmp_path / "policy.safetensors", ppo.policy, ppo.describe())
    policy, description = load_policy(tmp_path / "policy.safetensors")
    assert description.network == "items"
    features = ppo.vec.features
    again = ItemNetwork(ppo.vec.layout, ppo.vec.game.items, ppo.config.hidden)
    again.load_state_dict(ppo.policy.state_dict())
    assert torch.equal(policy(policy.expand(features))[0], again(again.expand(features))[0])
