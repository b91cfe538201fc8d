"""The speed of everything on this machine.

A decision is one action of one seat. Every number is the median of several runs; nothing is compiled while
the clock runs, except where the row says so. Close other programs first: the load of the machine is printed
with the result.
"""

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from unspoken.envs import make_game, make_vec, task_config
from unspoken.envs.engine.threads import available_cores
from unspoken.envs.faces.aec import GameAECEnv
from unspoken.train import bench_peers
from unspoken.train.bench_rates import Measurement, Plan, median, rate
from unspoken.train.bench_render import measure_render
from unspoken.train.text import table

PACKAGES = (
    "unspoken",
    "numpy",
    "numba",
    "pillow",
    "gymnasium",
    "pettingzoo",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    *bench_peers.PACKAGES,
)


def measure_batch(plan: Plan) -> list[Measurement]:
    """Random play in a batch: features and mask written at every decision, finished games dealt anew."""
    vec = make_vec(plan.task, plan.num_envs, seed=0, threads=plan.threads)
    vec.reset()
    games = f"batch of {plan.num_envs}, threads: {vec.threads}"

    def from_python() -> None:
        vec.step(vec.sample_actions())

    rows = [
        (f"{games}: one decision a call", lambda: vec.play_random(1), 1),
        (f"{games}: sample_actions() and step()", from_python, 1),
        (f"{games}: 32 decisions a call", lambda: vec.play_random(32), 32),
    ]
    counted = (
        "one decision of one seat; features and mask of the next one, auto-reset and the draw of the action "
        "included; compiled batch"
    )
    results = [
        rate(name, "decisions/s", call, vec.num_envs * steps, plan, counted) for name, call, steps in rows
    ]
    vec.close()
    return results


def measure_aec(plan: Plan) -> list[Measurement]:
    """One game at a time through PettingZoo's loop, one-hot observations, random allowed actions."""
    env = GameAECEnv(make_game(plan.task), plan.task)
    env.reset(seed=0)
    draw = random.Random(0)

    def play() -> int:
        decisions = 0
        for _ in range(20):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                allowed = observation["action_mask"].nonzero()[0]
                env.step(int(allowed[int(draw.random() * len(allowed))]))
                decisions += 1
        return decisions

    counted = (
        "one decision of one seat; one-hot observation and mask of the seat to act, the last round of "
        "agent_iter and resets included; one game, Python loop"
    )
    return [rate("one AEC game (agent_iter, last, step)", "decisions/s", play, None, plan, counted)]


def measure_ppo(plan: Plan) -> list[Measurement]:
    """Our PPO: playing and learning."""
    from unspoken.train.allocation import keep_freed_memory
    from unspoken.train.config import TrainConfig
    from unspoken.train.ppo import PPO

    keep_freed_memory()
    ppo = PPO(TrainConfig.model_validate({"task": plan.task, "hidden": (256, 256), "threads": plan.threads}))

    def update() -> int:
        before = ppo.steps
        ppo.update()
        return ppo.steps - before

    name = f"PPO, 2 x 256, {ppo.config.precision}, threads: {ppo.config.threads}"
    counted = f"one decision of one seat, played and learned from in {ppo.config.epochs} epochs"
    return [rate(name, "samples/s", update, None, plan, counted)]


def measure_sb3(plan: Plan) -> list[Measurement]:
    """``MaskablePPO`` with the settings of ``unspoken.train.sb3_ppo``: playing and learning."""
    from unspoken.train.sb3_ppo import Settings, make_model, set_torch_threads

    settings = Settings(threads=plan.threads or 0)
    set_torch_threads(settings)
    model = make_model(plan.task, settings)
    rollout = settings.num_envs * settings.n_steps

    def update() -> int:
        model.learn(rollout)
        return rollout

    name = f"MaskablePPO, 2 x {settings.width}, float32, {_torch_threads()}"
    counted = (
        f"one decision of one seat, played and learned from in {settings.n_epochs} epochs; "
        f"{settings.num_envs} games in a compiled batch"
    )
    return [rate(name, "samples/s", update, None, plan, counted)]


def measure_start(plan: Plan) -> list[Measurement]:
    """A new process up to the first step of a batch and of an AEC game: with nothing compiled, and with
    everything on disk."""
    script = (
        "from unspoken.envs import make_game, make_vec\n"
        "from unspoken.envs.faces.aec import GameAECEnv\n"
        f"vec = make_vec({plan.task!r}, {plan.num_envs})\n"
        "vec.reset()\n"
        "vec.step(vec.sample_actions())\n"
        f"env = GameAECEnv(make_game({plan.task!r}), {plan.task!r})\n"
        "env.reset()\n"
        "env.step(int(env.last()[0]['action_mask'].argmax()))\n"
    )
    imports = _seconds_of("import unspoken.envs", {}, plan.repeats)
    with tempfile.TemporaryDirectory() as cache:
        environment = {"NUMBA_CACHE_DIR": cache}
        cold = _seconds_of(script, environment, 1)
        warm = _seconds_of(script, environment, plan.repeats)
    return [
        median("import unspoken.envs", "s", imports),
        median("import and first steps, everything compiled anew", "s", cold),
        median("import and first steps, compiled before", "s", warm),
    ]


def measure_memory(plan: Plan) -> list[Measurement]:
    """The arrays that a batch keeps for 1,000 games."""
    vec = make_vec(plan.task, 1000, seed=0)
    owned = {id(array): array.nbytes for array in _arrays(vec)}
    vec.close()
    return [Measurement("memory of 1,000 games in a batch", "KB", sum(owned.values()) / 1000)]


MEASUREMENTS: dict[str, Callable[[Plan], list[Measurement]]] = {
    "batch": measure_batch,
    "aec": measure_aec,
    "ppo": measure_ppo,
    "sb3": measure_sb3,
    "start": measure_start,
    "memory": measure_memory,
    "render": measure_render,
}
"""Every measurement of our own by name, in the order of the report."""

GROUPS = {"peers": ("batch", "aec", "sb3", *bench_peers.PEERS)}
"""Names that stand for several measurements: other libraries, after what of ours they are compared with."""


def bench(plan: Plan, only: list[str] | None = None) -> dict[str, Any]:
    """Measure, and return the report: ``machine``, ``plan``, ``results`` and what was ``skipped`` and why.

    Raises:
        ValueError: ``only`` names no measurement, or the plan is not allowed.
    """
    known = MEASUREMENTS | bench_peers.PEERS
    asked = [name for group in only or MEASUREMENTS for name in GROUPS.get(group, (group,))]
    for name in asked:
        if name not in known:
            raise ValueError(f"measurement {name!r}: unknown; there are {', '.join([*known, *GROUPS])}")
    if plan.repeats < 1:
        raise ValueError(f"repeats={plan.repeats!r}: must be 1 or more")
    task_config(plan.task)
    machine = describe_machine()
    results: list[Measurement] = []
    skipped: dict[str, str] = {}
    for name in asked:
        try:
            results += known[name](plan)
        except ModuleNotFoundError as error:
            skipped[name] = f"needs {bench_peers.DISTRIBUTIONS.get(error.name or '', error.name)}"
    return {
        "machine": machine,
        "plan": asdict(plan),
        "results": [asdict(result) for result in results],
        "skipped": skipped,
    }


def describe_machine() -> dict[str, Any]:
    """Processor, cores, load, system and versions."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {
        "processor": _processor(),
        "cores": available_cores(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "versions": versions,
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _seconds_of(script: str, environment: dict[str, str], repeats: int) -> list[float]:
    """Wall-clock times of running ``script`` in a new interpreter."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", script], env={**os.environ, **environment}, check=True)
        times.append(time.perf_counter() - started)
    return times


def _torch_threads() -> str:
    """How many threads torch uses now, in words."""
    import torch

    return f"threads: {torch.get_num_threads()}"


def _arrays(holder: object) -> list[np.ndarray[Any, Any]]:
    """The arrays in an object's attributes, each as the array that owns the memory."""
    found = []
    for value in vars(holder).values():
        for array in value if isinstance(value, tuple) else (value,):
            if isinstance(array, np.ndarray):
                while isinstance(array.base, np.ndarray):
                    array = array.base
                found.append(array)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken bench``."""
    defaults = Plan()
    parser.add_argument(
        "only",
        nargs="*",
        metavar="WHAT",
        help=f"what to measure (default: all of ours): {', '.join(MEASUREMENTS)}; "
        f"other libraries, where they are installed: peers, or {', '.join(bench_peers.PEERS)}",
    )
    parser.add_argument("--task", default=defaults.task, help=f"default {defaults.task}")
    parser.add_argument(
        "--num-envs", type=int, default=defaults.num_envs, metavar="N", help="games of a batch"
    )
    parser.add_argument("--threads", type=int, metavar="T", help="of the engine and torch (default: chosen)")
    parser.add_argument("--repeats", type=int, default=defaults.repeats, metavar="R", help="runs of each")
    parser.add_argument("--quick", action="store_true", help="a rough look: one short run of each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report, with every run, to FILE")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken bench``: print the table, and write JSON if asked."""
    plan = Plan(arguments.task, arguments.num_envs, arguments.threads, arguments.repeats)
    if arguments.quick:
        plan = Plan(arguments.task, arguments.num_envs, arguments.threads, 1, 0.1)
    report = bench(plan, arguments.only)
    machine = report["machine"]
    print(f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}, {machine['system']}")
    print(
        f"Python {machine['python']}, " + ", ".join(f"{name} {v}" for name, v in machine["versions"].items())
    )
    print(f"{plan.task}, median of {plan.repeats}\n")
    rows = []
    for result in report["results"]:
        digits = 0 if result["value"] >= 100 else 2
        rows.append([result["name"], f"{result['value']:,.{digits}f}", result["unit"]])
    if rows:
        print(table(rows[0], rows[1:]))
    for counted in dict.fromkeys(result["counted"] for result in report["results"] if result["counted"]):
        named = [result["name"] for result in report["results"] if result["counted"] == counted]
        print(f"\n{'; '.join(named)}\n  counts {counted}.")
    for name, reason in report["skipped"].items():
        print(f"{name} left out: {reason}")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
