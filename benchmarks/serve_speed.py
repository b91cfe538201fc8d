"""How fast a served table answers: a person with bots at each of many tables, all playing at once.

::

    python benchmarks/serve_speed.py --tables 20 --json serve.json

A process serves, this one is the people, each over a WebSocket of its own. A person answers after a time
drawn from 0 to ``--think`` seconds; with 0 all answer at once, which is more than any room of people can do.
The bots do not pause. "Answered" is the time from a person's move to the view that shows it; "your turn
again" to the one in which all bots have moved too (or the game is over).
"""

import argparse
import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
from websockets.asyncio.client import connect

TASKS = ("syzygy-base-4p", "syncro-Ia-3p")
_LINK = re.compile(r"http(://\S+/seat/\S+)")


async def play(address: str, games: int, think: float, answered: list[float], again: list[float]) -> None:
    """Play ``games`` games with the first action allowed, and note how long everything took, in seconds."""
    async with connect(address) as socket:
        moved: float | None = None
        shown = True
        finished = 0
        async for text in socket:
            now = time.perf_counter()
            message: dict[str, Any] = json.loads(text)
            assert message["type"] != "problem", message
            if message["type"] != "view":
                continue
            if not shown and moved is not None:
                answered.append(now - moved)
                shown = True
            over = message["result"] is not None
            if moved is not None and (message["your_turn"] or over):
                again.append(now - moved)
                moved = None
            if over:
                finished += 1
                if finished == games:
                    return
                await socket.send('{"type":"again"}')
            elif message["your_turn"]:
                await asyncio.sleep(random.uniform(0, think))
                number, action = message["number"], message["legal"][0]
                moved, shown = time.perf_counter(), False
                await socket.send(json.dumps({"type": "act", "number": number, "action": action}))


def measure(task: str, partners: str | None, tables: int, games: int, think: float) -> dict[str, Any]:
    """Milliseconds at this task: median, 95th percentile and the longest."""
    command = [sys.executable, "-m", "unspoken.train.cli", "serve", task, "--port", "0", "--pause", "0"]
    command += ["--tables", str(tables), "--seed", "0"]
    if partners is not None:
        command += ["--partners", partners]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    addresses = []
    for line in server.stdout:
        if found := _LINK.search(line):
            addresses.append(f"ws{found[1]}/ws")
        if len(addresses) == tables:
            break
    answered: list[float] = []
    again: list[float] = []

    async def all_play() -> None:
        await asyncio.gather(*(play(address, games, think, answered, again) for address in addresses))

    started = time.perf_counter()
    try:
        asyncio.run(all_play())
        seconds = time.perf_counter() - started
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
    return {
        "task": task,
        "tables": tables,
        "think": think,
        "moves": len(answered),
        "moves_per_second": round(len(answered) / seconds),
        "answered_ms": percentiles(answered),
        "again_ms": percentiles(again),
    }


def percentiles(seconds: list[float]) -> list[float]:
    """Median, 95th percentile and maximum in milliseconds."""
    return [round(1000 * float(each), 1) for each in np.percentile(seconds, [50, 95, 100])]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), metavar="TASK")
    parser.add_argument("--partners", metavar="A", help="default: those of unspoken serve")
    parser.add_argument("--tables", type=int, default=20, metavar="N")
    parser.add_argument("--games", type=int, default=3, metavar="N", help="at each table (default 3)")
    parser.add_argument("--think", type=float, default=2.0, metavar="S", help="longest wait (default 2)")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    rows = []
    print(f"{'ms: median, 95%, max':24}{'answered':>24}{'your turn again':>24}  moves/s")
    for task in arguments.tasks:
        row = measure(task, arguments.partners, arguments.tables, arguments.games, arguments.think)
        rows.append(row)
        shown = ["  ".join(f"{each:6.1f}" for each in row[name]) for name in ("answered_ms", "again_ms")]
        print(f"{task:24}{shown[0]:>24}{shown[1]:>24}  {row['moves_per_second']}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
