"""Games on a GPU are bit for bit those on the CPU, and all stays on the device. Needs a CUDA device."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import config

from unspoken.envs import BatchEnv, make_vec
from unspoken.envs.engine.cuda import check_installation
from unspoken.envs.faces.batch import ARRAYS

TASKS: list[tuple[str, dict[str, Any]]] = [
    ("syzygy-base-4p", {}),
    ("syzygy-divine-6p", {"reward": "shaped"}),
    ("syzygy-base12-5p", {"emotions": 4, "memory": "none"}),
    ("syncro-Ia-3p", {"reward": "shaped"}),
    ("syncro-IIe-5p", {}),
    ("syncro-adventure-2p", {}),
]


def missing() -> str:
    """What playing on a GPU lacks here, empty if nothing."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return "the compiler is off"
    try:
        check_installation(0)
    except (ImportError, RuntimeError) as error:
        return str(error)
    return ""


pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


def pair(task: str, num_envs: int, seed: int, **options: Any) -> tuple[BatchEnv, BatchEnv]:
    """The same games on the CPU and on the GPU, dealt."""
    cpu = make_vec(task, num_envs, seed=seed, **options)
    gpu = make_vec(task, num_envs, seed=seed, device="cuda", **options)
    cpu.reset()
    gpu.reset()
    return cpu, gpu


def assert_equal(cpu: BatchEnv, gpu: BatchEnv) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(cpu, name), getattr(gpu, name).cpu().numpy(), err_msg=name)
    saved, other = cpu.get_state(), gpu.get_state()
    for name in saved:
        assert saved[name].tobytes() == other[name].tobytes(), name


@pytest.mark.parametrize(("task", "options"), TASKS)
@pytest.mark.parametrize(("num_envs", "seed"), [(1, 2**64 - 1), (64, 1), (1000, 2)])
def test_random_games_are_bit_for_bit_those_of_the_cpu(
    task: str, options: dict[str, Any], num_envs: int, seed: int
) -> None:
    cpu, gpu = pair(task, num_envs, seed, **options)
    assert_equal(cpu, gpu)
    for steps in (1, 1, 7, 100, 1000):
        cpu.play_random(steps)
        gpu.play_random(steps)
        assert_equal(cpu, gpu)


@pytest.mark.parametrize(("task", "options"), TASKS)
def test_chosen_actions_illegal_ones_too_are_played_as_on_the_cpu(task: str, options: dict[str, Any]) -> None:
    import torch

    cpu, gpu = pair(task, 300, 3, **options)
    viewers = np.arange(300) % (cpu.n_players + 1) - 1
    cpu.final_view[:] = viewers
    gpu.final_view.copy_(torch.from_numpy(viewers))
    random = np.random.default_rng(0)
    for step in range(300):
        actions = cpu.sample_actions().astype(np.int64)
        np.testing.assert_array_equal(actions, gpu.sample_actions().cpu().numpy())
        if step % 10 == 0:
            actions[random.integers(300, size=5)] = (-1, cpu.n_actions, 2**40, -(2**40), 2**32)
        elif step % 10 == 5:
            actions[:] = random.integers(-1, cpu.n_actions + 1, 300)
        kind = torch.int64 if abs(actions).max() > 1000 or step % 2 else torch.int32
        cpu.step(actions)
        gpu.step(torch.from_numpy(actions).to("cuda", kind))
        assert_equal(cpu, gpu)


@pytest.mark.parametrize(("task", "options"), TASKS)
def test_every_seats_view_is_that_of_the_cpu(task: str, options: dict[str, Any]) -> None:
    import torch

    cpu, gpu = pair(task, 200, 4, **options)
    seats = np.arange(200) % cpu.n_players
    for _ in range(20):
        cpu.play_random(3)
        gpu.play_random(3)
        for everything in (False, True):
            views = cpu.observe(seats, everything)
            np.testing.assert_array_equal(
                views, gpu.observe(torch.from_numpy(seats).cuda(), everything).cpu().numpy()
            )
            np.testing.assert_array_equal(
                cpu.observe(1, everything), gpu.observe(1, everything).cpu().numpy()
            )


@pytest.mark.parametrize("task", ["syzygy-base-4p", "syncro-IIa-3p"])
def test_games_go_on_on_the_other_device(task: str) -> None:
    cpu, gpu = pair(task, 100, 5)
    cpu.play_random(30)
    gpu.set_state(cpu.get_state())
    for name in ("features", "mask", "player"):
        np.testing.assert_array_equal(getattr(cpu, name), getattr(gpu, name).cpu().numpy())
    gpu.play_random(30)
    cpu.play_random(30)
    assert_equal(cpu, gpu)
    cpu.set_state(gpu.get_state())
    cpu.reset()
    gpu.reset()
    assert_equal(cpu, gpu)
    cpu.reset(seed=9)
    gpu.reset(seed=9)
    assert_equal(cpu, gpu)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda vec: pickle.loads(pickle.dumps(vec))])
def test_a_copy_in_the_middle_of_the_games_goes_on_exactly_alike(
    duplicate: Callable[[BatchEnv], BatchEnv],
) -> None:
    _, gpu = pair("syzygy-base5-3p", 50, 6)
    gpu.play_random(17)
    other = duplicate(gpu)
    for _ in range(40):
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(gpu, name).cpu(), getattr(other, name).cpu(), err_msg=name)
        gpu.step(gpu.sample_actions())
        other.step(other.sample_actions())


@pytest.mark.parametrize("task", ["syzygy-base-4p", "syncro-Ia-3p"])
def test_steps_can_be_captured_in_a_graph(task: str) -> None:
    import torch

    cpu, gpu = pair(task, 500, 7)
    actions = torch.zeros(500, dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        gpu.step(actions)
        view = gpu.observe(0)
        gpu.step(gpu.sample_actions())
        gpu.play_random(2)
    for _ in range(100):
        chosen = cpu.sample_actions().copy()
        np.testing.assert_array_equal(chosen, gpu.sample_actions().cpu().numpy())
        actions.copy_(torch.from_numpy(chosen))
        cpu.step(chosen)
        expected = cpu.observe(0)
        cpu.step(cpu.sample_actions())
        cpu.play_random(2)
        graph.replay()
        np.testing.assert_array_equal(expected, view.cpu().numpy())
        assert_equal(cpu, gpu)


def test_everything_is_launched_on_the_current_stream() -> None:
    import torch

    cpu, gpu = pair("syzygy-base-4p", 5000, 8)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    for _ in range(20):
        chosen = cpu.sample_actions().copy()
        np.testing.assert_array_equal(chosen, gpu.sample_actions().cpu().numpy())
        actions = torch.from_numpy(chosen).cuda()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            # The stream is busy first: what is launched in another one would play the last step's actions.
            torch.cuda._sleep(2_000_000)
            gpu.step(actions)
            features = gpu.features.clone()
        stream.synchronize()
        cpu.step(chosen)
        np.testing.assert_array_equal(cpu.features, features.cpu().numpy())


def test_nothing_waits_for_the_device() -> None:
    import torch

    _, gpu = pair("syncro-Ia-3p", 1000, 9)
    for busy in (False, True):  # the first time, what PyTorch needs is loaded and allocated
        torch.cuda.synchronize()
        if busy:
            torch.cuda._sleep(1_000_000_000)
        gpu.step(gpu.sample_actions())
        gpu.play_random(3)
        gpu.observe(0)
        gpu.reset()
    end = torch.cuda.Event()
    end.record()
    assert not end.query()
    torch.cuda.synchronize()


def test_arrays_are_tensors_on_the_device_written_in_place() -> None:
    import torch

    _, gpu = pair("syzygy-base-4p", 100, 10)
    arrays = {name: getattr(gpu, name) for name in ARRAYS}
    places = {name: array.data_ptr() for name, array in arrays.items()}
    gpu.play_random(50)
    gpu.reset(seed=1)
    for name, array in arrays.items():
        assert isinstance(array, torch.Tensor)
        assert array.is_cuda
        assert getattr(gpu, name) is array
        assert array.data_ptr() == places[name]
    assert gpu.states.data_ptr() == gpu.states.cuda().data_ptr()


def test_what_a_step_cannot_take_is_refused() -> None:
    import torch

    _, gpu = pair("syzygy-base-4p", 12, 11)
    with pytest.raises(TypeError, match="actions of type list: must be a torch tensor on cuda:0"):
        gpu.step([0] * 12)
    with pytest.raises(ValueError, match="actions on cpu: must be on cuda:0"):
        gpu.step(torch.zeros(12, dtype=torch.int64))
    with pytest.raises(
        TypeError, match=r"actions of dtype torch.float32: must be torch.int64 or torch.int32"
    ):
        gpu.step(torch.zeros(12, device="cuda"))
    with pytest.raises(ValueError, match=r"actions of shape \(3,\): must be \(12,\)"):
        gpu.step(torch.zeros(3, dtype=torch.int64, device="cuda"))
    with pytest.raises(ValueError, match="seats=4: must be from 0 to 3"):
        gpu.observe(4)
    with pytest.raises(RuntimeError, match=r"device='cuda:99': must be below the \d+ found"):
        make_vec("syzygy-base-4p", 2, device="cuda:99")


def test_a_second_device_plays_too() -> None:
    import torch

    if torch.cuda.device_count() < 2:
        pytest.skip("there is one CUDA device")
    cpu = make_vec("syzygy-base-4p", 100, seed=12)
    gpu = make_vec("syzygy-base-4p", 100, seed=12, device="cuda:1")
    cpu.reset()
    gpu.reset()
    assert gpu.features.device == torch.device("cuda:1")
    cpu.play_random(100)
    gpu.play_random(100)
    assert_equal(cpu, gpu)
