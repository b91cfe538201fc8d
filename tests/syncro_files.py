"""Card files of Syncro made from the house's, whatever stands in them today."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path


def write_cards(folder: Path, change: Callable[[str, str], str]) -> str:
    """Write the house's card files into ``folder``, each as ``change(file name, text)``; returns its path."""
    folder.mkdir()
    for file in resources.files("unspoken.configs").joinpath("syncro").iterdir():
        text = file.read_text(encoding="utf-8") if file.name.endswith(".yaml") else "task:"
        # Training runs lie in the same folder.
        if not re.search(r"^task:", text, re.MULTILINE):
            (folder / file.name).write_text(change(file.name, text), encoding="utf-8")
    return str(folder)


def renamed_cards(folder: Path) -> str:
    """The house cards, but for the name of the first Fog card."""

    def rename(file: str, text: str) -> str:
        return re.sub(r"name: (\w+)", r"name: Other \1", text, count=1) if file == "fog.yaml" else text

    return write_cards(folder, rename)


def easy_cards(folder: Path) -> str:
    """The house cards with a strength of 2 for everything, so that random play wins levels."""
    return write_cards(
        folder, lambda name, text: re.sub(r"strength: (\{value: )?\d+", r"strength: \g<1>2", text)
    )
