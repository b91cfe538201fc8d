"""The batch face: one stream of decisions over many games, on arrays that are never replaced."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from unspoken.envs import BatchEnv, make_vec, task_names

ARRAYS = ("features", "mask", "player", "reward", "done", "illegal", "score", "progress", "final_features")


def played(steps: int, **options: Any) -> BatchEnv:
    vec = make_vec("syzygy-base5-3p", 12, seed=3, threads=2, **options)
    vec.reset()
    for _ in range(steps):
        vec.step(vec.sample_actions())
    return vec


def assert_equal(one: BatchEnv, other: BatchEnv) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda vec: pickle.loads(pickle.dumps(vec))])
@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_a_copy_in_the_middle_of_the_games_goes_on_exactly_alike(
    duplicate: Callable[[BatchEnv], BatchEnv], backend: str
) -> None:
    if backend == "torch":
        pytest.importorskip("torch")
    vec = played(17, backend=backend)
    other = duplicate(vec)
    assert_equal(vec, other)
    for _ in range(60):
        actions = vec.sample_actions()
        np.testing.assert_array_equal(actions, other.sample_actions())
        vec.step(actions)
        other.step(actions)
        assert_equal(vec, other)


@pytest.mark.parametrize("task", ["syzygy-base5-3p", "syncro-Ia-3p"])
def test_a_copy_takes_the_originals_state(task: str) -> None:
    vec = make_vec(task, 3, seed=0)
    vec.reset()
    other = copy.deepcopy(vec)
    vec.play_random(9)
    other.set_state(vec.get_state())
    np.testing.assert_array_equal(vec.features, other.features)


def test_a_copy_does_not_move_with_the_original() -> None:
    vec = played(17)
    other = copy.deepcopy(vec)
    before = other.features.copy()
    vec.play_random(5)
    np.testing.assert_array_equal(other.features, before)


def test_a_saved_batch_goes_on_exactly_alike() -> None:
    vec = played(17)
    saved = vec.get_state()
    vec.play_random(40)
    features = vec.features.copy()
    vec.set_state(saved)
    vec.play_random(40)
    np.testing.assert_array_equal(vec.features, features)


def test_a_state_of_another_size_is_refused() -> None:
    saved = make_vec("syzygy-base5-3p", 3, seed=0).get_state()
    with pytest.raises(ValueError, match=r"saved state of \(3,\) games"):
        played(1).set_state(saved)


def test_what_is_not_a_state_is_refused() -> None:
    with pytest.raises(ValueError, match="saved state without 'states': must be what get_state"):
        played(1).set_state({})


def test_the_torch_backend_returns_tensors() -> None:
    torch = pytest.importorskip("torch")
    vec = played(3, backend="torch")
    np.testing.assert_array_equal(vec.sample_actions().numpy(), played(3).sample_actions())
    np.testing.assert_array_equal(vec.observe(0).numpy(), played(3).observe(0))
    vec.step(vec.sample_actions())
    assert isinstance(vec.observe(1, everything=True), torch.Tensor)


@pytest.mark.parametrize(
    ("task", "other", "options"),
    [
        ("syzygy-base5-3p", "syzygy-base-3p", {}),
        ("syzygy-base5-3p", "syzygy-base5-3p", {"emotions": 2}),
        ("syncro-Ia-3p", "syncro-adventure-5p", {}),
        ("syncro-IIa-3p", "syncro-IIa-3p", {"unlocked": True}),
    ],
)
def test_a_state_of_another_configuration_is_refused(task: str, other: str, options: dict[str, Any]) -> None:
    vec = make_vec(task, 2, seed=0)
    vec.reset()
    with pytest.raises(ValueError, match="saved state of another configuration: must be of Sy"):
        make_vec(other, 2, seed=0, **options).set_state(vec.get_state())


def test_the_arrays_are_written_in_place() -> None:
    vec = played(0)
    arrays = {name: getattr(vec, name) for name in ARRAYS}
    vec.play_random(50)
    vec.reset()
    assert all(getattr(vec, name) is array for name, array in arrays.items())


def test_many_steps_in_one_call_are_the_same_steps() -> None:
    one, other = played(0), played(0)
    one.play_random(33)
    for _ in range(33):
        other.play_random()
    assert_equal(one, other)


@pytest.mark.parametrize("task", ["syzygy-base5-3p", "syncro-IIe-3p"])
def test_equal_states_have_equal_bytes(task: str) -> None:
    def state() -> bytes:
        vec = make_vec(task, 3, seed=0)
        vec.reset()
        vec.play_random(25)
        saved = vec.get_state()
        vec.set_state(saved)
        assert vec.get_state()["states"].tobytes() == saved["states"].tobytes()
        return bytes(saved["states"].tobytes())

    assert state() == state()


def test_every_task_makes_a_batch_whose_features_are_in_range() -> None:
    for task in task_names():
        vec = make_vec(task, 4, seed=0, threads=1)
        vec.reset()
        for _ in range(40):
            assert (vec.features >= 0).all()
            assert (vec.features < vec.layout.cardinalities).all()
            assert vec.mask.sum(axis=1).min() > 0
            vec.play_random()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs=0: must be 1 or more"),
        ({"num_envs": 2.0}, "num_envs=2.0: must be a positive integer"),
        ({"seed": -1}, "seed=-1: must be from 0"),
        ({"seed": 0.5}, "seed=0.5: must be an integer"),
        ({"seed": True}, "seed=True: must be an integer"),
        ({"backend": "jax"}, "backend='jax': must be one of 'numpy', 'torch'"),
        ({"device": "tpu"}, "device='tpu': must be 'cpu'"),
        ({"n_players": 1}, "n_players=1: must be from 2 to 6"),
        ({"n_players": 7}, "n_players=7: must be from 2 to 6"),
        ({"n_players": "4"}, "n_players='4': must be an integer"),
        ({"n_planets": 3}, "n_planets=3: must be from 4 to 12"),
        ({"n_planets": 13}, "n_planets=13: must be from 4 to 12"),
        ({"variant": "basic"}, "variant='basic': must be one of 'base', 'trial', 'divine'"),
        ({"variant": "trial", "n_planets": 9}, "n_planets=9: variant 'trial' is played with 7"),
        ({"reward": "dense"}, "reward='dense': must be one of 'sparse', 'shaped'"),
        ({"emotions": 0}, "emotions=0: must be from 1 to 4"),
        ({"emotions": 5}, "emotions=5: must be from 1 to 4"),
        ({"memory": "perfekt"}, "memory='perfekt': must be one of 'perfect', 'none'"),
        ({"colour": 1}, "colour=1: unexpected keyword argument 'colour'; allowed are n_players"),
        ({"task": "syzygy-base-7p"}, "task='syzygy-base-7p': unknown; did you mean"),
        ({"task": "syzygy-base-4p", "n_players": 3}, "n_players=3: task 'syzygy-base-4p' fixes it at 4"),
    ],
)
def test_what_is_not_allowed_is_refused_by_name_value_and_range(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises((ValueError, TypeError)) as refusal:
        make_vec(**{"task": "syzygy", "num_envs": 2, **options})
    assert message in str(refusal.value)


def test_actions_of_the_wrong_shape_or_kind_are_refused() -> None:
    vec = played(0)
    with pytest.raises(ValueError, match=r"actions of shape \(3,\): must be \(12,\)"):
        vec.step([0, 0, 0])
    with pytest.raises(TypeError, match="actions of dtype float64: must be integers"):
        vec.step(np.zeros(12))


@pytest.mark.parametrize("action", [-1, -(2**40), 11, 2**40])
def test_numbers_outside_the_action_space_are_illegal_and_never_another_action(action: int) -> None:
    vec = played(0)
    actions = vec.sample_actions().astype(np.int64)
    actions[4] = action
    vec.step(actions)
    assert vec.illegal.tolist() == [game == 4 for game in range(12)]
    assert vec.reward[4] == -1.0


def test_stepping_before_a_reset_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        make_vec("syzygy-base5-3p", 2, seed=0).step([0, 0])
