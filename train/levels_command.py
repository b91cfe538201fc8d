"""The levels of Syncro, drawn as they lie on the table.

M monster, F fog, L lieutenant, B boss, C cerberus; + lies face up, - face down. A card lies over those above
it that it overlaps, and hides their lower edge.
"""

import argparse
from collections import Counter

from unspoken.envs.syncro.card_file import load_cards
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken levels``."""
    parser.add_argument("level", nargs="?", metavar="LEVEL", help="only this one, such as II-c")
    parser.add_argument("--cards", metavar="PATH", help="a card file, or a folder of them, of your own")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken levels``: print the drawings.

    Raises:
        ValueError: there is no such level, or something is wrong with the card files.
    """
    cards = load_cards(arguments.cards)
    names = [name for name in LEVELS if arguments.level in (None, name)]
    if not names:
        raise ValueError(f"level {arguments.level!r}: must be one of {', '.join(LEVELS)}")
    print("\n\n".join(describe_level(cards, name) for name in names))
