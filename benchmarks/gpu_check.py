"""One run on a GPU: does it play the CPU's games, and how fast. A table, and JSON after every row.

    python benchmarks/gpu_check.py --json gpu.json            # all sections, under eight minutes on an H200
    python benchmarks/gpu_check.py equality speed --quick
    python benchmarks/gpu_check.py --device cpu --quick       # the script itself, without a GPU

A section is a function that is given the device's name and whether to be quick, and yields rows; it is
stopped at its limit and after an error, and the next one runs all the same. ``SECTIONS`` lists them.
"""

import argparse
import json
import platform
import statistics
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import torch

from unspoken.envs import BatchEnv, make_vec
from unspoken.envs.faces.batch import ARRAYS
from unspoken.train.bench import bench
from unspoken.train.bench_peers import PEERS
from unspoken.train.bench_rates import Plan
from unspoken.train.config import make_config
from unspoken.train.ppo import PPO
from unspoken.train.text import table

EQUAL_TASKS: list[tuple[str, dict[str, Any]]] = [
    ("syzygy-base-4p", {}),
    ("syzygy-divine-6p", {"reward": "shaped"}),
    ("syzygy-base12-5p", {"emotions": 4, "memory": "none"}),
    ("syncro-Ia-3p", {}),
    ("syncro-IIe-4p", {"reward": "shaped"}),
    ("syncro-adventure-5p", {}),
]
SPEED_TASKS = ("syzygy-base-4p", "syncro-Ia-3p", "syncro-IIe-3p")
SIZES = tuple(2**power for power in (14, 16, 17, 18, 20))
STEPS_A_LAUNCH = 32
"""Decisions of each game in a long launch, and in a graph."""


@dataclass(frozen=True)
class Row:
    """One result.

    Attributes:
        what: in words. value: a number, or ``None`` for what is only said. unit: of the number. note: more.
        runs: all the measurements whose median ``value`` is.
    """

    what: str
    value: float | None = None
    unit: str = ""
    note: str = ""
    runs: list[float] = field(default_factory=list)


Section = Callable[[str, bool], Iterator[Row]]


def batch(task: str, num_envs: int, device: str, **options: Any) -> BatchEnv:
    """A batch in torch tensors on the device, dealt."""
    vec = make_vec(task, num_envs, seed=0, device=device, backend="torch", **options)
    vec.reset()
    return vec


def finish(device: str) -> None:
    """Wait until the device is done."""
    if device != "cpu":
        torch.cuda.synchronize(device)


def first_use(device: str, quick: bool) -> Iterator[Row]:
    """Until the first games are dealt: everything compiled, or read from numba's cache."""
    for task in ("syzygy-base-4p", "syncro-Ia-3p"):
        start = time.perf_counter()
        vec = batch(task, 1024, device)
        vec.play_random()
        finish(device)
        yield Row(f"{task}: first batch", time.perf_counter() - start, "s")
        if device == "cpu":
            continue
        kernels = vec.game.cuda_kernels
        for name in ("run_games", "sample_actions", "observe_games"):
            registers = list(getattr(kernels, name).get_regs_per_thread().values())
            local = list(getattr(kernels, name).get_local_mem_per_thread().values())
            yield Row(f"{task}: {name}", note=f"{registers} registers, {local} bytes of local memory")


def equality(device: str, quick: bool) -> Iterator[Row]:
    """The CPU's games, bit for bit."""
    num_envs, calls = (200, 5) if quick else (5000, 20)
    for task, options in EQUAL_TASKS:
        cpu = make_vec(task, num_envs, seed=0, **options)
        cpu.reset()
        other = batch(task, num_envs, device, **options)
        decisions = 0
        for call in range(calls):
            # Long launches, chosen actions, and now and then an illegal one.
            cpu.play_random(37)
            other.play_random(37)
            actions = cpu.sample_actions().astype(np.int64)
            assert_same("sample_actions", actions, other.sample_actions())
            actions[call % num_envs] = cpu.n_actions
            cpu.step(actions)
            other.step(torch.from_numpy(actions).to(other.features.device))
            decisions += 38 * num_envs
            for name in ARRAYS:
                assert_same(name, getattr(cpu, name), getattr(other, name))
            seat = call % cpu.n_players
            for everything in (False, True):
                assert_same("observe", cpu.observe(seat, everything), other.observe(seat, everything))
            one, two = cpu.get_state(), other.get_state()
            assert all(one[name].tobytes() == two[name].tobytes() for name in one), "get_state"
        yield Row(f"{task} {options or ''}: equal after", decisions, "decisions", f"{num_envs} games")


def assert_same(name: str, expected: Any, tensor: Any) -> None:
    np.testing.assert_array_equal(expected, tensor.cpu().numpy(), err_msg=name)


def speed(device: str, quick: bool) -> Iterator[Row]:
    """Decisions a second, random legal actions; features and mask of every decision are written."""
    for num_envs in SIZES[:1] if quick else SIZES:
        for task in SPEED_TASKS:
            vec = batch(task, num_envs, device)
            vec.play_random(64)
            for name, decisions, call in ways(vec, device):
                runs = [num_envs * decisions / seconds for seconds in timed(call, device, quick)]
                rate = statistics.median(runs)
                yield Row(f"{task}, {num_envs:,} games, {name}", rate, "decisions/s", runs=runs)
            del vec, call
            if device != "cpu":
                torch.cuda.empty_cache()


def ways(vec: BatchEnv, device: str) -> Iterator[tuple[str, int, Callable[[], object]]]:
    """How a batch is played: (name, decisions of a game in a call, the call)."""
    yield "one decision a launch", 1, vec.play_random
    yield f"{STEPS_A_LAUNCH} decisions a launch", STEPS_A_LAUNCH, lambda: vec.play_random(STEPS_A_LAUNCH)
    yield "sample_actions() and step()", 1, lambda: vec.step(vec.sample_actions())
    if device == "cpu":
        return
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize(device)
    with torch.cuda.graph(graph):
        for _ in range(STEPS_A_LAUNCH):
            vec.step(vec.sample_actions())
    yield f"graph of {STEPS_A_LAUNCH} sample_actions() and step()", STEPS_A_LAUNCH, graph.replay


def timed(call: Callable[[], object], device: str, quick: bool) -> list[float]:
    """Seconds of a call, in each of several runs of many calls."""
    calls, seconds = 1, 0.0
    wanted = 0.02 if quick else 0.15
    while True:
        finish(device)
        start = time.perf_counter()
        for _ in range(calls):
            call()
        finish(device)
        seconds = time.perf_counter() - start
        if seconds >= wanted:
            break
        calls *= 2
    results = [seconds / calls]
    for _ in range(2 if quick else 4):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        finish(device)
        results.append((time.perf_counter() - start) / calls)
    return results


def training(device: str, quick: bool) -> Iterator[Row]:
    """PPO with 2 x 512 on syzygy-base-4p: decisions a second, and seconds of training to a win rate."""
    settings = {
        "task": "syzygy-base5-3p" if quick else "syzygy-base-4p",
        "device": device,
        "num_envs": 512 if quick else 8192,
        "minibatches": 8 if quick else 32,
        "hidden": [64, 64] if quick else [512, 512],
        "total_steps": 200_000 if quick else 400_000_000,
        "learning_rate": {"start": 1e-3, "end": 5e-5},
        "shaping": {"start": 0.5, "end": 0.0, "until": 0.3},
        "evaluate_games": 500 if quick else 10_000,
    }
    ppo = PPO(make_config(settings))
    targets = [0.02, 0.05] if quick else [0.99, 0.999]
    speeds = []
    while ppo.steps < ppo.config.total_steps and targets:
        for _ in range(4 if quick else 40):
            speeds.append(ppo.update()["steps_per_second"])
        won = ppo.evaluate().win_rate
        note = f"{won:.2%} of {ppo.config.evaluate_games:,} games after {ppo.steps:,} decisions"
        yield Row("training so far", ppo.seconds, "s", note)
        while targets and won >= targets[0]:
            yield Row(f"{targets.pop(0):.1%} reached", ppo.seconds, "s", note)
    yield Row("end to end", statistics.median(speeds), "decisions/s", f"precision {ppo.config.precision}")


def peers(device: str, quick: bool) -> Iterator[Row]:
    """Other libraries' card games, where they are installed; all on the CPU."""
    report = bench(Plan(repeats=1 if quick else 3, seconds=0.1 if quick else 1.0), list(PEERS))
    for result in report["results"]:
        yield Row(result["name"], result["value"], result["unit"], runs=result["runs"])
    for name, reason in report["skipped"].items():
        yield Row(name, note=f"left out: {reason}")


SECTIONS: dict[str, tuple[float, Section]] = {
    "first_use": (100, first_use),
    "equality": (60, equality),
    "speed": (120, speed),
    "training": (140, training),
    "peers": (30, peers),
}
"""By name: seconds that a section may take, looked at after every row, and the section."""


def about(device: str) -> dict[str, str]:
    """What was measured on."""
    known = ("numpy", "numba", "numba-cuda", "torch", "unspoken")
    installed = {package.metadata["Name"]: package.version for package in metadata.distributions()}
    facts = {"python": platform.python_version(), "processor": platform.processor() or platform.machine()}
    facts |= {name: installed[name] for name in known if name in installed}
    if device != "cpu":
        facts["gpu"] = torch.cuda.get_device_name(device)
        facts["cuda of torch"] = str(torch.version.cuda)
    return facts


def run(names: list[str], device: str, quick: bool, path: Path | None) -> bool:
    """Run the sections; whether all of them went through."""
    result: dict[str, Any] = {"device": device, "quick": quick, "about": about(device), "sections": {}}
    print(result["about"], flush=True)
    complete = True
    for name in names:
        limit, section = SECTIONS[name]
        start = time.perf_counter()
        rows: list[Row] = []
        record: dict[str, Any] = {"rows": [], "ended": "complete"}
        result["sections"][name] = record
        print(f"\n{name}: {(section.__doc__ or '').strip()}", flush=True)
        try:
            for row in section(device, quick):
                rows.append(row)
                print(f"  {time.perf_counter() - start:6.1f} s  {said(row)}", flush=True)
                record["rows"].append(asdict(row))
                save(result, path)
                if time.perf_counter() - start > limit:
                    record["ended"] = f"stopped at its limit of {limit} s"
                    break
        except Exception:
            record["ended"] = traceback.format_exc()
            complete = False
        record["seconds"] = time.perf_counter() - start
        save(result, path)
        if record["ended"] != "complete":
            print(f"  {record['ended']}", flush=True)
    print()
    rows_of_all = [
        [name, row["what"], "" if row["value"] is None else f"{row['value']:,.4g}", row["unit"]]
        for name, record in result["sections"].items()
        for row in record["rows"]
    ]
    print(table(["section", "what", "value", "unit"], rows_of_all))
    return complete


def said(row: Row) -> str:
    """A row in a line."""
    value = "" if row.value is None else f" {row.value:,.4g} {row.unit}"
    return f"{row.what}{value} {row.note}".rstrip()


def save(result: dict[str, Any], path: Path | None) -> None:
    if path is not None:
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all")
    parser.add_argument("--device", default="cuda:0", help="cuda:0, another one, or cpu")
    parser.add_argument("--quick", action="store_true", help="fewer games and shorter runs")
    parser.add_argument("--json", type=Path, help="where to write everything")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.sections) - set(SECTIONS))
    if unknown:
        parser.error(f"unknown section {unknown[0]!r}: must be one of {', '.join(SECTIONS)}")
    if arguments.device != "cpu" and not torch.cuda.is_available():
        parser.error(
            f"--device {arguments.device}: torch finds no CUDA device here; --device cpu tries the script"
        )
    names = arguments.sections or list(SECTIONS)
    return 0 if run(names, arguments.device, arguments.quick, arguments.json) else 1


if __name__ == "__main__":
    sys.exit(main())
