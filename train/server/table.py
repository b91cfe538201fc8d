"""People at their browsers and bots, at one table."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from unspoken.envs import task_name
from unspoken.envs.engine.game import action_table
from unspoken.train.seating import PERSON
from unspoken.train.server.bots import Bots
from unspoken.train.server.connection import REPLACED, STOPPING, Connection
from unspoken.train.server.files import ReplayFolder, StudyLog, Unwritten
from unspoken.train.server.match import Match
from unspoken.train.server.messages import Act, Again, Consent, Message, Problem, Resend, read_message
from unspoken.train.server.study import TableStudy

_LOGGER = logging.getLogger(__name__)

CONFIG_FIELDS = {
    "syzygy": ("variant", "n_planets", "n_positions", "n_turns", "emotions", "memory"),
    "syncro": ("scenario", "levels", "max_tries", "hand_limit", "n_turns"),
}
"""What a page is told of a game's configuration."""


def _write(write: Callable[[Any], None], what: Any) -> None:
    """Write a file where nobody waits for it: a full disk must not end the game."""
    try:
        write(what)
    except OSError as error:
        _LOGGER.error("games could not be written; it is tried again with the next one. %s", error)


def _finish(files: Unwritten[Any]) -> None:
    """Write what could not be written, if not there then elsewhere."""
    try:
        files.flush()
    except OSError as error:
        try:
            _LOGGER.error("games could not be written; they are in %s instead. %s", files.rescue(), error)
        except OSError:
            _LOGGER.error("games are lost: %s", error)


class Table:
    """One table. All its methods run in the event loop; bots think in ``worker``.

    Bots move while everybody is there, so that nobody misses anything. A game waits for whoever has gone.

    Attributes:
        number: of the table, from 0. match: its game. people: their seats, in order. stopped: it is over.
    """

    def __init__(
        self,
        match: Match,
        bots: Bots,
        worker: Executor,
        clock: Callable[[], float],
        pause: float = 0.0,
        study: StudyLog | None = None,
        replays: ReplayFolder | None = None,
    ) -> None:
        """
        Args:
            match, bots: what is played, and who plays the seats that are not people's.
            worker: one thread, in which bots think and files are written. clock: seconds.
            pause: seconds before each move of a bot.
            study: where the games are logged that all people let be logged.
            replays: where they are kept; in a study only those.
        """
        self.number = match.slot
        self.match = match
        self.people = tuple(seat for seat, name in enumerate(match.names) if name == PERSON)
        self.stopped = False
        self._bots = bots
        self._worker = worker
        self._pause = pause
        self._study_log = study
        self._study = None if study is None else TableStudy(self.people, study.consent)
        self._replays = replays
        self._clock = clock
        self._connections: dict[int, Connection] = {}
        self._again: set[int] = set()
        self._shown: dict[int, tuple[int, float]] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._begin()

    def join(self, connection: Connection) -> None:
        """A browser takes its seat, from an older one if there is one."""
        if self.stopped:
            connection.send(_STOPPING.as_message())
            connection.close(STOPPING)
            return
        before = self._connections.get(connection.seat)
        if before is not None:
            before.send(_REPLACED.as_message())
            before.close(REPLACED)
        self._connections[connection.seat] = connection
        connection.send(self._welcome(connection.seat))
        self._changed()

    def leave(self, connection: Connection) -> None:
        """A browser has gone."""
        connection.abandon()
        if self._connections.get(connection.seat) is connection:
            del self._connections[connection.seat]
            self._changed()

    def receive(self, connection: Connection, text: str | None) -> None:
        """A browser says something (``None``: not in text)."""
        if not connection.open or not connection.count():
            return
        try:
            if text is None:
                raise Problem("not-json", "a message must be a JSON object in text")
            self._take(connection, read_message(text))
        except Problem as problem:
            connection.send(problem.as_message())
            if problem.code == "stale":
                self._show(connection)

    def stop(self) -> None:
        """Tell everybody that the server stops, and keep what is unfinished."""
        if self.stopped:
            return
        self.stopped = True
        if self._thinking is not None:
            self._thinking.cancel()
        if self.match.number and not self.match.one.finished:
            self._keep()
        for files in (self._study_log, self._replays):
            if files is not None:
                self._worker.submit(_finish, files)
        for connection in self._connections.values():
            connection.send(_STOPPING.as_message())
            connection.close(STOPPING)

    def _take(self, connection: Connection, message: Message) -> None:
        seat = connection.seat
        if isinstance(message, Act):
            self._act(seat, message)
            connection.discount()
        elif isinstance(message, Again):
            if not self.match.one.finished:
                raise Problem("stale", "the game is not over")
            self._again.add(seat)
            if self._again.issuperset(self.people):
                self._begin()
            self._changed()
        elif isinstance(message, Consent):
            if self._study is None:
                raise Problem("unknown-type", "there is no study at this table")
            self._study.answer(seat, message.given)
            self._changed()
        else:
            assert isinstance(message, Resend)
            self._show(connection)

    def _act(self, seat: int, message: Act) -> None:
        one = self.match.one
        if message.number != self.match.number or one.finished:
            raise Problem("stale", "the table has changed since; nothing was done")
        if seat != one.seat:
            raise Problem("not-your-turn", f"it is the turn of player_{one.seat}")
        if self._study is not None and self._study.consented[seat] is None:
            raise Problem("consent-needed", "first say whether the game may be recorded for the study")
        if not 0 <= message.action < one.n_actions or not one.is_legal(message.action):
            raise Problem("illegal", f"action {message.action} is not allowed now")
        shown = self._shown.get(seat)
        seconds = self._clock() - shown[1] if shown is not None and shown[0] == message.number else None
        self._play(message.action, seconds, message.ms)

    def _begin(self) -> None:
        self.match.begin()
        self._bots.begin()
        self._again.clear()
        self._shown.clear()
        if self._study is not None:
            self._study.begin()

    def _play(self, action: int, seconds: float | None = None, ms: int | None = None) -> None:
        one = self.match.one
        if self._study is not None:
            self._study.decide(one.seat, action, len(self.match.legal()), seconds, ms)
        self.match.play(action)
        if one.finished:
            self._keep()
        self._changed()

    def _keep(self) -> None:
        """Write the game into the files that it belongs into."""
        if self._study is not None and not self._study.agreed:
            return
        if self._study is not None and self._study_log is not None:
            self._worker.submit(_write, self._study_log.add, self._study.line(self.match))
        if self._replays is not None:
            self._worker.submit(_write, self._replays.add, self.match.replay())

    def _changed(self) -> None:
        """Show everybody the table, and let the bots go on."""
        for connection in self._connections.values():
            self._show(connection)
        if self._thinking is None and self._bots_turn():
            self._thinking = asyncio.get_running_loop().create_task(self._think())

    def _bots_turn(self) -> bool:
        one = self.match.one
        return not self.stopped and not one.finished and one.seat in self._bots.agents and not self._missing()

    def _missing(self) -> set[int]:
        """People who are not there, or have not said whether the game may be recorded."""
        missing = set(self.people) - set(self._connections)
        if self._study is not None:
            missing |= {seat for seat in self.people if self._study.consented[seat] is None}
        return missing

    async def _think(self) -> None:
        """Let the bots move until it is a person's turn."""
        loop = asyncio.get_running_loop()
        try:
            while self._bots_turn():
                if self._pause:
                    await asyncio.sleep(self._pause)
                    if not self._bots_turn():
                        break
                position = self._bots.position(self.match.one)
                action = await loop.run_in_executor(self._worker, self._bots.act, position)
                if not (0 <= action < len(position.mask) and position.mask[action]):
                    raise ValueError(f"action {action} of the bot in seat {position.seat} is illegal")
                self._play(action)
        except Exception:
            _LOGGER.exception("table %d: a bot failed", self.number)
            for connection in self._connections.values():
                connection.send(_FAILED.as_message())
        finally:
            self._thinking = None

    def _welcome(self, seat: int) -> dict[str, Any]:
        game = self.match.game
        seats = []
        for other in range(game.config.n_players):
            bot = self._bots.agents.get(other)
            if bot is not None:
                seats.append({"kind": "bot", "name": bot.name})
            else:
                seats.append({"kind": "you" if other == seat else "person", "name": f"player_{other}"})
        study = self._study
        return {
            "type": "welcome",
            "game": game.config.game,
            "task": task_name(game.config),
            "table": self.number,
            "seat": seat,
            "n_players": game.config.n_players,
            "seats": seats,
            "actions": action_table(game),
            "config": {name: getattr(game.config, name) for name in CONFIG_FIELDS[game.config.game]},
            "recorded": self._replays is not None,
            "study": study is not None,
            "consent_text": None if study is None else study.consent.text,
            "consented": None if study is None else study.consented[seat],
        }

    def _show(self, connection: Connection) -> None:
        match, seat = self.match, connection.seat
        one = match.one
        yours = not one.finished and one.seat == seat
        if yours and self._shown.get(seat, (-1, 0.0))[0] != match.number:
            self._shown[seat] = (match.number, self._clock())
        connection.send(
            {
                "type": "view",
                "number": match.number,
                "game_number": match.game_number,
                "scene": match.scene(seat),
                "your_turn": yours,
                "legal": match.legal() if yours else [],
                "log": match.log(seat),
                "connected": sorted(self._connections),
                "waiting_for": self._waiting_for(),
                "consented": None if self._study is None else self._study.consented[seat],
                "visit": None if self._study is None else self._study.visit(seat),
                "result": match.result(),
                "everything": match.scene(None) if one.finished else None,
                "again": sorted(self._again),
            }
        )

    def _waiting_for(self) -> list[int]:
        if self.match.one.finished:
            return sorted(set(self.people) - self._again)
        acting = {self.match.one.seat} & set(self.people)
        return sorted(acting | self._missing())


_REPLACED = Problem("replaced", "this seat is now played in another window")
_STOPPING = Problem("server-stopping", "the server stops; the game ends here")
_FAILED = Problem("server-error", "a bot failed, the game cannot go on; the host can see why")
