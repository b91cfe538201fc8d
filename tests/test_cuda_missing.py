"""Asking for a GPU where something is missing says what, and how to get it."""

import builtins
from types import SimpleNamespace
from typing import Any

import pytest

from unspoken.envs import make_vec
from unspoken.envs.engine import cuda as engine


def refuse(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have every import of ``name`` fail."""
    found = builtins.__import__

    def importing(wanted: str, *arguments: Any, **keywords: Any) -> Any:
        if wanted == name:
            raise ImportError(f"no {name} here")
        return found(wanted, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", importing)


def find_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let PyTorch say that there is one CUDA device."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)


def test_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "torch")
    with pytest.raises(ImportError, match=r"needs PyTorch: pip install 'unspoken\[train,gpu\]'"):
        make_vec("syzygy-base-4p", 2, device="cuda")


def test_a_pytorch_with_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.version, "cuda", None)
    with pytest.raises(
        RuntimeError, match=r"no CUDA device was found by PyTorch .*, which was built without CUDA"
    ):
        make_vec("syzygy-base-4p", 2, device="cuda")


def test_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    find_a_device(monkeypatch)
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(
        RuntimeError, match=r"no CUDA device was found .*is there an NVIDIA GPU, and a driver"
    ):
        make_vec("syzygy-base-4p", 2, device="cuda")


def test_that_very_device(monkeypatch: pytest.MonkeyPatch) -> None:
    find_a_device(monkeypatch)
    with pytest.raises(RuntimeError, match="device='cuda:3': must be below the 1 found"):
        make_vec("syzygy-base-4p", 2, device="cuda:3")


def test_numba_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    find_a_device(monkeypatch)
    monkeypatch.setattr(engine, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"needs numba-cuda: pip install 'unspoken\[train,gpu\]'"):
        make_vec("syzygy-base-4p", 2, device="cuda")


@pytest.mark.parametrize(
    ("numpy", "message"),
    [
        ("2.5.1", "needs numpy below 2.5 for numba-cuda, and this is 2.5.1"),
        ("2.4.6", "numba-cuda cannot be imported: no numba.cuda here"),
    ],
)
def test_a_numpy_that_numba_cuda_works_with(
    monkeypatch: pytest.MonkeyPatch, numpy: str, message: str
) -> None:
    find_a_device(monkeypatch)
    monkeypatch.setattr(engine, "find_spec", lambda name: SimpleNamespace())
    monkeypatch.setattr(engine.np, "__version__", numpy)
    refuse(monkeypatch, "numba.cuda")
    with pytest.raises(ImportError, match=message):
        make_vec("syzygy-base-4p", 2, device="cuda")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "tpu"}, "device='tpu': must be 'cpu', 'cuda' or 'cuda:' and a number"),
        ({"device": "cuda:"}, "device='cuda:': must be 'cpu', 'cuda' or 'cuda:' and a number"),
        ({"device": "cuda", "backend": "numpy"}, "backend='numpy': must be 'torch' with device='cuda'"),
        ({"device": "cuda:1", "threads": 2}, "threads=2: must be left out with device='cuda:1'"),
    ],
)
def test_what_goes_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_vec("syzygy-base-4p", 2, **options)
