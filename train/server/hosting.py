"""Setting up tables, and the server that runs them."""

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import socket
from time import monotonic

import uvicorn

from unspoken.agents import Agent
from unspoken.envs.engine.game import Game
from unspoken.train.server.app import Seats
from unspoken.train.server.bots import Bots
from unspoken.train.server.match import Match
from unspoken.train.server.study import StudyLog, TableStudy
from unspoken.train.server.table import Table


def make_seats(
    task: str,
    game: Game,
    people: Sequence[int],
    partners: Mapping[int, Agent],
    seed: int,
    tables: int = 1,
    pause: float = 0.0,
    study: Path | None = None,
) -> Seats:
    """Tables with their seats, ready to play.

    Args:
        task, game: what is played. people: their seats. partners: who plays the others.
        seed: of the deals; table t plays the games of slot t.
        tables: how many. pause: seconds before each move of a bot.
        study: the log, if there is one.

    Raises:
        ValueError: a partner cannot play this game. OSError: the log cannot be written.
    """
    log = None if study is None else StudyLog(study)
    names = {seat: agent.name for seat, agent in partners.items()}
    _rehearse(game, partners)
    # One thread for all: agents may be shared, and each move takes little.
    worker = ThreadPoolExecutor(1, thread_name_prefix="unspoken-bots")
    return Seats(
        [
            Table(
                number,
                task,
                Match(game, seed, number),
                people,
                Bots(game, partners, seed + number),
                worker,
                pause,
                None if log is None else TableStudy(log.append, task, people, names),
                monotonic,
            )
            for number in range(tables)
        ]
    )


def _rehearse(game: Game, partners: Mapping[int, Agent]) -> None:
    """Play a game, so that everything is loaded and compiled before the first person waits for it."""
    if "torch" in sys.modules:
        import torch

        torch.set_num_threads(1)
    match = Match(game, 0, 0)
    bots = Bots(game, partners, 0)
    match.begin()
    bots.begin()
    while not match.one.finished:
        match.scene(match.one.seat)
        match.play(bots.act(match.one) if match.one.seat in partners else match.legal()[-1])
    match.scene(None)


class Server(uvicorn.Server):
    """Tells the tables before it closes their connections."""

    MAX_MESSAGE = 16_384
    """Bytes: several times what the tables read, so that they can answer."""

    def __init__(self, config: uvicorn.Config, seats: Seats) -> None:
        super().__init__(config)
        self._seats = seats

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop the tables, then the server."""
        await self._seats.stop()
        await super().shutdown(sockets)
