"""The documents say what the code does: every code block is carried out, and the tables are the code's own.

A page's blocks are taken from top to bottom in one empty folder, as a reader would. By language:

- ``python`` runs as it stands. With ``<!-- needs: cuda -->`` or ``torchrl`` before it, it runs where there is
  such a thing and is compiled elsewhere; with ``ray`` it is compiled, and runs in ``test_ray_rllib.py``.
- ``sh``: each line is carried out by ``docs_commands``. ``unspoken tasks``, ``levels``, ``train``, ``demo``,
  ``sweep``, ``improve``, ``evaluate``, ``crossplay``, ``play`` and ``replay`` and the script for
  Stable-Baselines3 run in this process, with a budget cut to almost nothing. Only parsed, with every task,
  setting, file, target and extra looked up: ``unspoken bench``, ``serve``, the scripts for RLlib and values,
  ``torchrun``, ``device=cuda``, ``--ray``, ``pip``, ``make``, ``pytest`` and scripts by path. ``git``,
  ``ray`` and ``tensorboard`` are not ours and not looked into.
- ``yaml``: a training run is read by ``load_config``, a level's ``pattern`` and sections of card files by
  ``load_cards``, in place of what the house cards have.
- ``diff`` is a change to a file of ours: its old lines are there. What it makes is tested on its own.
- ``text`` is what the block before it prints, behind the word "prints"; ``...`` stands for anything. That
  block runs uncut.

A block with a title is written to the file of that name as well. Any other language fails.
"""

import io
import re
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import get_args

import numpy as np
import pytest
import torch
import yaml

from tests.docs_blocks import DOCS, PAGES, ROOT, Block, read_blocks
from tests.docs_commands import check_inline, run_line
from tests.docs_tables import (
    END,
    RESULT_PAGES,
    RESULTS_END,
    SYZYGY_RESULTS,
    TABLES,
    begin,
    begin_results,
    layout_table,
    results_table,
    syzygy_results,
)
from unspoken.envs.faces.batch import BatchEnv
from unspoken.envs.syncro.card_file import house_files, load_cards
from unspoken.envs.syncro.cards import CardSet, Effect
from unspoken.envs.syzygy.game import SyzygyGame
from unspoken.train.config import load_config

AVAILABLE = {
    "": lambda: True,
    "cuda": torch.cuda.is_available,
    "ray": lambda: False,
    "torchrl": lambda: find_spec("torchrl") is not None,
}
"""What a block may need, with whether it is here."""


def run_python(block: Block) -> None:
    compiled = compile(block.text, str(block), "exec")
    if AVAILABLE[block.needs]():
        exec(compiled, {"__name__": "__main__"})


def run_shell(block: Block) -> None:
    for line in block.text.replace("\\\n", "").splitlines():
        run_line(line, cut=block.printed is None)


def read_yaml(block: Block) -> None:
    found = yaml.safe_load(block.text)
    if "task" in found:
        path = Path("settings.yaml")
        path.write_text(block.text, encoding="utf-8")
        load_config(str(path))
        return
    folder = Path(f"cards-{block.line}")
    folder.mkdir()
    if "pattern" in found:
        found = {"levels": {"I-a": found}}
    for name, text in house_files().items():
        sections = yaml.safe_load(text)
        if "levels" in sections:
            for level, part in found.pop("levels", {}).items():
                sections["levels"][level] |= part
        kept = {key: value for key, value in sections.items() if key not in found or key == "source"}
        (folder / name).write_text(yaml.safe_dump(kept), encoding="utf-8")
    (folder / "found.yaml").write_text(yaml.safe_dump({"source": "house"} | found), encoding="utf-8")
    load_cards(folder)


def change(block: Block) -> dict[str, str]:
    """Each file that a ``diff`` changes, by its path, as it is afterwards."""
    changed: dict[str, str] = {}
    for file in re.split(r"^--- a/", block.text, flags=re.MULTILINE)[1:]:
        path, *_ = file.splitlines()
        text = (ROOT / path).read_text(encoding="utf-8")
        for hunk in re.split(r"^@@.*\n", file, flags=re.MULTILINE)[1:]:
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] for line in lines if line[0] in " -")
            new = "".join(line[1:] for line in lines if line[0] in " +")
            assert text.count(old) == 1, f"{block}: not once in {path}:\n{old}"
            text = text.replace(old, new)
        changed[path] = text
    return changed


KINDS = {"python": run_python, "sh": run_shell, "yaml": read_yaml, "diff": change}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nobody is at the keyboard
    for block in read_blocks(page):
        assert block.language in KINDS, f"{block}: no test for the language {block.language!r}"
        if block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
        said = io.StringIO()
        try:
            with redirect_stdout(said):
                KINDS[block.language](block)
        except Exception as error:
            raise AssertionError(f"{block}: {error}") from error
        if block.printed is not None:
            expected = re.escape(block.printed).replace(r"\.\.\.", ".*")
            assert re.fullmatch(expected, said.getvalue()), f"{block} prints\n{said.getvalue()}"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("frobnicate all", "the test does not know 'frobnicate'"),
        ("make nothing", "there is no target 'nothing'"),
        ("pip install '.[nothing]'", "there is no extra 'nothing'"),
        ("python benchmarks/nothing.py", "there is no file benchmarks/nothing.py"),
        ("unspoken nothing", "there is no command 'nothing'"),
        ("unspoken bench --nothing", "unrecognized arguments: --nothing"),
        ("unspoken train syzygy-base-4p device=cuda nothing=1", "nothing=1: unknown setting"),
        ("torchrun -m unspoken.train.cli train syzygy-base-9p", "config 'syzygy-base-9p': no such task"),
    ],
)
def test_a_command_that_is_wrong_is_found(line: str, why: str) -> None:
    with pytest.raises(AssertionError, match=re.escape(why)):
        run_line(line)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- a list\n\n  ```python\n  1\n  ```\n", "one is indented or not closed"),
        ("```python\n1\n", "one is indented or not closed"),
        ("```python {linenums}\n1\n```\n", "cannot read"),
    ],
)
def test_a_block_that_cannot_be_read_is_found(text: str, why: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError, match=why):
        read_blocks(page)


def test_the_new_variant_is_a_game_with_all_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    (changed,) = [
        made["envs/syzygy/config.py"]
        for block in read_blocks(DOCS / "extend.md")
        if block.language == "diff" and "envs/syzygy/config.py" in (made := change(block))
    ]
    module = ModuleType("changed_config")
    monkeypatch.setitem(sys.modules, "changed_config", module)
    exec(compile(changed, "changed_config", "exec"), vars(module))
    games = BatchEnv(SyzygyGame(module.SyzygyConfig(4, variant="grand")), 50, seed=0, threads=1)
    games.reset()
    blackhole = games.layout.decode(games.features[0])["origin"] == 5
    assert blackhole.tolist() == [position == 5 for position in range(11)]
    assert not games.mask[:, 5].any()
    for _ in range(32):
        games.step(games.sample_actions())
        assert not games.illegal.any()
    everything = games.observe(np.zeros(50, np.int8), everything=True)
    assert everything[:, games.layout["value"].slice].max() == 11


def test_the_pages_of_the_games_have_the_same_headings() -> None:
    syzygy, syncro = (
        re.findall(r"^## (.+)$", (DOCS / f"{game}.md").read_text(encoding="utf-8"), re.MULTILINE)
        for game in ("syzygy", "syncro")
    )
    assert syzygy == syncro


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_in_a_sentence_exists(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for text in re.findall(r"`((?:unspoken|python|make) [^`]+)`", prose):
        check_inline(" ".join(text.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
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


def test_the_results_of_syzygy_are_those_of_the_readme() -> None:
    """If they are not any more: python -m tests.docs_tables."""
    page = (DOCS / "syzygy.md").read_text(encoding="utf-8")
    table = page.partition(SYZYGY_RESULTS)[2].partition(RESULTS_END)[0]
    assert table.splitlines() == syzygy_results()
    assert len(table.splitlines()) > 2


def test_every_effect_of_a_card_is_explained() -> None:
    page = (DOCS / "cards.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(.*)\| .+ \|$", page.partition("| `do` | keys |")[2], re.MULTILINE)
    explained = {name: set(re.findall(r"`(\w+)`", keys)) for name, keys in rows}
    effects = get_args(get_args(Effect)[0])
    expected = {get_args(effect.model_fields["do"].annotation)[0]: effect.model_fields for effect in effects}
    assert explained == {name: {*fields} - {"do"} for name, fields in expected.items()}


def test_every_section_of_a_card_file_is_explained() -> None:
    page = (DOCS / "cards.md").read_text(encoding="utf-8")
    table = page.partition("| section | what it is |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(CardSet.model_fields)


def test_the_messages_that_are_explained_are_ours() -> None:
    """Of a symptom in the first column, what stands in backticks and has a space is a message of the code."""
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    symptoms = re.findall(r"^\| (.*?) \|", page, re.MULTILINE)
    messages = [text for symptom in symptoms for text in re.findall(r"`([^`]* [^`]*)`", symptom)]
    files = [file for folder in ("envs", "agents", "train") for file in (ROOT / folder).rglob("*.py")]
    # What is split over several lines or has a value inside is one text here.
    source = " ".join(re.sub(r'"\s*\n\s*f?"', "", file.read_text(encoding="utf-8")) for file in files)
    foreign = {"No module named 'envs'", "needs torch"}
    assert [message for message in messages if message not in source and message not in foreign] == []
    assert len(messages) > 10
