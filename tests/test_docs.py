"""The documents say what the code does: their examples run, and their tables are the code's own."""

import re
from pathlib import Path
from typing import get_args

import pytest

from tests.docs_tables import (
    END,
    RESULT_PAGES,
    RESULTS_END,
    TABLES,
    begin,
    begin_results,
    layout_table,
    results_table,
)
from unspoken.envs.syncro.cards import CardSet, Effect

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n\nprints\n\n```text\n(.*?)```)?", re.DOTALL)
EXAMPLES = [
    pytest.param(*blocks, id=f"{page.name}-{number}")
    for page in PAGES
    for number, blocks in enumerate(EXAMPLE.findall(page.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize(("example", "printed"), EXAMPLES)
def test_every_example_runs_and_prints_what_it_says(
    example: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "example"})
    if printed:
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("task", TABLES)
def test_the_observation_table_is_the_feature_layout(task: str) -> None:
    """If it is not any more: python -m tests.docs_tables."""
    page = TABLES[task].read_text(encoding="utf-8")
    table = page.partition(begin(task))[2].partition(END)[0]
    assert table.strip().splitlines() == layout_table(task)


@pytest.mark.parametrize("name", RESULT_PAGES)
def test_the_results_are_the_known_ones(name: str) -> None:
    """If they are not any more: python -m tests.docs_tables."""
    for page in RESULT_PAGES[name]:
        table = page.read_text(encoding="utf-8").partition(begin_results(name))[2].partition(RESULTS_END)[0]
        assert table.strip().splitlines() == results_table(name)


def test_every_effect_of_a_card_is_explained() -> None:
    page = (ROOT / "docs" / "syncro.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(.*)\| .+ \|$", page.partition("| `do` | keys |")[2], re.MULTILINE)
    explained = {name: set(re.findall(r"`(\w+)`", keys)) for name, keys in rows}
    effects = get_args(get_args(Effect)[0])
    expected = {get_args(effect.model_fields["do"].annotation)[0]: effect.model_fields for effect in effects}
    assert explained == {name: {*fields} - {"do"} for name, fields in expected.items()}


def test_every_section_of_a_card_file_is_explained() -> None:
    page = (ROOT / "docs" / "syncro.md").read_text(encoding="utf-8")
    table = page.partition("| section | what it is |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(CardSet.model_fields)
