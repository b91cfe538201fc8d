"""Card files of Syncro for the tests of rules and of reading cards: the house set as it was on some day.

Statements about the game must not depend on the balance of today's house cards, in `configs/syncro`.
"""

from __future__ import annotations

from pathlib import Path

from unspoken.envs.syncro.card_file import load_cards

FOLDER = Path(__file__).parent / "cards"
FILES = {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.yaml"))}
"""File name -> text."""
CARDS = load_cards(FOLDER)
