"""People at one keyboard: whose turn it is to look, saving and leaving, game after game."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir

from unspoken.agents import Agent, load_agent
from unspoken.agents.human import Command, HumanAgent
from unspoken.envs import task_name
from unspoken.train.play_table import PlayTable
from unspoken.train.recording import PlayedGame, record
from unspoken.train.replay_file import save_replay
from unspoken.train.seating import PERSON
from unspoken.train.terminal import Terminal
from unspoken.train.text import plain

_NO = ("n", "no")
_YES = ("y", "yes")
_LAST_LINES = 6
"""Lines of the log that are shown at the end."""


class _LeaveError(Exception):
    """A person wants to leave the game."""


class Sitting:
    """One or several games of the same people.

    Between the turns of different people the screen is cleared, so that nobody sees another's hand.
    """

    def __init__(self, terminal: Terminal, save: Path | None, record: Path | None) -> None:
        """
        Args:
            terminal: where they sit.
            save: where a game that is left is saved; ``None``: under a name of its own.
            record: where the replay of a finished game is written; ``None``: nowhere.
        """
        self._terminal = terminal
        self._save = self._file = save
        self._record = record
        self._table: PlayTable | None = None
        self._at_keyboard: int | None = None
        commands = {
            "log": Command("all that has happened, as you may know it", self._show_log),
            "save": Command("save the game and go on", self._save_now),
            "quit": Command("leave the game; it can be saved and gone on with", self._quit),
        }
        self._person = HumanAgent(terminal, commands)

    def seated(self, names: Sequence[str]) -> list[Agent]:
        """The agents with these names, each loaded once; people are asked here.

        Raises:
            ValueError, ImportError: there is no such agent, or it needs a package.
        """
        loaded: dict[str, Agent] = {PERSON: self._person}
        for name in names:
            if name not in loaded:
                loaded[name] = load_agent(name)
        return [loaded[name] for name in names]

    def play_games(self, table: PlayTable) -> None:
        """Play the game at ``table``, and further ones as long as somebody wants to.

        Raises:
            KeyboardInterrupt, ValueError: the game was interrupted, or an agent played what is not allowed.
            OSError: a file cannot be written, or the terminal is gone. A game that goes on has been saved.
        """
        number = 1
        while self._play(table):
            self._finish(table, number)
            if not self._wants("Another game? [y/N] "):
                return
            number += 1
            deal = (table.seed, table.slot, table.episode + 1)
            table = PlayTable(table.game, table.agents, table.names, *deal)

    def _play(self, table: PlayTable) -> bool:
        """Play a game; returns whether it was played to its end."""
        self._table = table
        self._file = self._save
        self._at_keyboard = table.people[0] if len(table.people) == 1 else None
        try:
            self._introduce(table)
            while not table.one.finished:
                self._take_turn(table, table.one.seat)
        except _LeaveError:
            return False
        except BaseException as end:
            # Whatever happens, a terminal that is gone included: the game is not lost.
            said = self._saved_somewhere(table)
            with suppress(OSError):
                self._hide(table)
                self._terminal.show(f"\n{said}")
            if not isinstance(end, EOFError):
                raise
            return False
        return True

    def _take_turn(self, table: PlayTable, seat: int) -> None:
        if seat in table.people:
            self._give_keyboard(table, seat)
            action = table.choose()
        else:
            with self._terminal.waiting(f"player_{seat} is thinking."):
                action = table.choose()
        table.play(action)

    def _introduce(self, table: PlayTable) -> None:
        config = table.game.config
        alone = len(table.people) == 1
        seats = []
        for seat, (name, agent) in enumerate(zip(table.names, table.agents, strict=True)):
            called = plain(name) if name != PERSON else "you" if alone else "a person here"
            seats.append(f"  player_{seat}: {called}{' (sees all cards)' if agent.sees_state else ''}")
        at = f"seed {table.seed}" + (f", game {table.episode + 1}" if table.episode else "")
        at += ", gone on with" if len(table.actions) else ""
        self._terminal.show(
            "\n".join([f"{task_name(config)}, {at}", *seats, "Type help for the rules, quit to leave."])
        )

    def _give_keyboard(self, table: PlayTable, seat: int) -> None:
        """Let the person in ``seat`` look and, unless it was there already, the others look away."""
        if seat != self._at_keyboard:
            if self._at_keyboard is not None:
                self._hide(table)
            self._at_keyboard = seat
            if self._terminal.interactive:
                typed = self._terminal.ask(f"Hand the keyboard to player_{seat}, press Enter. ")
                if typed.strip().casefold() == "quit":
                    self._quit()
                self._terminal.clear()
            else:
                self._terminal.show(f"--- player_{seat} ---")

    def _hide(self, table: PlayTable) -> None:
        """Clear what one of several people should not see of another."""
        if len(table.people) > 1:
            self._terminal.clear()

    def _finish(self, table: PlayTable, number: int) -> None:
        """Turn everything up, and write the replay."""
        self._hide(table)
        draw = table.game.renderer.draw_text
        self._terminal.show(draw(table.game, table.sight(None).shown, self._terminal.colour))
        log = table.logs[table.people[0] if len(table.people) == 1 else None]
        self._terminal.show("\n".join(["At last:", *(f"  {line}" for line in log[-_LAST_LINES:])]))
        self._terminal.show(table.ending())
        if self._record is not None:
            path = self._record
            if number > 1:
                path = free_file(path.with_name(f"{path.stem}-{number}{path.suffix}"))
            played = PlayedGame(number, table.slot, table.episode, table.actions)
            replay = record(table.game, table.agents, table.names, table.seed, played)
            try:
                save_replay(path, replay)
                said = f"Recorded in {path}."
            except OSError as error:
                path = free_file(Path(gettempdir()) / path.name)
                save_replay(path, replay)
                said = f"Not recorded where it should be: {error}. Recorded in {path}."
            self._terminal.show(said)

    def _show_log(self) -> None:
        assert self._table is not None
        log = self._table.logs[self._table.one.seat]
        self._terminal.show("\n".join(log) or "Nothing has happened yet.")

    def _save_now(self) -> None:
        assert self._table is not None
        try:
            said = self._saved(self._table, self._file or default_file(self._table))
        except OSError as error:
            said = f"Not saved: {error}"
        self._terminal.show(said)

    def _quit(self) -> None:
        """Ask where to save, and leave.

        Raises:
            _LeaveError: always.
        """
        table = self._table
        assert table is not None
        default = self._file or default_file(table)
        said = ""
        while not said:
            answer = self._terminal.ask(f"Save in (Enter: {default}; no: nowhere): ").strip()
            if answer.casefold() in _NO:
                said = "The game is given up."
                continue
            path = Path(answer) if answer else default
            try:
                if path not in (default, self._file) and path.exists():
                    raise ValueError(f"{path} is there already; choose another name")
                said = self._saved(table, path)
            except (OSError, ValueError) as error:
                self._terminal.show(f"Not saved: {error}.")
        self._hide(table)
        self._terminal.show(said)
        raise _LeaveError

    def _saved(self, table: PlayTable, path: Path) -> str:
        """Save the game in ``path``, which is its file from now on, and return what to say of it."""
        save_replay(path, table.replay())
        self._file = path
        cards = getattr(table.game.config, "cards", None)
        command = ["unspoken", "play", "--resume", str(path)]
        command += [] if cards is None else ["--set", f"cards={cards}"]
        return f"Saved in {path}. Go on with it: {shlex.join(command)}"

    def _saved_somewhere(self, table: PlayTable) -> str:
        """Save the game without asking, elsewhere if it cannot be written where it should be."""
        path = self._file or default_file(table)
        try:
            return self._saved(table, path)
        except OSError:
            return self._saved(table, free_file(Path(gettempdir()) / path.name))

    def _wants(self, question: str) -> bool:
        """Whether somebody is there and says yes."""
        if not self._terminal.interactive:
            return False
        try:
            return self._terminal.ask(question).strip().casefold() in _YES
        except EOFError:
            return False


def default_file(table: PlayTable) -> Path:
    """A new file to save a game in, named by task, seed and number."""
    number = f"-game{table.episode + 1}" if table.episode else ""
    return free_file(Path(f"{task_name(table.game.config)}-seed{table.seed}{number}.json"))


def free_file(path: Path) -> Path:
    """``path``, or with a number after its name if there is such a file."""
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
