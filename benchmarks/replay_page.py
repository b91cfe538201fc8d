"""Size of recorded games and their pages, and how quickly they are made and stepped through.

python benchmarks/replay_page.py                    # files and pages
python benchmarks/replay_page.py --chromium PATH    # and the time of a step in a browser (needs playwright)
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from unspoken.train.evaluate import evaluate
from unspoken.train.replay import moving_picture
from unspoken.train.replay_page import page
from unspoken.train.showing import Showing, open_recording
from unspoken.train.text import table

TEAMS = {
    "syzygy-base-4p": "zoo:syzygy-base-4p",
    "syncro-Ia-3p": "zoo:syncro-Ia-3p",
    "syncro-IIe-3p": "zoo:syncro-IIe-3p",
    "syncro-adventure-4p": "syncro/estimate",
}
"""Tasks with the team that plays them."""
SEED = 3
REPEATS = 5
MOST_PICTURES = 100
"""Longer games are not drawn here."""

STEP = """() => {
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""
"""A step of the page, laid out; its time in milliseconds."""


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of ``work``, the median of some runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return median(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chromium", type=Path, metavar="PATH", help="a Chromium to step through the pages")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for task, team in TEAMS.items():
            folder = Path(name) / task
            evaluate(task, team, 1, SEED, threads=1, record=folder)
            (path,) = folder.iterdir()
            showing = open_recording(path)
            text = page(showing, showing.views)
            path.with_suffix(".html").write_text(text, encoding="utf-8")
            rows.append(
                [
                    task,
                    f"{len(showing.steps) - 1:,}",
                    f"{path.stat().st_size / 1000:.1f} kB",
                    f"{milliseconds(lambda path=path: open_recording(path)):.0f} ms",
                    f"{len(text) / 1000:.0f} kB",
                    f"{milliseconds(lambda showing=showing: page(showing, showing.views)):.0f} ms",
                    *moving(showing),
                    *stepped(arguments.chromium, path.with_suffix(".html"), len(showing.steps) - 1),
                ]
            )
    head = ["task", "decisions", "file", "opened in", "page", "made in", "GIF", "made in"]
    print(table([*head, *["a step", "slowest"][: len(rows[0]) - len(head)]], rows))


def moving(showing: Showing) -> list[str]:
    """Size and time of the moving picture."""
    if len(showing.steps) > MOST_PICTURES:
        return ["-", "-"]
    start = time.process_time()
    size = len(moving_picture(showing, None, 700))
    return [f"{size / 1000:,.0f} kB", f"{time.process_time() - start:.1f} s"]


def stepped(chromium: Path | None, path: Path, steps: int) -> list[str]:
    """Median and longest time of a step in the browser."""
    if chromium is None:
        return []
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser: Any = driver.chromium.launch(
            executable_path=str(chromium), args=["--no-sandbox", "--disable-gpu"]
        )
        opened = browser.new_page(viewport={"width": 1280, "height": 900})
        opened.goto(path.as_uri())
        opened.wait_for_selector("#replay:not([hidden])")
        times = [opened.evaluate(STEP) for _ in range(min(steps, 200))]
        browser.close()
    return [f"{median(times):.1f} ms", f"{max(times):.1f} ms"]


if __name__ == "__main__":
    main()
