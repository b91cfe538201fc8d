"""People and bots at one table, each person at a browser.

Everybody opens a link of their own, which is printed. Example, for two people and two bots:
    unspoken serve syzygy-base-4p --seat 0,2 --partners syzygy/convention
"""

import argparse
import signal
import socket
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from unspoken.agents import Agent, load_agent
from unspoken.envs import make_game
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import check_seed
from unspoken.train.text import parse_options

if TYPE_CHECKING:
    from unspoken.train.server.app import Seats

PARTNERS = {"syzygy": "syzygy/convention", "syncro": "syncro/convention"}
"""Who plays the other seats where nobody is named."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken serve``."""
    parser.add_argument("task", metavar="TASK", help="a task (see unspoken tasks)")
    parser.add_argument(
        "--partners",
        metavar="A,B,...",
        help="the other seats: one agent for all of them, or one for each in the order of the seats "
        f"(default: {', '.join(PARTNERS.values())})",
    )
    parser.add_argument("--seat", default="0", metavar="N,...", help="seats of people, or all (default 0)")
    parser.add_argument("--tables", type=int, default=1, metavar="N", help="tables (default 1)")
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="to listen at (default 127.0.0.1: only here)"
    )
    parser.add_argument(
        "--port", type=int, default=8000, metavar="P", help="to listen at; 0: any free one (default 8000)"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of the deals (default: drawn, and printed)")
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="further settings of the game, such as emotions=2",
    )
    parser.add_argument(
        "--pause",
        type=float,
        default=0.6,
        metavar="S",
        help="seconds before each move of a bot (default 0.6)",
    )
    parser.add_argument(
        "--study", type=Path, metavar="FILE", help="add each game to this file, if its people agree"
    )
    parser.add_argument("--open", action="store_true", help="open the first link in a browser here")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken serve``: until it is interrupted."""
    try:
        import uvicorn
        import websockets  # noqa: F401 - uvicorn loads it when the first browser connects

        from unspoken.train.server.app import make_app
        from unspoken.train.server.hosting import Server, make_seats
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("unspoken"):
            raise
        raise ImportError(f"needs {error.name}: pip install 'unspoken[serve]'") from None
    if arguments.tables < 1:
        raise ValueError(f"tables={arguments.tables}: must be 1 or more")
    if not 0 <= arguments.pause <= 60:
        raise ValueError(f"pause={arguments.pause}: must be from 0 to 60 seconds")
    game = make_game(arguments.task, **parse_options(arguments.set))
    people = people_seats(arguments.seat, game.config.n_players)
    partners = seat_partners(arguments.partners, game, people)
    seed = check_seed(arguments.seed)
    listener = _listen(arguments.host, arguments.port)
    print(
        f"{arguments.task}, seed {seed}. Preparing (minutes the first time) ...",
        flush=True,
    )
    seats = make_seats(
        arguments.task, game, people, partners, seed, arguments.tables, arguments.pause, arguments.study
    )
    _announce(seats, arguments.host, listener, arguments.open)
    config = uvicorn.Config(
        make_app(seats),
        log_level="warning",
        access_log=False,  # it would hold the tokens
        ws_max_size=Server.MAX_MESSAGE,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Server(config, seats).run(sockets=[listener])
    except KeyboardInterrupt:
        print("Stopped.")


def people_seats(text: str, n_players: int) -> tuple[int, ...]:
    """The seats of people in ``"0"``, ``"0,2"`` or ``"all"``.

    Raises:
        ValueError: there is no such seat, or one is named twice.
    """
    if text.strip() == "all":
        return tuple(range(n_players))
    allowed = f"must be numbers from 0 to {n_players - 1}, each once, or 'all'"
    seats = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part) < n_players for part in seats):
        raise ValueError(f"seat={text!r}: {allowed}")
    numbers = sorted({int(part) for part in seats})
    if len(numbers) != len(seats):
        raise ValueError(f"seat={text!r}: {allowed}")
    return tuple(numbers)


def seat_partners(text: str | None, game: Game, people: tuple[int, ...]) -> dict[int, Agent]:
    """The agents at the seats that people leave, by seat; an agent named several times is loaded once.

    Raises:
        ValueError: no such agent, or another number of them.
    """
    others = [seat for seat in range(game.config.n_players) if seat not in people]
    if text is None:
        text = PARTNERS[game.config.game]
    names = [name.strip() for name in text.split(",")]
    if others and len(names) == 1:
        names *= len(others)
    if others and len(names) != len(others):
        raise ValueError(
            f"partners: {len(names)} agents given; must be one, or one for each of {len(others)} other seats"
        )
    loaded = {name: load_agent(name) for name in dict.fromkeys(names)} if others else {}
    return {seat: loaded[name] for seat, name in zip(others, names, strict=False)}


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket, taken before anything slow begins."""
    if not 0 <= port <= 65535:
        raise ValueError(f"port={port}: must be from 1 to 65535, or 0 for any free one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ValueError(
            f"host={host!r}, port={port}: cannot listen there ({reason}); choose another port, or 0 for "
            "any free one"
        ) from None


def _announce(seats: "Seats", host: str, listener: socket.socket, open_browser: bool) -> None:
    """Print every person's link."""
    port = listener.getsockname()[1]
    if host not in LOOPBACK:
        print(
            f"warning: everybody on the network who has a link can play, and the traffic is not encrypted; "
            f"listening at {host}",
            file=sys.stderr,
        )
    shown = _reachable(host)
    links = []
    for (table, seat), token in seats.tokens.items():
        links.append(f"http://{shown}:{port}/seat/{token}")
        where = f"table {table}, " if len(seats.tables) > 1 else ""
        print(f"{where}player_{seat}: {links[-1]}")
    print("Ctrl-C stops the server.", flush=True)
    if open_browser:
        webbrowser.open(links[0])


def _reachable(host: str) -> str:
    """What a link calls this machine: "every address" is no address."""
    if host in ("0.0.0.0", "::", ""):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
