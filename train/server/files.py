"""Files that games are kept in. Both are written by one thread, whole or not at all.

A game that cannot be written now, since the disk is full, is tried again with the next one and at the end.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Generic, TypeVar

from unspoken.train.recording import prepare_folder, replay_name
from unspoken.train.replay_file import Replay, save_replay
from unspoken.train.server.study import OUR_CONSENT, ConsentForm

Kept = TypeVar("Kept")


class Unwritten(Generic[Kept]):
    """Games on their way to a file."""

    def __init__(self, path: Path, write: Callable[[Kept], None]) -> None:
        """``path``: where they belong. ``write``: writes one there, whole or not at all."""
        self._path = path
        self._write = write
        self._left: list[Kept] = []

    def add(self, what: Kept) -> None:
        """Write one, after those that are left.

        Raises:
            OSError: it could not be written, and is left.
        """
        self._left.append(what)
        self.flush()

    def flush(self) -> None:
        """Write those that are left.

        Raises:
            OSError: as ``add``; the message says how many are left.
        """
        while self._left:
            try:
                self._write(self._left[0])
            except OSError as error:
                raise OSError(f"{len(self._left)} not written: {error}") from error
            del self._left[0]

    def rescue(self) -> Path:
        """Write those that are left, and all further ones, in a new folder for what is temporary; return it.

        Raises:
            OSError: as ``add``.
        """
        folder = Path(mkdtemp(prefix="unspoken-"))
        self._path = self._within(folder)
        self.flush()
        return folder

    def _within(self, folder: Path) -> Path:
        """The path of the same in another folder, which holds nothing else."""
        return folder / self._path.name


class ReplayFolder(Unwritten[Replay]):
    """A folder with a replay of each game, ``game-000001.json`` and so on."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            ValueError: there is something in it. OSError: it cannot be made.
        """
        super().__init__(path, self._save)
        prepare_folder(path)
        self._written = 0

    def _save(self, replay: Replay) -> None:
        save_replay(self._path / replay_name(self._written + 1), replay)
        self._written += 1

    def _within(self, folder: Path) -> Path:
        return folder


class StudyLog(Unwritten[dict[str, Any]]):
    """The file of a study, to which whole lines are added.

    Attributes:
        consent: what people are asked before anything is.
    """

    def __init__(self, path: Path, consent: ConsentForm = OUR_CONSENT) -> None:
        """
        Raises:
            OSError: it cannot be written.
        """
        self.consent = consent
        super().__init__(path, self._append)
        self._append_bytes(b"")

    def _append(self, line: dict[str, Any]) -> None:
        """Add a line, which is on the disk when this returns."""
        self._append_bytes((json.dumps(line, allow_nan=False) + "\n").encode())

    def _append_bytes(self, data: bytes) -> None:
        # One write at the end of the file: the lines of two servers do not mix, and none is ever half there.
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            written = os.write(descriptor, data)
            if written != len(data):
                # The next line must not go on from here.
                os.ftruncate(descriptor, os.lseek(descriptor, 0, os.SEEK_CUR) - written)
                raise OSError(f"{str(self._path)!r}: the disk took a part of a line only")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
