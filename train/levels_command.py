"""The levels of Syncro, drawn as they lie on the table.

M monster, F fog, L lieutenant, B boss, C cerberus; + lies face up, - face down. A card lies over those above
it that it overlaps, and hides their lower edge.
"""

import argparse
from collections import Counter
from pathlib import Path

from unspoken.envs.syncro.card_file import house_files, load_cards
from unspoken.envs.syncro.cards import CardSet
from unspoken.envs.syncro.horde import draw_horde
from unspoken.envs.syncro.limits import LEVELS, LevelName


def describe_level(cards: CardSet, name: LevelName) -> str:
    """One level in text: its name, what is played with, and its horde."""
    level = cards.levels[name]
    spells = Counter(cards.spell_deck(name))
    counted = ", ".join(f"{count}x {value}" for value, count in spells.items())
    monsters: dict[str, list[int]] = {}
    for card in cards.monster_deck(name):
        monsters.setdefault(card.kind, []).append(card.strength)
    decks = ", ".join(
        f"{len(found)} {kind}s of strength {min(found)} to {max(found)}" for kind, found in monsters.items()
    )
    backs = Counter(slot.back for slot in level.horde.slots)
    lines = [
        f"{name}  {level.name}: {level.story}",
        f"horde     {', '.join(f'{count} {back}' for back, count in backs.items())}",
        f"monsters  {decks}",
        f"spells    {spells.total()}: {counted}",
        f"estimates {'the sum of the hand' if level.estimate == 'sum' else 'thumbs'}",
        "",
        draw_horde(level.horde),
    ]
    return "\n".join(lines)


def copy_cards(folder: str | Path) -> list[Path]:
    """Write the card files that come with the package into ``folder``, as a start for cards of one's own.

    Raises:
        ValueError: the folder is there already. OSError: it cannot be written.
    """
    target = Path(folder)
    if target.exists():
        raise ValueError(f"folder {str(folder)!r}: is there already; must be a new one")
    target.mkdir(parents=True)
    for name, text in house_files().items():
        (target / name).write_text(text, encoding="utf-8")
    return sorted(target.iterdir())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken levels``."""
    parser.add_argument("level", nargs="?", metavar="LEVEL", help="only this one, such as II-c")
    parser.add_argument("--cards", metavar="PATH", help="a card file, or a folder of them, of your own")
    parser.add_argument(
        "--copy", metavar="FOLDER", help="write the package's card files there, to change them"
    )


def run(arguments: argparse.Namespace) -> None:
    """``unspoken levels``: print the drawings, or write the card files.

    Raises:
        ValueError: there is no such level, something is wrong with the card files, or the folder to write to
            is there already.
    """
    if arguments.copy:
        for file in copy_cards(arguments.copy):
            print(file)
        return
    cards = load_cards(arguments.cards)
    names = [name for name in LEVELS if arguments.level in (None, name)]
    if not names:
        raise ValueError(f"level {arguments.level!r}: must be one of {', '.join(LEVELS)}")
    print("\n\n".join(describe_level(cards, name) for name in names))
