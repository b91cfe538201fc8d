"""Syzygy in words, for people (see ``unspoken.agents.words.Words``)."""

from collections.abc import Sequence
from itertools import pairwise

from unspoken.agents.moves import spans
from unspoken.agents.words import Choice, Sight, sentence, verb, who

RULES = """\
The row of planets must read 1, 2, 3 ... or ... 3, 2, 1 when everybody has had
four turns. All win or all lose, and nobody may say anything: all you tell the
others is which cards you move, and where.

In your turn you do one of two things:
  - CONFIRM a card that does not carry your own chip: you alone see it, and
    then you must MOVE it to another place between two cards. Your smallest
    chip goes on it.
  - PASS: your smallest chip is turned face down.
A card never goes to an end of the row. To get a card to an end, move the card
that lies there inward. What you have looked at is shown to you from then on,
unless memory is none; what the others have looked at you do not know. With
several emotions a MOVE carries one, and all hear it. With a Blackhole in the
row (@) one planet is set aside. Nobody may look at the Blackhole; others move
past it, and at the end it counts as the missing planet."""

PICTURE = """\
The first line of numbers is the positions. Below each is its card: a number
is a planet that you know, ? one that you have not seen, @ the Blackhole, [5]
the card that is being looked at. Then a line for each player shows on which
cards its chips 1 to 4 lie, and which chips it gave up by passing; > marks
whose turn it is."""


def question(sight: Sight, legal: list[int]) -> str:
    """What there is to decide."""
    scene = sight.scene
    looked_at = scene["looked_at"]
    if looked_at is None:
        return f"Turn {scene['turn'] + 1} of {scene['n_turns']}: choose a card to look at, or pass."
    planet = scene["cards"][looked_at]["planet"]
    feeling = ", and with which feeling (all the others hear it)" if scene["emotions"] > 1 else ""
    return f"The card at {looked_at} is planet {planet}. Choose where it goes{feeling}."


def choices(sight: Sight, legal: list[int]) -> list[Choice]:
    """Cards to look at in one line, each destination in a line of its own."""
    actions = sight.game.actions
    found = []
    confirm = [action for action in legal if actions[action].kind == "CONFIRM"]
    if confirm:
        positions = spans(actions[action].position for action in confirm)
        found.append(Choice(tuple(confirm), f"CONFIRM {positions}", "look at the card there, then move it"))
    moves: dict[int, list[int]] = {}
    for action in legal:
        if actions[action].kind == "MOVE":
            moves.setdefault(actions[action].position, []).append(action)
        elif actions[action].kind == "PASS":
            found.append(Choice((action,), "PASS", f"turn your chip {_next_chip(sight)} face down"))
    for position, group in sorted(moves.items()):
        name = f"MOVE {position}"
        if len(group) > 1:
            name += f" emotion {spans(actions[action].emotion for action in group)}"
        found.append(Choice(tuple(group), name, _between(sight, position)))
    return found


def _next_chip(sight: Sight) -> int:
    return len(sight.scene["seats"][sight.scene["to_act"]]["turns"]) + 1


def _between(sight: Sight, position: int) -> str:
    """Between which cards, as they lie now, a card ends that is moved to ``position``."""
    source: int = sight.scene["looked_at"]
    left = position - 1 if position < source else position
    cards = sight.scene["cards"]
    faces = [
        "the Blackhole" if card["blackhole"] else f"planet {card['planet']}" if card["planet"] else "?"
        for card in cards[left : left + 2]
    ]
    known = "" if faces == ["?", "?"] else f" ({faces[0]} and {faces[1]})"
    return f"between the cards that are now at {left} and {left + 1}{known}"


def refusal(sight: Sight, action: int) -> str:
    """Why an action is not legal."""
    scene = sight.scene
    meaning = sight.game.actions[action]
    looked_at = scene["looked_at"]
    if meaning.kind == "MOVE":
        if looked_at is None:
            return "first CONFIRM a card; it is moved after you have seen it"
        if meaning.position == looked_at:
            return "the card may not stay where it is"
        return "a card never goes to an end of the row"
    if looked_at is not None:
        return "you have looked at a card, so it must be moved now"
    if scene["cards"][meaning.position]["blackhole"]:
        return "nobody may look at the Blackhole"
    return "that card carries your own chip"


def together(sight: Sight) -> bool:
    """Never: every action is seen at once."""
    return False


def all_chose(before: Sight, after: Sight) -> bool:
    """Nothing is chosen at once."""
    return True


def did(before: Sight, after: Sight, turned_up: Sight, seat: int, action: int) -> str:
    """For example ``player_1 moves the card from 3 to 5``."""
    meaning = before.game.actions[action]
    subject = sentence(who(seat, before))
    if meaning.kind == "CONFIRM":
        return f"{subject} {verb(seat, before, 'look')} at the card at {meaning.position}."
    if meaning.kind == "MOVE":
        feeling = f", with emotion {meaning.emotion}" if before.scene["emotions"] > 1 else ""
        source = before.scene["looked_at"]
        return f"{subject} {verb(seat, before, 'move')} it from {source} to {meaning.position}{feeling}."
    return f"{subject} {verb(seat, before, 'pass', 'passes')}."


def chose(sight: Sight, choices: dict[int, int]) -> list[str]:
    """Nothing is chosen at once."""
    return []


def consequences(before: Sight, after: Sight, turned_up: Sight) -> list[str]:
    """An action brings about nothing but itself."""
    return []


def spells_turned_up(before: Sight, after: Sight, turned_up: Sight) -> list[tuple[int, int, int]]:
    """There are no spells."""
    return []


def ending(turned_up: Sight) -> str:
    """Won or lost, and the row as it lies."""
    cards = turned_up.scene["cards"]
    row = " ".join(str(card["planet"]) for card in cards)
    result = "The row is in order: you have all won." if _won(turned_up) else "You have all lost."
    wrong = _neighbours_out_of_order([card["planet"] for card in cards])
    if wrong:
        result += f" The row is not in order: {wrong}."
    return f"{result} It reads {row}."


def _won(sight: Sight) -> bool:
    return bool(sight.scene["result"] == "won")


def _neighbours_out_of_order(planets: Sequence[int]) -> str:
    """Where a row breaks the order that it keeps more often, in words; empty for a sorted one."""
    pairs = list(pairwise(planets))
    rising = [pair for pair in pairs if pair[0] < pair[1]]
    falling = [pair for pair in pairs if pair[0] > pair[1]]
    broken = min(rising, falling, key=len)
    return ", ".join(f"{left} before {right}" for left, right in broken)
