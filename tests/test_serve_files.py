"""A disk that is full loses no game: it is written with the next one, at the end, or elsewhere."""

import errno
import json
import os
import resource
import tempfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the served table needs unspoken[serve]")

from tests.recorded_games import played
from tests.serve_pages import served
from unspoken.train.replay_file import load_replay
from unspoken.train.server import files
from unspoken.train.server.bots import Bots, Position
from unspoken.train.server.files import ReplayFolder, StudyLog
from unspoken.train.server.protocol import FILES, MOST, http_protocol

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fail(*given: object) -> None:
    raise FULL


def lines(log: Path) -> list[Any]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_a_line_of_which_a_part_was_written_is_written_again_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = StudyLog(tmp_path / "study.jsonl")
    log.add({"game": 1})
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:5]))
        with pytest.raises(OSError, match=r"1 not written: .* a part of a line only"):
            log.add({"game": 2})
    assert lines(tmp_path / "study.jsonl") == [{"game": 1}]
    log.add({"game": 3})
    assert lines(tmp_path / "study.jsonl") == [{"game": 1}, {"game": 2}, {"game": 3}]


def test_replays_that_could_not_be_written_are_written_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ReplayFolder(tmp_path / "games")
    replays = [played("syzygy-base4-2p", seed=seed) for seed in range(3)]
    with monkeypatch.context() as full:
        full.setattr(files, "save_replay", fail)
        for number, replay in enumerate(replays[:2], 1):
            with pytest.raises(OSError, match=f"{number} not written: .*No space left on device"):
                folder.add(replay)
    folder.add(replays[2])
    written = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in written] == [f"game-{number:06}.json" for number in (1, 2, 3)]
    assert [load_replay(file) for file in written] == replays


def test_a_disk_that_stays_full_leaves_the_games_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    save = files.save_replay
    games = tmp_path / "games"

    def save_elsewhere(path: Path, replay: Any) -> None:
        if path.parent == games:
            raise FULL
        save(path, replay)

    monkeypatch.setattr(files, "save_replay", save_elsewhere)
    with served("syzygy-base4-2p", record=games) as here:
        page = here.join(0)
        page.act(page.view(), 0)
        page.view(lambda view: view["number"] == 1)
    (rescued,) = tmp_path.glob("unspoken-*/*")
    assert [decision.action for decision in load_replay(rescued).decisions] == [0]
    assert f"they are in {rescued.parent} instead" in caplog.text
    assert list(games.iterdir()) == []


def test_an_illegal_move_of_a_bot_loses_no_game(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for wrong in (-1, 10**6):

        def choose(bots: Bots, position: Position, action: int = wrong) -> int:
            return action

        with served("syzygy-base-4p", "1") as here:
            with monkeypatch.context() as patched:
                patched.setattr(Bots, "act", choose)
                assert here.join(1).problem() == "server-error"
            assert f"action {wrong} of the bot in seat 0 is illegal" in caplog.text
            assert here.join(1).view(lambda view: view["your_turn"])["result"] is None


def test_connections_leave_descriptors_for_files(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (100, 200))
    monkeypatch.setattr(resource, "setrlimit", lambda which, both: limits.append(both))
    http_protocol(4)
    assert limits == [(200, 200)]
    monkeypatch.setattr(resource, "getrlimit", lambda which: (MOST + 4 + FILES, 10**6))
    http_protocol(4)
    assert limits == [(200, 200)]
