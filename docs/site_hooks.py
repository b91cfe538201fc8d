"""What MkDocs calls while it builds the site (see ``mkdocs.yml``).

Some pages lie elsewhere in the repository, where people look for them, and are pages of the site too. Links
between them and the pages in ``docs/`` are written for a plain checkout and turned to the site's own here.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
ELSEWHERE = {
    "benchmarks.md": "benchmarks/README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
}
"""The site's pages that lie outside ``docs/``, with their paths in the repository."""

_LINK = re.compile(r"(\]\()([^)#:\s]+)")


def site_link(page: str, link: str) -> str:
    """A relative link of the page at the site's path ``page``, as the site has it."""
    folder = posixpath.dirname(ELSEWHERE.get(page, f"docs/{page}"))
    target = posixpath.normpath(posixpath.join(folder, link))
    moved = {path: name for name, path in ELSEWHERE.items()}.get(target, target.removeprefix("docs/"))
    return posixpath.relpath(moved, posixpath.dirname(page) or ".")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from elsewhere."""
    for name, path in ELSEWHERE.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn the links of a page to those of the site."""
    name = page.file.src_uri
    return _LINK.sub(lambda found: found[1] + site_link(name, found[2]), markdown)
