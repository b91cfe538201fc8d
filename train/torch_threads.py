"""How many threads torch computes with, chosen so that a busy machine slows training down and does not stall
it.

torch shares an operation over OpenMP threads that spin while they wait for each other. If another process
holds a core, a spinning thread keeps its core from the one it waits for, and every operation takes until the
system's next switch: a matrix product of 0.5 ms was seen to take 15. With ``OMP_WAIT_POLICY=PASSIVE`` they
sleep instead, at the price of a few microseconds each time. (Our own PPO lets torch use one thread and cuts
minibatches into parts itself; this is for Stable-Baselines3.) OpenMP reads the variable when torch is loaded,
so it must be set before: importing ``unspoken.train`` does, unless the variable is set already or torch has
been loaded.
"""

import os
import sys

from unspoken.envs.engine.threads import available_cores

_VARIABLE = "OMP_WAIT_POLICY"

if "torch" not in sys.modules:
    os.environ.setdefault(_VARIABLE, "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    _THREADS_SLEEP = os.environ[_VARIABLE].upper() == "PASSIVE"
else:
    # Too late to change, so only what was in the environment from the start counts; a shell sets it for good.
    _THREADS_SLEEP = os.environ.get(_VARIABLE, "").upper() == "PASSIVE"

MOST_BY_DEFAULT = 8
"""A small network gains nothing from more."""


def choose_torch_threads(threads: int | None) -> int:
    """``threads``, or for ``None`` one a core if waiting threads sleep, and 1 if they would spin."""
    if threads is not None:
        return threads
    return min(available_cores(), MOST_BY_DEFAULT) if _THREADS_SLEEP else 1
