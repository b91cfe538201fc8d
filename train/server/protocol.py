"""How many connections there may be, and how long one may take to say what it wants."""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 256
"""Connections at once, beside one for each person's seat."""
FILES = 64
"""Descriptors that are left for everything else."""
PATIENCE = 10.0
"""Seconds until a connection must have asked for something."""


def http_protocol(people: int) -> type[H11Protocol]:
    """The protocol of a server with ``people`` seats of people."""
    most = min(MOST + people, _descriptors(MOST + people + FILES) - FILES)

    class Limited(H11Protocol):
        """Ends connections that are too many, or say nothing."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > most:
                transport.abort()
            else:
                self.loop.call_later(PATIENCE, self._check)

        def _check(self) -> None:
            # One that has become a WebSocket is no longer in there.
            if self in self.connections and cast(Any, self.cycle) is None:
                self.transport.abort()

    return Limited


def _descriptors(wanted: int) -> int:
    """How many descriptors this process may have: as many as ``wanted``, if it can be had."""
    try:
        import resource
    except ImportError:  # not on every system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
