"""Setting up tables, and the server that runs them."""

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import socket
from time import monotonic

import uvicorn

from unspoken.agents import Agent, load_agent
from unspoken.envs.engine.game import Game
from unspoken.train.seating import PERSON
from unspoken.train.server.app import Seats
from unspoken.train.server.bots import Bots
from unspoken.train.server.files import ReplayFolder, StudyLog
from unspoken.train.server.match import Match
from unspoken.train.server.study import OUR_CONSENT, ConsentForm
from unspoken.train.server.table import Table

LONGEST_REHEARSAL = 200
"""Decisions: all of a game of one level, and some of an adventure."""


def make_seats(
    game: Game,
    names: Sequence[str],
    seed: int,
    *,
    tables: int = 1,
    pause: float = 0.0,
    study: Path | None = None,
    consent: ConsentForm = OUR_CONSENT,
    record: Path | None = None,
) -> Seats:
    """Tables with their seats, ready to play.

    Args:
        game: what is played. names: an agent for each seat, or ``PERSON``.
        seed: of the deals; table t plays the games of slot t.
        tables: how many. pause: seconds before each move of a bot.
        study: the log of a study, if there is one. consent: what people are asked for it.
        record: a folder for replays, new or empty.

    Raises:
        ValueError: there is no such agent, it cannot play this game, or the folder holds something.
        ImportError: an agent needs a package. OSError: the log or the folder cannot be written.
    """
    log = None if study is None else StudyLog(study, consent)
    replays = None if record is None else ReplayFolder(record)
    agents = {name: load_agent(name) for name in dict.fromkeys(names) if name != PERSON}
    bots = {seat: agents[name] for seat, name in enumerate(names) if name != PERSON}
    if "torch" in sys.modules:
        import torch

        torch.set_num_threads(1)
    _rehearse(game, names, bots)
    # One thread for all: tables share their agents, and each move takes little.
    worker = ThreadPoolExecutor(1, thread_name_prefix="unspoken-bots")
    return Seats(
        [
            Table(
                Match(game, names, seed, number),
                Bots(game, bots, seed + number),
                worker,
                monotonic,
                pause,
                log,
                replays,
            )
            for number in range(tables)
        ],
        worker,
    )


def _rehearse(game: Game, names: Sequence[str], agents: Mapping[int, Agent]) -> None:
    """Play a game, so that everything is loaded and compiled before the first person waits for it."""
    match, bots = Match(game, names, 0, 0), Bots(game, agents, 0)
    match.begin()
    bots.begin()
    while not match.one.finished and match.number < LONGEST_REHEARSAL:
        match.scene(match.one.seat)
        bot = match.one.seat in agents
        match.play(bots.act(bots.position(match.one)) if bot else match.legal()[-1])
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
