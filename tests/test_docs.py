"""The documents say what the code does: their examples run, and their tables are the code's own."""

import re
from pathlib import Path

import pytest

from unspoken.envs import make_game

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_runs(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_observation_table_is_the_feature_layout() -> None:
    page = (ROOT / "docs" / "syzygy.md").read_text()
    table = page.partition("<!-- layout of syzygy-base-4p -->\n")[2].partition("<!-- end of layout -->")[0]
    rows = ["| entries | name | values | meaning |", "|---|---|---|---|"]
    for feature in make_game("syzygy-base-4p").layout.features:
        last = feature.start + feature.size - 1
        entries = f"{feature.start}" if feature.size == 1 else f"{feature.start}-{last}"
        rows.append(f"| {entries} | `{feature.name}` | 0..{feature.cardinality - 1} | {feature.meaning} |")
    assert table.strip().splitlines() == rows
