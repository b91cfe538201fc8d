"""Files are written whole or not at all, and nothing but files is written over."""

import os
from pathlib import Path

import pytest

from unspoken.envs.engine.whole_file import write_whole


def test_text_and_bytes_replace_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, "é")
    assert file.read_bytes() == b"\xc3\xa9"
    write_whole(file, b"\x00")
    assert file.read_bytes() == b"\x00"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_is_followed(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_pipes_devices_and_folders_are_left_as_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="neither a file nor new, cannot be replaced"):
        write_whole(pipe, "text")
    assert pipe.is_fifo()
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]
