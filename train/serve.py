"""People and bots at one table, each person at a browser.

Everybody opens a link of their own, which is printed. Example, for two people and two bots:
    unspoken serve syzygy-base-4p --seat 0,2 --partners syzygy/convention
"""

import argparse
import signal
import socket
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from unspoken.envs import make_game
from unspoken.envs.engine.random import check_seed
from unspoken.train.seating import add_seating_arguments, people_seats, seat_names
from unspoken.train.text import add_set_argument, parse_options

if TYPE_CHECKING:
    from unspoken.train.server.app import Seats

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken serve``."""
    parser.add_argument("task", metavar="TASK", help="a task (see unspoken tasks)")
    add_seating_arguments(parser)
    parser.add_argument("--tables", type=int, default=1, metavar="N", help="tables (default 1)")
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="to listen at (default 127.0.0.1: only here)"
    )
    parser.add_argument(
        "--port", type=int, default=8000, metavar="P", help="to listen at; 0: any free one (default 8000)"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of the deals (default: drawn, and printed)")
    add_set_argument(parser)
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
    parser.add_argument(
        "--consent", type=Path, metavar="FILE", help="what people are asked for the study (default: our text)"
    )
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="write a replay of each game there")
    parser.add_argument("--open", action="store_true", help="open the first link in a browser here")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken serve``: until it is interrupted.

    Raises:
        ValueError, TypeError: an argument is not allowed. ImportError: a package is needed. OSError: a file
            cannot be written.
    """
    try:
        import uvicorn
        import websockets  # noqa: F401 - uvicorn loads it when the first browser connects

        from unspoken.train.server.app import make_app
        from unspoken.train.server.hosting import Server, make_seats
        from unspoken.train.server.protocol import http_protocol
        from unspoken.train.server.study import OUR_CONSENT, read_consent
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
    names = seat_names(game, people, arguments.partners)
    seed = check_seed(arguments.seed)
    if arguments.consent is not None and arguments.study is None:
        raise ValueError("consent: is for a study; must be given with --study FILE")
    consent = OUR_CONSENT if arguments.consent is None else read_consent(arguments.consent)
    with listen(arguments.host, arguments.port) as listener:
        print(f"{arguments.task}, seed {seed}. Preparing (minutes the first time) ...", flush=True)
        seats = make_seats(
            game,
            names,
            seed,
            tables=arguments.tables,
            pause=arguments.pause,
            study=arguments.study,
            consent=consent,
            record=arguments.record,
        )
        _announce(seats, arguments.host, listener, arguments.open)
        config = uvicorn.Config(
            make_app(seats),
            http=http_protocol(len(seats.tokens)),
            log_level="warning",
            access_log=False,  # it would hold the tokens
            ws_max_size=Server.MAX_MESSAGE,
            ws_per_message_deflate=False,  # costs more than all the rest of an answer
            timeout_graceful_shutdown=3,
            server_header=False,
        )
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        server = Server(config, seats)
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, server.handle_exit)  # the terminal is closed; with nohup it goes on
        # No exception comes where a shell has the interruption ignored, as that of a job in the background.
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        print("Stopped.")


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, taken before anything slow begins.

    Raises:
        ValueError: nothing can listen there.
    """
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
    shown = link_host(host)
    links = []
    for (table, seat), token in seats.tokens.items():
        links.append(f"http://{shown}:{port}/seat/{token}")
        where = f"table {table}, " if len(seats.tables) > 1 else ""
        print(f"{where}player_{seat}: {links[-1]}")
    print("Ctrl-C stops the server.", flush=True)
    if open_browser:
        webbrowser.open(links[0])


def link_host(host: str) -> str:
    """What a link calls this machine: "every address" is no address."""
    if host in ("0.0.0.0", "::", ""):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
