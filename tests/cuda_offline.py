"""Compiles the loops of a GPU without one, and says what the assembler makes of them::

    python -m tests.cuda_offline syzygy syncro

Needs ``numba-cuda[cu12]``, which brings the compiler and the assembler along.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

CAPABILITY = (9, 0)
KERNELS = ("run_games", "sample_actions", "observe_games")


@dataclass(frozen=True)
class Code:
    """A loop over the games as PTX, and what it takes on the device.

    Attributes:
        ptx: the text.
        registers: of a thread, spilled ones not included.
        spilled: bytes that a thread writes to memory for want of registers, in the loop and what it calls.
        stack: bytes of the loop's own stack.
    """

    ptx: str
    registers: int
    spilled: int
    stack: int

    def accesses(self) -> Counter[str]:
        """How often each kind of load and store is written, for example ``"st.global.u8"``."""
        return Counter(re.findall(r"^\s+(?:@!?%p\d+ )?((?:ld|st)\.[a-z0-9.]+)", self.ptx, re.MULTILINE))


def assembler() -> str | None:
    """The path of ``ptxas``, or ``None``."""
    folders = [Path(entry) / "nvidia" for entry in sys.path]
    found = (file for folder in folders if folder.is_dir() for file in folder.glob("*/bin/ptxas"))
    path = next(found, None)
    return str(path) if path else shutil.which("ptxas")


def compile_offline(game: str, name: str) -> Code:
    """Compile loop ``name`` of a game for a device of compute capability 9.0 (H100, H200)."""
    from numba import cuda, types
    from numba.cuda import dispatcher
    from numba.np.numpy_support import from_dtype

    from unspoken.envs import make_game
    from unspoken.envs.engine.cuda_rows import MAX_REGISTERS

    kernels = make_game({"syzygy": "syzygy-base-4p", "syncro": "syncro-Ia-3p"}[game]).cuda_kernels

    def array(kind: Any) -> Any:
        return types.Array(kind, 1, "C")

    params, states = (array(from_dtype(kind)) for kind in (kernels.PARAMS_DTYPE, kernels.STATE_DTYPE))
    int8, int16, int32, int64 = (array(kind) for kind in (types.int8, types.int16, types.int32, types.int64))
    flag, number, words = array(types.boolean), array(types.float32), array(types.uint64)
    one = types.int64
    results = (int8, number, flag, flag, flag, number, int16, int16, int8, words)
    arguments = {
        "run_games": (params, states, words, one, one, one, words, int64, words, words, *results, one, one),
        "sample_actions": (params, states, one, words, int32),
        "observe_games": (params, states, one, int64, one, words, one),
    }[name]
    device = SimpleNamespace(compute_capability=CAPABILITY)
    with mock.patch.object(dispatcher, "get_current_device", return_value=device):
        ptx, _ = cuda.compile_ptx(getattr(kernels, name).py_func, types.void(*arguments), cc=CAPABILITY)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "loop.ptx"
        file.write_text(ptx)
        command = [str(assembler()), "-v", "-arch=sm_90", f"--maxrregcount={MAX_REGISTERS}", str(file)]
        result = subprocess.run([*command, "-o", f"{folder}/loop.cubin"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    entry = result.stderr[: result.stderr.index("Used ")].rpartition("bytes stack frame")[0]
    return Code(
        ptx,
        int(re.findall(r"Used (\d+) registers", result.stderr)[0]),
        sum(map(int, re.findall(r"(\d+) bytes spill stores", result.stderr))),
        int(entry.split()[-1]),
    )


if __name__ == "__main__":
    for game in sys.argv[1:]:
        for name in KERNELS:
            code = compile_offline(game, name)
            taken = f"{code.registers} registers, {code.spilled} bytes spilled, {code.stack} bytes of stack"
            print(f"{game} {name}: {taken}")
            print("   ", ", ".join(f"{kind} {count}" for kind, count in code.accesses().most_common(12)))
