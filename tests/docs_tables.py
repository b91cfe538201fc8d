"""The observation tables in the documents, from the feature layouts.

``python -m tests.docs_tables`` writes them anew, after a change of a layout or of Syncro's cards.
"""

from __future__ import annotations

from pathlib import Path

from unspoken.envs import make_game

DOCS = Path(__file__).parent.parent / "docs"
TABLES = {"syzygy-base-4p": DOCS / "syzygy.md", "syncro-IIa-3p": DOCS / "syncro.md"}
"""Each task with the page that has its table."""

END = "<!-- end of layout -->"


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


def main() -> None:
    """Write every table."""
    for task, page in TABLES.items():
        before, mark, rest = page.read_text(encoding="utf-8").partition(begin(task))
        _, end, after = rest.partition(END)
        assert mark, f"{page.name}: no table of {task}"
        assert end, f"{page.name}: no end of the table of {task}"
        page.write_text(before + mark + "\n".join(layout_table(task)) + "\n" + end + after, encoding="utf-8")
        print(f"{page.name}: {task}")


if __name__ == "__main__":
    main()
