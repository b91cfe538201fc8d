"""The learning curve of a run: in the terminal and as a picture."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

Points = Sequence[tuple[float, float]]
"""(decisions, win rate), in order."""

_DOT = "•"


def curve_points(metrics: Sequence[Mapping[str, float]], name: str = "win_rate") -> Points:
    """The points of measurement ``name`` in the rows of ``metrics.csv``."""
    return [(row["steps"], row[name]) for row in metrics if name in row]


def draw_curve(points: Points, width: int = 60, height: int = 11) -> str:
    """The curve as text, with win rates from 0 to 100% upwards.

    Raises:
        ValueError: there are no points.
    """
    if not points:
        raise ValueError("no points: the run has no evaluation yet")
    last = points[-1][0]
    cells = [[" "] * width for _ in range(height)]
    for column in range(width):
        rate = _interpolate(points, last * (column + 0.5) / width)
        if rate is not None:
            cells[round((1.0 - rate) * (height - 1))][column] = _DOT
    lines = []
    for row, line in enumerate(cells):
        label = f"{100 * (height - 1 - row) / (height - 1):4.0f}% " if row % 2 == 0 else " " * 6
        lines.append(f"{label}│{''.join(line).rstrip()}")
    lines.append(" " * 6 + "└" + "─" * width)
    end = f"{last:,.0f} decisions"
    lines.append(" " * 7 + "0" + end.rjust(width - 1))
    return "\n".join(lines)


def _interpolate(points: Points, at: float) -> float | None:
    """The curve's height, ``None`` before its first point."""
    for (left, low), (right, high) in pairwise(points):
        if left <= at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return points[0][1] if len(points) == 1 or at > points[-1][0] else None


def save_curve(
    path: Path, title: str, evaluated: Points, exploring: Points, others: Mapping[str, float]
) -> None:
    """The curve as a PNG, with a line for each of ``others``, teams and their win rates."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*exploring, strict=True), color="0.75", label="in training, exploring")
    axes.plot(*zip(*evaluated, strict=True), color="C0", marker="o", markersize=3, label="held-out games")
    for index, (name, rate) in enumerate(others.items(), start=1):
        axes.axhline(rate, color=f"C{index}", linestyle="--", linewidth=1.0, label=f"team of {name}")
    axes.set(title=title, xlabel="decisions", ylabel="games won", ylim=(-0.02, 1.02))
    axes.yaxis.set_major_formatter(lambda value, position: f"{100 * value:.0f}%")
    axes.xaxis.set_major_formatter(lambda value, position: f"{value / 1e6:g} M")
    axes.grid(alpha=0.3)
    axes.legend(loc="center right", fontsize="small")
    figure.savefig(path, dpi=150)
