"""Files that games are kept in. Both are written by one thread, whole or not at all."""

import json
import os
from pathlib import Path
from typing import Any

from unspoken.train.recording import prepare_folder, replay_name
from unspoken.train.replay_file import Replay, save_replay
from unspoken.train.server.study import OUR_CONSENT, Consent


class ReplayFolder:
    """A folder with a replay of each game, ``game-000001.json`` and so on."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            ValueError: there is something in it. OSError: it cannot be made.
        """
        prepare_folder(path)
        self._path = path
        self._written = 0

    def add(self, replay: Replay) -> None:
        """Write one."""
        self._written += 1
        save_replay(self._path / replay_name(self._written), replay)


class StudyLog:
    """The file of a study, to which whole lines are added.

    Attributes:
        consent: what people are asked before anything is.
    """

    def __init__(self, path: Path, consent: Consent = OUR_CONSENT) -> None:
        """
        Raises:
            OSError: it cannot be written.
        """
        self.consent = consent
        self._path = path
        self._write(b"")

    def add(self, line: dict[str, Any]) -> None:
        """Add a line, which is on the disk when this returns."""
        self._write((json.dumps(line, allow_nan=False) + "\n").encode())

    def _write(self, data: bytes) -> None:
        # One write at the end of the file: the lines of two servers do not mix, and none is ever half there.
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.write(descriptor, data) != len(data):
                raise OSError(f"{str(self._path)!r}: the disk took a part of a line only")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
