"""Pages and addresses: the ASGI application."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from unspoken.train import web
from unspoken.train.server.connection import NO_SUCH_SEAT, TOO_LONG, Connection
from unspoken.train.server.messages import MAX_LENGTH
from unspoken.train.server.table import Table

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every answer. Addresses hold tokens: they are kept out of referrers and caches."""

_FILE = re.compile(r"[a-z0-9_-]+\.(js|css|svg)")
_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Unspoken: {title}</title><link rel="stylesheet" href="/static/play.css"></head>
<body><main><h1>{title}</h1><p>{text}</p></main></body></html>
"""
_START = _PAGE.format(
    title="A table for a silent game",
    text="Card games in which nobody may speak are played here. Each player has a link of their own: ask the "
    "host of the table for yours.",
)
_MISSING = _PAGE.format(
    title="There is no such seat",
    text="The link is not complete, or it is of an earlier start of the server, which gives new links each "
    "time. Copy the whole link, or ask the host of the table for a new one.",
)


class Seats:
    """The tables, and the token of each person's seat.

    Attributes:
        tables: in order. tokens: by (table, seat).
    """

    def __init__(self, tables: Sequence[Table], worker: Executor) -> None:
        """``worker``: the thread of all tables."""
        self.tables = tuple(tables)
        self._worker = worker
        self.tokens = {
            (table.number, seat): secrets.token_urlsafe(16) for table in tables for seat in table.people
        }

    def find(self, token: str) -> tuple[Table, int] | None:
        """The table and seat of a token, found in the same time whichever it is."""
        found = None
        given = token.encode()
        for (number, seat), known in self.tokens.items():
            if secrets.compare_digest(given, known.encode()):
                found = self.tables[number], seat
        return found

    async def stop(self) -> None:
        """Stop all tables, and return when their games are written and their last messages on the way."""
        for table in self.tables:
            table.stop()
        # What is in the thread's queue comes before this.
        await asyncio.wrap_future(self._worker.submit(int))


def make_app(seats: Seats) -> ASGIApp:
    """The application for these tables."""

    async def start(request: Request) -> Response:
        return HTMLResponse(_START)

    async def missing(request: HTTPConnection, error: Exception) -> Response:
        return HTMLResponse(_MISSING, 404)

    async def seat_page(request: Request) -> Response:
        if seats.find(request.path_params["token"]) is None:
            return HTMLResponse(_MISSING, 404)
        return HTMLResponse(web.read("play.html"))

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        match = _FILE.fullmatch(name)
        if match is None:
            return HTMLResponse(_MISSING, 404)
        try:
            return Response(web.read(name), media_type=_TYPES[match[1]])
        except FileNotFoundError:
            return HTMLResponse(_MISSING, 404)

    async def talk(socket: WebSocket) -> None:
        if not _same_origin(socket):
            await socket.close()
            return
        await socket.accept()
        found = seats.find(socket.path_params["token"])
        if found is None:
            await socket.close(NO_SUCH_SEAT)
            return
        table, seat = found
        await _talk(socket, table, seat)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await seats.stop()

    routes = [
        Route("/", start),
        Route("/seat/{token}", seat_page),
        Route("/static/{name}", static),
        WebSocketRoute("/seat/{token}/ws", talk),
    ]
    app = Starlette(routes=routes, exception_handlers={404: missing}, lifespan=lifespan)
    return _WithHeaders(app)


async def _talk(socket: WebSocket, table: Table, seat: int) -> None:
    """One browser at its seat, until it goes."""
    connection = Connection(socket, seat, monotonic)
    delivery = asyncio.create_task(connection.deliver())
    table.join(connection)
    try:
        while connection.open:
            message: dict[str, Any] = dict(await socket.receive())
            if message["type"] == "websocket.disconnect":
                break
            text = message.get("text")
            if text is not None and len(text) > MAX_LENGTH:
                connection.close(TOO_LONG)
            table.receive(connection, text)
    finally:
        table.leave(connection)
        await delivery


def _same_origin(socket: WebSocket) -> bool:
    """Whether a page of this server asks, or no page at all: browsers always say whose page it is."""
    origin = socket.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == socket.headers.get("host")
    except ValueError:
        return False


class _WithHeaders:
    """Adds ``HEADERS`` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
