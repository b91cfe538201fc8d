"""The terminal at which people play, or the pipe that stands for it."""

import io
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import FrameType
from typing import TextIO

from unspoken.envs.faces.display import shows_colour

_CLEAR = "\033[H\033[2J\033[3J"
"""To the upper left, the screen cleared, and what has been scrolled away forgotten."""

_PATIENCE = 3.0
"""Seconds."""


class Terminal:
    """Shows lines and reads them.

    Lines are read as they are, without an editor that would offer one player's typing to the next.

    Attributes:
        interactive: somebody reads and types here, so that screens can be cleared and waited for.
        colour: colours are shown.
    """

    def __init__(self, reader: TextIO, writer: TextIO) -> None:
        """``reader`` and ``writer``: the process's own, or a test's."""
        # What cannot be shown becomes something that can: no letter is worth a game.
        if isinstance(writer, io.TextIOWrapper):
            writer.reconfigure(errors="backslashreplace")
        self._reader = reader
        self._writer = writer
        self.interactive = reader.isatty() and writer.isatty()
        self.colour = shows_colour(writer)

    def show(self, text: str) -> None:
        """Write lines, and an empty one after them."""
        print(text.rstrip("\n"), end="\n\n", file=self._writer, flush=True)

    def ask(self, prompt: str) -> str:
        """The next line.

        Raises:
            EOFError: there is none.
        """
        print(prompt, end="", file=self._writer, flush=True)
        line = self._read()
        if not self._reader.isatty():
            # Nobody has typed this, so it does not stand there yet.
            print(line.rstrip("\n"), file=self._writer)
        elif not line:
            print(file=self._writer)
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def _read(self) -> str:
        """A line with its end; "" after the last one, or when the terminal has been closed."""
        try:
            if isinstance(self._reader, io.TextIOWrapper):
                typed: bytes = self._reader.buffer.readline()
                return typed.decode(self._reader.encoding, "replace")
            return self._reader.readline()
        except OSError:
            return ""

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show ``text`` if what is done in here takes so long that somebody who watches may wonder."""
        timer = Timer(_PATIENCE, self.show, [text])
        timer.daemon = True
        if self.interactive:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def clear(self) -> None:
        """Leave nothing to be seen or scrolled back to, where somebody reads; elsewhere do nothing."""
        if not self.interactive:
            return
        if os.environ.get("TERM", "dumb") == "dumb":
            self._writer.write("\n" * os.get_terminal_size(self._writer.fileno()).lines)
        else:
            self._writer.write(_CLEAR)
        self._writer.flush()


@contextmanager
def closing_as_interrupt() -> Iterator[None]:
    """A terminal that is closed, and a request to end, are a ``KeyboardInterrupt`` in here."""
    names = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
