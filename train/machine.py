"""What a training run computes with: the device, the precision and the threads that fit the machine."""

import os
from pathlib import Path

import torch

from unspoken.envs.engine.threads import available_cores

MOST_THREADS = 8
"""By default; a small network gains nothing from more."""


def choose_device(device: str) -> str:
    """``device``, ``"cpu"`` or ``"cuda"``; without a number each process of a machine takes a GPU of its own.

    Raises:
        ValueError: there is no such device here.
    """
    if device != "cpu" and not torch.cuda.is_available():
        raise ValueError(f"device={device!r}: torch finds no CUDA device here; must be 'cpu'")
    return f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if device == "cuda" else device


def choose_precision(precision: str, device: str) -> str:
    """``precision``, or for ``"auto"`` the fast one where there are matrix instructions for it."""
    if precision != "auto":
        return precision
    fast = device != "cpu" or _has_amx()
    return "bfloat16" if fast else "float32"


def choose_threads(threads: int | None, device: str) -> int:
    """``threads``, or for ``None`` one a core, up to ``MOST_THREADS``; on a GPU always 1."""
    if device != "cpu":
        return 1
    return threads or min(available_cores(), MOST_THREADS)


def _has_amx() -> bool:
    """Whether this processor multiplies matrices of bfloat16 itself (Intel AMX)."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
    return "amx_bf16" in flags
