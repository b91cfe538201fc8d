"""People who play in the terminal, for the tests: what they type, and what is printed."""

import io
import re
import sys
from collections.abc import Callable

import pytest

from unspoken.agents.human import HumanAgent
from unspoken.envs import make_game
from unspoken.train.cli import main
from unspoken.train.play_table import PlayTable
from unspoken.train.seating import PERSON

Play = Callable[..., str]
"""``unspoken play`` with these arguments and typed lines, ended with this code; what it prints."""
FIRST = ["#1"] * 300
"""More than any game here takes of the first move of the list."""

SYZYGY = "syzygy-base5-3p"
SYNCRO = "syncro-Ia-3p"


class Keyboard(io.StringIO):
    """Typed lines, at a terminal."""

    def isatty(self) -> bool:
        return True


def through_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    def run(arguments: str, lines: list[str], code: int = 0) -> str:
        typed = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), "utf-8"))
        assert main(["play", *arguments.split()]) == code
        return capsys.readouterr().out

    return run


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(arguments: str, lines: list[str], code: int = 0) -> str:
        screen = Keyboard()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            patch.setattr(sys, "stdin", Keyboard("".join(f"{line}\n" for line in lines)))
            assert main(["play", *arguments.split()]) == code
        return screen.getvalue()

    return run


def sections(printed: str, seat: int) -> str:
    """What was printed while ``seat`` sat at the keyboard, the end of the game left out."""
    parts = re.split(
        r"^--- player_(\d) ---\n", printed.partition("all cards turned up")[0], flags=re.MULTILINE
    )
    return "".join(text for who, text in zip(parts[1::2], parts[2::2], strict=True) if int(who) == seat)


class Silence:
    """A dialogue in which nobody says anything."""

    colour = False

    def __init__(self) -> None:
        self.shown: list[str] = []

    def show(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        raise EOFError


def people(task: str, seed: int) -> PlayTable:
    game = make_game(task)
    n_players = game.config.n_players
    return PlayTable(game, [HumanAgent(Silence())] * n_players, [PERSON] * n_players, seed)
