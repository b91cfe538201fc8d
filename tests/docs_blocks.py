"""The code blocks of the documents, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "benchmarks" / "README.md",
    *sorted(DOCS.glob("*.md")),
)
"""Every page that a user reads."""

_FENCE = re.compile(
    r"^(?P<before>[^\n]*)\n(?P<gap>\n?)```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_PRINTS = "prints"


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes:
        page: its file. line: its first line there.
        language: the first word after the fence. title: the name of the file that it is, or "".
        needs: what it cannot run without, from a comment ``<!-- needs: cuda -->`` on the line before; or "".
        text: what stands in it.
        printed: what the page says that it prints, or ``None``.
    """

    page: Path
    line: int
    language: str
    title: str
    needs: str
    text: str
    printed: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}, line {self.line}"


def read_blocks(page: Path) -> list[Block]:
    """The blocks of a page in their order; a ``text`` block after "prints" belongs to the block before it.

    Raises:
        AssertionError: a fence is indented, never closed, or has something after it that is not known.
    """
    source = page.read_text(encoding="utf-8")
    blocks: list[Block] = []
    for found in _FENCE.finditer("\n" + source):
        line = source.count("\n", 0, found.start("text") - 1)
        info = re.fullmatch(r'(\w*)(?: title="([^"]+)")?', found["info"])
        assert info, f"{page.name}, line {line}: cannot read ```{found['info']}"
        if info[1] == "text" and found["before"] == _PRINTS and found["gap"]:
            shown = blocks.pop()
            blocks.append(Block(**{**vars(shown), "printed": found["text"]}))
            continue
        needs = re.fullmatch(r"<!-- needs: (\w+) -->", found["before"])
        blocks.append(
            Block(page, line, info[1], info[2] or "", needs[1] if needs else "", found["text"], None)
        )
    fences = len(re.findall(r"^\s*(?:```|~~~)", source, re.MULTILINE))
    read = 2 * len(blocks) + 2 * sum(block.printed is not None for block in blocks)
    assert fences == read, f"{page.name}: {fences} fences, {read} of them read; one is indented or not closed"
    return blocks
