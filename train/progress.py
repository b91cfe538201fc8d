"""What a training run shows: a progress bar, and a line for every evaluation."""

import math
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from unspoken.train.text import percent


class TrainingProgress:
    """Decisions done, decisions a second, win rates, time gone and left; use as a context manager."""

    def __init__(
        self,
        task: str,
        total_steps: int,
        steps: int = 0,
        console: Console | None = None,
        shown: bool = True,
    ) -> None:
        """A run of ``total_steps`` decisions, ``steps`` of them done; nothing appears unless ``shown``."""
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f}%  {task.fields[speed]}  {task.fields[wins]} "),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console or Console(quiet=not shown),
        )
        self._task = self._bar.add_task(task, total=total_steps, completed=steps, speed="", wins="")
        self._last_win_rate = ""

    def report(self, row: dict[str, float]) -> None:
        """Show the measurements of an update (see ``PPO.update``)."""
        speed = f"{row['steps_per_second']:,.0f} steps/s"
        playing = row["train_win_rate"]
        wins = "" if math.isnan(playing) else f"training {percent(playing)}"
        if "win_rate" in row:
            self._last_win_rate = f"evaluation {percent(row['win_rate'])}"
            self._bar.console.print(
                f"{row['steps']:>13,.0f} decisions  {row['seconds']:7.1f} s  "
                f"won {percent(row['win_rate']):>7}  (exploring {percent(playing) if wins else '-':>7})"
                + (f"  score {row['score']:.2f}" if row["score"] != row["win_rate"] else ""),
                highlight=False,
            )
        shown = "  ".join(filter(None, (wins, self._last_win_rate)))
        self._bar.update(self._task, completed=row["steps"], speed=speed, wins=shown)

    def __enter__(self) -> "TrainingProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
