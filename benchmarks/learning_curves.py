"""Learning curves of the runs behind the results: ``syncro_learning.csv`` here, and a picture for the docs.

::

    unspoken train syncro-Ia-3p
    python benchmarks/learning_curves.py runs/syncro-Ia-3p-seed0

The runs that are named replace those of the same task; the others stay.
"""

import csv
import sys
from pathlib import Path

from matplotlib import pyplot

from unspoken.envs import task_names
from unspoken.train.run_folder import METRICS, load_run_config
from unspoken.train.tasks import known_results

FILE = Path(__file__).parent / "syncro_learning.csv"
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "syncro-learning.png"
COLUMNS = ("task", "decisions", "seconds", "win_rate")
LINES = {"syncro/convention": "tab:orange", "syncro/oracle": "tab:green"}
"""The bots that are drawn beside a curve, with their colours."""


def read_run(run: Path) -> list[dict[str, str]]:
    """The evaluations of a run."""
    task = load_run_config(run).task
    with (run / METRICS).open(encoding="utf-8", newline="") as file:
        return [
            dict(zip(COLUMNS, (task, row["steps"], row["seconds"], row["win_rate"]), strict=True))
            for row in csv.DictReader(file)
            if row["win_rate"]
        ]


def draw(points: dict[str, list[dict[str, str]]]) -> None:
    """One panel a task."""
    figure, panels = pyplot.subplots(3, 3, figsize=(9, 7), sharey=True, layout="constrained")
    known = known_results()
    for panel, (task, rows) in zip(panels.flat, points.items(), strict=False):
        decisions = [int(row["decisions"]) / 1e6 for row in rows]
        panel.plot(decisions, [float(row["win_rate"]) for row in rows], marker=".", label="learned")
        for bot, colour in LINES.items():
            if bot in known[task]["results"]:
                share = known[task]["results"][bot]["win_rate"]
                panel.axhline(share, color=colour, linestyle="--", label=bot.removeprefix("syncro/"))
        panel.set_title(task, fontsize=9)
        panel.set_ylim(0, 1)
    panels.flat[0].legend(fontsize=8)
    figure.supxlabel("million decisions")
    figure.supylabel("held-out games won")
    figure.savefig(PICTURE, dpi=100)


def main() -> None:
    """Read the runs that are named, and draw all."""
    points: dict[str, list[dict[str, str]]] = {}
    if FILE.exists():
        with FILE.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                points.setdefault(row["task"], []).append(row)
    for run in sys.argv[1:]:
        rows = read_run(Path(run))
        points[rows[0]["task"]] = rows
    points = {task: points[task] for task in task_names() if task in points}
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(row for rows in points.values() for row in rows)
    draw(points)


if __name__ == "__main__":
    main()
