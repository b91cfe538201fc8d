"""The loops of a GPU play the same games as those of the CPU, on numba's simulator: no GPU is needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the face of a GPU needs PyTorch")


@pytest.mark.parametrize("game", ["syzygy", "syncro"])
def test_simulated_games_are_bit_for_bit_those_of_the_cpu(game: str) -> None:
    chosen = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    result = subprocess.run(
        [sys.executable, "-m", "tests.cuda_simulation", game],
        env=chosen,
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout.count("equal") == 5
