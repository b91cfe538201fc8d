"""``unspoken serve`` as a command, and one connection by itself."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the served table needs unspoken[serve]")
pytest.importorskip("websockets", reason="the served table needs unspoken[serve]")

from websockets.sync.client import connect

from unspoken.train.cli import main
from unspoken.train.replay_file import load_replay
from unspoken.train.serve import link_host, listen
from unspoken.train.server.connection import BURST, PATIENCE, QUEUE, Connection

TASK = "syzygy-base4-2p"


class FakeSocket:
    """Takes what it is sent, once it is let."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.may_send = asyncio.Event()

    async def send_text(self, text: str) -> None:
        await self.may_send.wait()
        self.sent.append(json.loads(text))


def test_a_slow_page_is_sent_the_last_view_and_blocks_nobody() -> None:
    async def run() -> list[Any]:
        slow = FakeSocket()
        connection = Connection(slow, 0, lambda: 0.0)  # type: ignore[arg-type]
        delivery = asyncio.create_task(connection.deliver())
        connection.send({"type": "welcome"})
        for number in range(10 * QUEUE + 1):
            connection.send({"type": "view", "number": number})
            await asyncio.sleep(0)
        connection.send({"type": "problem"})
        slow.may_send.set()
        while slow.sent[-1:] != [{"type": "problem"}]:
            await asyncio.sleep(0)
        delivery.cancel()
        return slow.sent

    sent = asyncio.run(run())
    assert sent[0] == {"type": "welcome"}
    assert sent[-2] == {"type": "view", "number": 10 * QUEUE}
    assert len(sent) <= QUEUE + 2


def test_a_connection_counts_messages_and_forgives_with_time() -> None:
    async def run() -> None:
        now = 0.0
        connection = Connection(FakeSocket(), 0, lambda: now)  # type: ignore[arg-type]
        assert all(connection.count() for _ in range(BURST))
        assert not connection.count()
        now = 1.0
        assert [connection.count() for _ in range(21)] == [True] * 20 + [False]
        now = 10.0
        assert all(connection.count() for _ in range(BURST))
        assert not any(connection.count() for _ in range(PATIENCE))
        assert connection.open
        assert not connection.count()
        assert not connection.open

    asyncio.run(run())


def test_moves_that_are_played_are_never_too_many() -> None:
    connection = Connection(FakeSocket(), 0, lambda: 0.0)  # type: ignore[arg-type]
    for _ in range(10 * BURST):
        assert connection.count()
        connection.discount()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "2"], "seat='2'"),
        (["--partners", "syzygy/greedy,random"], "partners='syzygy/greedy,random'"),
        (["--partners", "syncro/solo"], "plays only Syncro"),
        (["--tables", "0"], "tables=0: must be 1 or more"),
        (["--pause", "nan"], "pause=nan: must be from 0 to 60 seconds"),
        (["--port", "70000"], "port=70000: must be from 1 to 65535, or 0 for any free one"),
        (["--host", "no.such.host.example"], "host='no.such.host.example'"),
        (["--record", "."], "must be new or an empty folder"),
    ],
)
def test_a_wrong_request_is_told_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--port" not in arguments:
        arguments = [*arguments, "--port", "0"]
    assert main(["serve", TASK, *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", TASK, "--port", str(port)]) == 2
    error = capsys.readouterr().err
    assert f"port={port}: cannot listen there (Address already in use" in error


def test_a_missing_package_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", TASK]) == 2
    assert capsys.readouterr().err == "unspoken serve: needs uvicorn: pip install 'unspoken[serve]'\n"


def test_links_name_an_address_that_can_be_opened() -> None:
    assert link_host("127.0.0.1") == "127.0.0.1"
    assert link_host("::1") == "[::1]"
    assert link_host("0.0.0.0") == link_host("::") == socket.gethostname()
    with listen("127.0.0.1", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_connections_that_say_nothing_lose_no_game_and_neither_does_a_closed_terminal(tmp_path: Path) -> None:
    command = f"ulimit -n 128; exec {sys.executable} -m unspoken.train.cli serve {TASK} --port 0 --pause 0"
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        ["bash", "-c", f"{command} --record {tmp_path}"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # ignored where tests run in nohup
    ) as server:
        assert server.stdout is not None
        link = next(found for line in server.stdout if (found := re.search(r":(\d+)(/seat/\S+)", line)))
        silent = []
        with connect(f"ws://127.0.0.1:{link[1]}{link[2]}/ws") as page:
            page.recv(timeout=60)
            legal = json.loads(page.recv(timeout=60))["legal"]
            for _ in range(150):
                silent.append(socket.create_connection(("127.0.0.1", int(link[1]))))
            page.send(json.dumps({"type": "act", "number": 0, "action": legal[0]}))
            assert json.loads(page.recv(timeout=60))["number"] == 1
            server.send_signal(signal.SIGHUP)
            assert json.loads(page.recv(timeout=60))["code"] == "server-stopping"
        assert server.wait() == 0
        for each in silent:
            each.close()
    (file,) = tmp_path.iterdir()
    assert len(load_replay(file).decisions) == 1


def test_a_process_serves_a_person_and_ends_well_when_it_is_interrupted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unspoken.train.cli", "serve", TASK, "--port", "0", "--pause", "0"]
    command += ["--host", "0.0.0.0", "--seed", "3", "--record", str(tmp_path)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        link = next(found for line in server.stdout if (found := re.search(r":(\d+)(/seat/\S+)", line)))
        with connect(f"ws://127.0.0.1:{link[1]}{link[2]}/ws") as page:
            assert json.loads(page.recv(timeout=60))["type"] == "welcome"
            number, legal = (view := json.loads(page.recv(timeout=60)))["number"], view["legal"]
            page.send(json.dumps({"type": "act", "number": number, "action": legal[0]}))
            assert json.loads(page.recv(timeout=60))["number"] == 1
            server.send_signal(signal.SIGINT)
            assert json.loads(page.recv(timeout=60))["code"] == "server-stopping"
        assert server.wait() == 0
        assert "Stopped." in server.stdout.read()
        assert server.stderr.read().startswith("warning: everybody on the network who has a link can play")
    (file,) = tmp_path.iterdir()
    replay = load_replay(file)
    assert (replay.seed, replay.result, len(replay.decisions)) == (3, None, 1)
