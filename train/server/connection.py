"""One browser at a seat: what it is sent waits in a bounded queue, and it may say only so much."""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

REPLACED = 4001
NO_SUCH_SEAT = 4404
STOPPING = 1001
TOO_MANY = 1008
TOO_LONG = 1009

RATE = 20.0
BURST = 40
"""Messages that a page may send, in a second and at once; moves that are played do not count."""
PATIENCE = 200
"""Messages too many that are dropped before the connection is closed."""
QUEUE = 32
"""Messages that may wait for a slow page. Of those that do not fit the views go: the next one holds all."""


class Connection:
    """One WebSocket.

    Attributes:
        seat: where it sits. open: nothing has closed it yet.
    """

    def __init__(self, socket: WebSocket, seat: int, clock: Callable[[], float]) -> None:
        """``clock``: seconds, for the rate."""
        self.seat = seat
        self.open = True
        self._socket = socket
        self._clock = clock
        self._waiting: deque[dict[str, Any]] = deque()
        self._something = asyncio.Event()
        self._close_code: int | None = None
        self._allowance = float(BURST)
        self._counted = clock()
        self._dropped = 0

    def send(self, message: dict[str, Any]) -> None:
        """Put a message into the queue; never waits."""
        if not self.open:
            return
        if len(self._waiting) >= QUEUE:
            self._waiting = deque(each for each in self._waiting if each["type"] != "view")
        if len(self._waiting) < QUEUE:
            self._waiting.append(message)
        self._something.set()

    def close(self, code: int) -> None:
        """Close when all that waits has been sent."""
        if self.open:
            self.open = False
            self._close_code = code
            self._something.set()

    def abandon(self) -> None:
        """The other side has gone, or is told that this is the end."""
        if self.open:
            self._waiting.clear()
            self.close(STOPPING)

    async def deliver(self) -> None:
        """Send what is in the queue until the connection is closed."""
        try:
            while True:
                await self._something.wait()
                self._something.clear()
                while self._waiting:
                    message = self._waiting.popleft()
                    await self._socket.send_text(json.dumps(message, allow_nan=False, separators=(",", ":")))
                if self._close_code is not None:
                    if self._socket.client_state is WebSocketState.CONNECTED:
                        await self._socket.close(self._close_code)
                    return
        except (WebSocketDisconnect, RuntimeError, OSError):
            # It went while it was being written to; the reading side tells the table.
            self.open = False

    def count(self) -> bool:
        """Count a message that has come, and return whether it may be read."""
        now = self._clock()
        self._allowance = min(BURST, self._allowance + RATE * (now - self._counted))
        self._counted = now
        if self._allowance >= BURST - 1:
            self._dropped = 0
        if self._allowance >= 1:
            self._allowance -= 1
            return True
        self._dropped += 1
        if self._dropped == 1:
            message = f"more than {RATE:.0f} messages a second: some were not read"
            self.send({"type": "problem", "code": "too-many", "message": message})
        if self._dropped > PATIENCE:
            self.close(TOO_MANY)
        return False

    def discount(self) -> None:
        """The message counted last was a move that has been played: no flood is made of those."""
        self._allowance += 1
