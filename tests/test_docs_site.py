"""The documentation site: it builds without a warning, has every page, and needs nobody's servers."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from tests.docs_blocks import DOCS, ROOT

pytest.importorskip("mkdocs", reason="MkDocs is not installed: pip install 'unspoken[docs]'")
pytest.importorskip("material", reason="MkDocs' theme is not installed: pip install 'unspoken[docs]'")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder


def pages_in(nav: object) -> list[str]:
    """The pages of ``nav`` in ``mkdocs.yml``, in order."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [page for part in parts for page in pages_in(part)]


class Loaded(HTMLParser):
    """Collects what a page loads by itself, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a":
            self.links.append(given.get("href") or "")
        elif tag == "link" and given.get("rel") in ("canonical", "next", "prev"):
            pass
        else:
            self.loads += [given[key] or "" for key in ("src", "href") if key in given]


def read(page: Path) -> Loaded:
    found = Loaded()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def test_every_page_of_ours_is_in_the_navigation_and_on_the_site(site: Path) -> None:
    nav = pages_in(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    ours = {page.name for page in DOCS.glob("*.md")} | {"benchmarks.md", "changelog.md", "contributing.md"}
    assert len(nav) == len(set(nav))
    assert set(nav) == ours
    built = {page.name for page in site.glob("*.html")} - {"404.html"}
    assert built == {page.replace(".md", ".html") for page in nav}


def test_every_page_can_be_reached_from_the_first(site: Path) -> None:
    reached, new = set(), {"index.html"}
    while new:
        reached |= new
        links = {link.partition("#")[0] for page in new for link in read(site / page).links}
        new = {link for link in links if (site / link).is_file()} - reached
    assert reached >= {page.name for page in site.glob("*.html")} - {"404.html"}


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    for page in site.glob("*.html"):
        assert [load for load in read(page).loads if re.match(r"(?:https?:)?//", load)] == [], page.name
