"""ASGI middleware that closes connections whose client does not read its response."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.logs import get_logger

log = get_logger(__name__)


class UnreadResponseLimit:
    """Ends a streamed response when the client stops reading it: it holds memory, and may hold a process.

    The outermost middleware: it needs the connection of the ASGI server.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_in_time(message: Message) -> None:
            if not message.get("more_body"):
                await send(message)
                return
            try:
                async with asyncio.timeout(self._seconds):
                    await send(message)
            except TimeoutError:
                log.info("connection closed: the response is not read", path=scope["path"], seconds=self._seconds)
                _abort(send)

        await self._app(scope, receive, send_in_time)


def _abort(send: Any) -> None:
    """Drop the connection with what it has not sent. To close it would wait until the client has read the rest.

    `send` is a method of uvicorn's object for the request. The response notices the disconnect and ends.
    """
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is None:
        return
    connection = transport.get_extra_info("socket")
    if connection is not None:
        # Without this the kernel keeps what it has not sent, and the connection, until the client reads.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
