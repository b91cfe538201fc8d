"""The tables in the documents that follow from something else: observations from the feature layouts, win
rates from ``configs/known_results.yaml``.

``python -m tests.docs_tables`` writes them anew, after a change of a layout, of a card or of a result.
"""

from __future__ import annotations

from pathlib import Path

from unspoken.envs import make_game
from unspoken.envs.syncro.limits import LEVELS
from unspoken.train.tasks import known_results

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TABLES = {"syzygy-base-4p": DOCS / "syzygy.md", "syncro-IIa-3p": DOCS / "syncro.md"}
"""Each task with the page that has its table."""

END = "<!-- end of layout -->"

RESULTS = {
    "teams": [
        ("random", 3, "random"),
        ("solo", 3, "syncro/solo"),
        ("estimate", 3, "syncro/estimate"),
        ("convention", 3, "syncro/convention"),
        ("learned", 3, "zoo:{task}"),
        ("oracle", 3, "syncro/oracle"),
    ],
    "wizards": [(f"{players} wizards", players, "syncro/convention") for players in (2, 3, 4, 5)],
}
"""The columns of each table of Syncro's results: head, number of wizards, team."""
RESULT_PAGES = {"teams": (ROOT / "README.md", DOCS / "syncro.md"), "wizards": (DOCS / "syncro.md",)}
RESULTS_END = "<!-- end of results -->"
SYZYGY_RESULTS = "<!-- results of syzygy -->\n"


def begin(task: str) -> str:
    """The mark before a table."""
    return f"<!-- layout of {task} -->\n"


def layout_table(task: str) -> list[str]:
    """The lines of the table: the features of an observation."""
    rows = ["| entries | name | values | meaning |", "|---|---|---|---|"]
    for feature in make_game(task).layout.features:
        last = feature.start + feature.size - 1
        entries = f"{feature.start}" if feature.size == 1 else f"{feature.start}-{last}"
        rows.append(f"| {entries} | `{feature.name}` | 0..{feature.cardinality - 1} | {feature.meaning} |")
    return rows


def begin_results(name: str) -> str:
    """The mark before a table of results."""
    return f"<!-- results of syncro by {name} -->\n"


def results_table(name: str) -> list[str]:
    """The lines of a table of win rates, a row a level."""
    columns = RESULTS[name]
    known = known_results()
    rows = [f"| level | {' | '.join(head for head, _, _ in columns)} |", "|---" * (len(columns) + 1) + "|"]
    for level in LEVELS:
        cells = []
        for _, players, team in columns:
            task = f"syncro-{level.replace('-', '')}-{players}p"
            result = known[task]["results"].get(team.format(task=task))
            cells.append(f"{result['win_rate']:.1%}" if result else "")
        rows.append(f"| {level} | {' | '.join(cells)} |")
    return rows


def syzygy_results() -> list[str]:
    """The lines of the table of Syzygy's results, which is kept in the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition(SYZYGY_RESULTS)[2].partition(RESULTS_END)[0].splitlines()


def _replace(page: Path, begins: str, ends: str, lines: list[str]) -> None:
    before, mark, rest = page.read_text(encoding="utf-8").partition(begins)
    _, end, after = rest.partition(ends)
    assert mark, f"{page.name}: no table after {begins!r}"
    assert end, f"{page.name}: no end of the table after {begins!r}"
    page.write_text(before + mark + "\n".join(lines) + "\n" + end + after, encoding="utf-8")
    print(f"{page.name}: {begins.strip()}")


def main() -> None:
    """Write every table."""
    for task, page in TABLES.items():
        _replace(page, begin(task), END, layout_table(task))
    for name, pages in RESULT_PAGES.items():
        for page in pages:
            _replace(page, begin_results(name), RESULTS_END, results_table(name))
    _replace(DOCS / "syzygy.md", SYZYGY_RESULTS, RESULTS_END, syzygy_results())


if __name__ == "__main__":
    main()
