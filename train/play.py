"""Play in the terminal, with bots, learned teams, or other people at the same keyboard.

Each turn shows what that player may know, what the others have done, and the moves that are allowed. Type
help for the rules in short. Nothing is ever said, and nothing is taken back.
"""

import argparse
import secrets
import sys
from pathlib import Path

from unspoken.envs import make_game
from unspoken.envs.engine.random import check_seed
from unspoken.train.play_table import PlayTable
from unspoken.train.replay_file import load_replay, play_through
from unspoken.train.replay_format import recorded_game
from unspoken.train.seating import PERSON, add_seating_arguments, people_seats, seat_names
from unspoken.train.sitting import Sitting
from unspoken.train.terminal import Terminal, closing_as_interrupt
from unspoken.train.text import add_set_argument, parse_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken play``."""
    parser.add_argument(
        "task", nargs="?", metavar="TASK", help="a task (see unspoken tasks); not with --resume"
    )
    add_seating_arguments(parser)
    parser.add_argument("--seed", type=int, metavar="S", help="of the deal (default: drawn, and shown)")
    add_set_argument(parser, "; with --resume only cards=PATH")
    parser.add_argument("--save", type=Path, metavar="FILE", help="where a game that is left is saved")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved game")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write a replay of the finished game")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken play``.

    Raises:
        ValueError, TypeError: an argument is not allowed. OSError: a file cannot be written.
    """
    for name in ("save", "record"):
        path: Path | None = getattr(arguments, name)
        saved_before = name == "save" and path == arguments.resume
        if path is not None and path.exists() and not saved_before:
            raise ValueError(f"{name}={str(path)!r}: is there already; must be a new file")
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"{name}={str(path)!r}: must be in a folder that is there")
    terminal = Terminal(sys.stdin, sys.stdout)
    sitting = Sitting(terminal, arguments.save or arguments.resume, arguments.record)
    with terminal.waiting("The rules are being compiled for this machine, once; the bots may be as well."):
        table = _resumed(arguments, sitting) if arguments.resume else _new(arguments, sitting)
    with closing_as_interrupt():
        sitting.play_games(table)


def _new(arguments: argparse.Namespace, sitting: Sitting) -> PlayTable:
    if arguments.task is None:
        raise ValueError("TASK: is missing; must be a task (see unspoken tasks), or --resume FILE")
    game = make_game(arguments.task, **parse_options(arguments.set))
    seats = people_seats(arguments.seat, game.config.n_players)
    names = seat_names(game, seats, arguments.partners)
    seed = secrets.randbits(32) if arguments.seed is None else check_seed(arguments.seed)
    return PlayTable(game, sitting.seated(names), names, seed)


def _resumed(arguments: argparse.Namespace, sitting: Sitting) -> PlayTable:
    for name in ("task", "seat", "partners", "seed"):
        value = getattr(arguments, name)
        if value is not None:
            shown = "TASK" if name == "task" else f"--{name}"
            raise ValueError(f"{shown}={value!r}: must be left out with --resume; the saved game says it")
    options = parse_options(arguments.set)
    cards = options.pop("cards", None)
    for name, value in options.items():
        raise ValueError(f"{name}={value!r}: must be left out with --resume; only cards may be given")
    replay = load_replay(arguments.resume)
    if replay.result is not None:
        raise ValueError(f"{arguments.resume}: this game is over; see unspoken replay {arguments.resume}")
    if PERSON not in replay.seats:
        raise ValueError(f"{arguments.resume}: seats={list(replay.seats)}: none of them is a person's")
    game = recorded_game(replay, cards)
    for _ in play_through(replay, game):
        pass  # only to be refused if the file does not hold together
    table = PlayTable(
        game, sitting.seated(replay.seats), replay.seats, replay.seed, replay.slot, replay.episode
    )
    table.follow([decision.action for decision in replay.decisions])
    return table
