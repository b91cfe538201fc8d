"""Plays batches on numba's CUDA simulator beside the CPU's and compares them: run by ``test_cuda_simulated``.

The simulator runs the loops of a GPU as ordinary Python, a thread of the GPU in a thread of the process. It
must be chosen before numba is imported::

    NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.cuda_simulation syzygy
"""

import copy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

from unspoken.envs import BatchEnv, make_game, make_vec
from unspoken.envs.faces.batch import ARRAYS
from unspoken.envs.faces.cuda_batch import CudaBatchEnv


class SimulatedBatch(CudaBatchEnv):
    """The face of a GPU over the simulator; its tensors lie on the CPU."""

    def _find_device(self, number: int) -> None:
        self._torch = torch
        self._number = number
        self.device = "cpu"

    @contextmanager
    def _on_device(self) -> Iterator[None]:
        yield

    def _stream(self) -> Any:
        return 0

    def _array(self, tensor: Any, kind: Any = None) -> Any:
        array = tensor.numpy()
        if kind is not None:
            array = array.view(kind)
        return FakeCUDAArray(array.view(np.recarray) if array.dtype.fields else array)


def assert_equal(cpu: BatchEnv, gpu: BatchEnv, when: str) -> None:
    for name in ARRAYS:
        one, other = getattr(cpu, name), getattr(gpu, name).numpy()
        np.testing.assert_array_equal(one, other, err_msg=f"{name} {when}")
        assert one.dtype == other.dtype
    saved, other_saved = cpu.get_state(), gpu.get_state()
    for name in saved:
        assert saved[name].tobytes() == other_saved[name].tobytes(), f"{name} {when}"


def compare(task: str, num_envs: int, steps: int, **options: Any) -> None:
    """Play both in every way there is."""
    cpu = make_vec(task, num_envs, seed=num_envs, threads=1, **options)
    gpu = SimulatedBatch(make_game(task, **options), num_envs, seed=num_envs)
    cpu.reset()
    gpu.reset()
    assert_equal(cpu, gpu, "after the deal")
    viewers = np.arange(num_envs) % (cpu.n_players + 1) - 1
    cpu.final_view[:] = viewers
    gpu.final_view.copy_(torch.from_numpy(viewers))
    random = np.random.default_rng(0)
    for step in range(steps):
        actions = cpu.sample_actions().copy()
        np.testing.assert_array_equal(actions, gpu.sample_actions().numpy())
        if step % 5 == 4:
            actions[random.integers(num_envs)] = random.choice([-1, cpu.n_actions, 0, 2**31 - 1])
        cpu.step(actions)
        gpu.step(torch.from_numpy(actions).to((torch.int64, torch.int32)[step % 2]))
        assert_equal(cpu, gpu, f"after step {step}")
    gpu = copy.deepcopy(gpu)
    assert_equal(cpu, gpu, "after copying")
    cpu.play_random(3)
    gpu.play_random(3)
    assert_equal(cpu, gpu, "after random play")
    for everything in (False, True):
        seats = np.arange(num_envs) % cpu.n_players
        np.testing.assert_array_equal(
            cpu.observe(seats, everything), gpu.observe(torch.from_numpy(seats), everything).numpy()
        )
        np.testing.assert_array_equal(cpu.observe(1, everything), gpu.observe(1, everything).numpy())
    saved = cpu.get_state()
    cpu.play_random()
    gpu.set_state(saved)
    gpu.play_random()
    assert_equal(cpu, gpu, "after going on from the other's state")
    cpu.set_state(gpu.get_state())
    assert_equal_views(cpu, gpu)
    cpu.reset()
    gpu.reset()
    assert_equal(cpu, gpu, "after the next deal")


def assert_equal_views(cpu: BatchEnv, gpu: BatchEnv) -> None:
    for name in ("features", "mask", "player"):
        np.testing.assert_array_equal(getattr(cpu, name), getattr(gpu, name).numpy(), err_msg=name)


CASES: dict[str, list[tuple[str, int, int, dict[str, Any]]]] = {
    "syzygy": [
        ("syzygy-base-4p", 5, 40, {}),
        ("syzygy-trial-3p", 3, 15, {"reward": "shaped"}),
        ("syzygy-divine-6p", 3, 10, {}),
        ("syzygy-base12-5p", 2, 10, {"emotions": 4, "memory": "none"}),
        ("syzygy-base4-2p", 70, 4, {}),  # two blocks, the second one not full
    ],
    "syncro": [
        ("syncro-Ia-3p", 4, 25, {}),
        ("syncro-IIa-2p", 3, 15, {"reward": "shaped"}),
        ("syncro-IIe-4p", 3, 12, {}),
        ("syncro-adventure-5p", 3, 15, {}),
        ("syncro-Id-2p", 66, 2, {}),
    ],
}

if __name__ == "__main__":
    for task, num_envs, steps, options in CASES[sys.argv[1]]:
        compare(task, num_envs, steps, **options)
        print(f"{task}: equal")
