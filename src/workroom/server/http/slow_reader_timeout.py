"""uvicorn's protocol for HTTP, which also closes connections whose client does not read its response.

Such a response holds memory, and may hold a process. asyncio tells a protocol when more is written than the client has
read, and when it has caught up.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any, cast

from workroom.logs import get_logger

log = get_logger(__name__)

_LEAST_BYTES = 50_000  # that a client must read in the given time


def http_protocol(seconds: float) -> Any:
    """The protocol for `uvicorn.Config(http=…)`; uvicorn's own if it cannot be extended."""
    # Not part of uvicorn's public interface.
    try:
        from uvicorn.protocols.http.auto import AutoHTTPProtocol
    except ImportError as error:
        log.warning("no time-out for slow readers: this uvicorn is not supported", reason=str(error))
        return "auto"
    return type("TimedProtocol", (UnreadResponseTimeout, AutoHTTPProtocol), {"unread_seconds": seconds})


class UnreadResponseTimeout(asyncio.Protocol):
    """What is added to the protocol of one connection, until it is closed or becomes a WebSocket."""

    unread_seconds = 30.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        # Transports of uvloop have the methods of `asyncio.Transport`, but not the class.
        self._unread = _UnreadTimer(cast(asyncio.Transport, transport), self.unread_seconds)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.start()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unread.stop()


class _UnreadTimer:
    """Drops a connection if its client reads less than it must while it runs."""

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self.stop()
        size = self._transport.get_write_buffer_size()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._check, size)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self, before: int) -> None:
        if before - self._transport.get_write_buffer_size() >= _LEAST_BYTES:
            self.start()
            return
        client = self._transport.get_extra_info("peername")
        log.info("connection closed: the response is not read", client=client, seconds=self._seconds)
        self._abort()

    def _abort(self) -> None:
        """Drop the connection with what it has not sent. To close it would wait until the client has read the rest."""
        connection = self._transport.get_extra_info("socket")
        if connection is not None:
            # Without this the kernel keeps what it has not sent, and the connection, until the client reads.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()
