"""Who sits where, for the commands that people play with: the seats of people, and agents at the others."""

import argparse
from collections.abc import Sequence

from unspoken.agents.human import HumanAgent
from unspoken.envs.engine.game import Game

PERSON = HumanAgent.name
"""The name of a person, in place of an agent's."""
FIRST_SEAT = "0"
PARTNERS = {"syzygy": "syzygy/convention", "syncro": "syncro/convention"}
"""By game, who plays the other seats if nobody else is named."""


def add_seating_arguments(parser: argparse.ArgumentParser) -> None:
    """``--seat`` and ``--partners``, ``None`` where they are not given."""
    parser.add_argument("--seat", metavar="0[,2,...]|all", help=f"the seats of people (default {FIRST_SEAT})")
    named = ", ".join(f"{agent} in {game.capitalize()}" for game, agent in PARTNERS.items())
    parser.add_argument(
        "--partners",
        metavar="A[,B,...]",
        help=f"an agent for all other seats, or one for each in the order of seats (default: {named})",
    )


def people_seats(text: str | None, n_players: int) -> list[int]:
    """The seats in ``"0,2"``, all of them for ``"all"``, the first for ``None``.

    Raises:
        ValueError: not seats, or one of them twice.
    """
    if text is None:
        text = FIRST_SEAT
    if text == "all":
        return list(range(n_players))
    seats = []
    for part in text.split(","):
        name = part.strip()
        if not (name.isascii() and name.isdigit() and int(name[:9]) < n_players):
            raise ValueError(f"seat={text!r}: must be 'all', or from 0 to {n_players - 1}, such as 0,1")
        if int(name) in seats:
            raise ValueError(f"seat={text!r}: {name} is given twice")
        seats.append(int(name))
    return seats


def seat_names(game: Game, people: Sequence[int], partners: str | None) -> tuple[str, ...]:
    """Who plays, by seat: people at the seats ``people``, agents at the others.

    Args:
        partners: an agent for all other seats, or one for each in their order, with commas; ``None``: the
            game's own.

    Raises:
        ValueError: another number of agents.
    """
    others = [seat for seat in range(game.config.n_players) if seat not in people]
    named = [name.strip() for name in (partners or PARTNERS[game.config.game]).split(",")]
    if partners is not None and not others:
        raise ValueError(f"partners={partners!r}: must be left out, people play all seats")
    if len(named) not in (1, len(others)):
        raise ValueError(
            f"partners={partners!r}: {len(named)} agents; must be one, or one for each of {len(others)} seats"
        )
    by_seat = dict(zip(others, named * len(others) if len(named) == 1 else named, strict=True))
    return tuple(by_seat.get(seat, PERSON) for seat in range(game.config.n_players))
