"""What a benchmark measures with: a plan, a clock, and rows of a table."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Plan:
    """What to measure and how.

    Attributes:
        task: the task. num_envs: games of a batch. threads: of the engine and torch; ``None``: chosen.
        repeats: runs of each measurement. seconds: length of a run, as near as whole calls allow.
    """

    task: str = "syzygy-base-4p"
    num_envs: int = 4096
    threads: int | None = None
    repeats: int = 5
    seconds: float = 1.0


@dataclass(frozen=True)
class Measurement:
    """One row: what it is, how much, every run, and what is counted (``""``: the name says it)."""

    name: str
    unit: str
    value: float
    runs: list[float] = field(default_factory=list)
    counted: str = ""


def rate(
    name: str,
    unit: str,
    call: Callable[[], int | None],
    decisions: int | None,
    plan: Plan,
    counted: str = "",
) -> Measurement:
    """How often a second ``call`` makes its ``decisions`` (``None``: as many as it returns)."""
    call()
    rates = []
    for _ in range(plan.repeats):
        made = 0
        started = time.perf_counter()
        while (elapsed := time.perf_counter() - started) < plan.seconds or made == 0:
            returned = call()
            made += (returned or 0) if decisions is None else decisions
        rates.append(made / elapsed)
    return median(name, unit, rates, counted)


def median(name: str, unit: str, runs: list[float], counted: str = "") -> Measurement:
    """The row of several runs."""
    return Measurement(name, unit, statistics.median(runs), runs, counted)
