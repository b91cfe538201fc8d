"""The loops of a GPU compile, to code that does not fetch a state byte by byte; no GPU is needed."""

import re
from importlib.util import find_spec

import numpy as np
import pytest
from numba import config

from tests.cuda_offline import KERNELS, assembler, compile_offline

pytestmark = [
    pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed"),
    pytest.mark.skipif(assembler() is None, reason="there is no ptxas"),
    pytest.mark.skipif(
        np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="numba-cuda needs numpy below 2.5"
    ),
    pytest.mark.skipif(bool(config.DISABLE_JIT), reason="the compiler is off"),  # type: ignore[attr-defined]
]


def test_syzygys_loop_keeps_everything_in_registers_and_on_the_chip() -> None:
    code = compile_offline("syzygy", "run_games")
    assert (code.spilled, code.stack) == (0, 0)
    # To the compiler, what is written to one array of the chip would never be read from another.
    assert code.ptx.count(".extern .shared") == 1
    accesses = code.accesses()
    assert not [kind for kind in accesses if ".local" in kind]
    # In the large memory bytes are only what is a byte a game: player, done, truncated, illegal.
    assert accesses["st.global.u8"] == 4
    # Numba makes a floating-point number of a signed and an unsigned one; the reward is the only one meant.
    assert len(re.findall(r"cvt\.rn\.f64", code.ptx)) == 2


@pytest.mark.parametrize("name", KERNELS[1:])
@pytest.mark.parametrize("game", ["syzygy", "syncro"])
def test_small_loops_spill_nothing(game: str, name: str) -> None:
    code = compile_offline(game, name)
    assert (code.spilled, code.stack) == (0, 0)
    assert "cvt.rn.f64" not in code.ptx


@pytest.mark.slow
def test_syncros_loop_spills_little() -> None:
    code = compile_offline("syncro", "run_games")
    assert code.spilled <= 512
    assert code.ptx.count(".extern .shared") == 1
    assert len(re.findall(r"cvt\.rn\.f64", code.ptx)) == 3
