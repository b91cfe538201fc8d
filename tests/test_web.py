"""The files of the pages: complete, of this server alone, and without ways to turn text into code."""

import re
from importlib import resources
from pathlib import Path

import pytest

from unspoken.train import web

FOLDER = Path(str(resources.files("unspoken.train.web")))
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.js"))
FILES = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".js", ".css", ".html", ".svg"))


def test_the_page_loads_the_scripts_of_the_table_first_and_in_order() -> None:
    loaded = re.findall(r'<script src="/static/([^"]+)"></script>', web.read("play.html"))
    assert tuple(loaded[: len(web.TABLE_SCRIPTS)]) == web.TABLE_SCRIPTS
    assert loaded[-1] == "play.js"


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r'(?:src|href)="/static/([^"]+)"', web.read("play.html"))
    assert set(named) <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_elsewhere_and_no_text_becomes_code(name: str) -> None:
    text = web.read(name).replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"https?://|//cdn", text) == []
    assert (
        re.findall(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function\()", text)
        == []
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_says_at_its_head_what_it_is_for(name: str) -> None:
    text = web.read(name)
    assert text.startswith("/* ")
    assert '\n*/\n"use strict";\n' in text
    assert len(text.splitlines()) < 400


def test_the_page_has_no_scripts_or_styles_of_its_own() -> None:
    page = web.read("play.html")
    assert re.findall(r"<style|\bstyle=|<script>|\bon[a-z]+=", page) == []


def test_the_server_tells_every_setting_that_the_scripts_ask_for() -> None:
    table = pytest.importorskip("unspoken.train.server.table", reason="needs the extra 'serve'")
    asked = set(re.findall(r"\bconfig\.(\w+)", "".join(map(web.read, SCRIPTS))))
    assert {"n_planets", "hand_limit"} <= asked
    assert asked <= {name for fields in table.CONFIG_FIELDS.values() for name in fields}
