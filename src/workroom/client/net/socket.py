"""One Socket.IO connection, which can be opened again after it broke."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from workroom.client.net.http import unreachable
from workroom.client.net.socketio_connection import CONNECTION_ERRORS, ConnectionRefused, Handler, SocketIOConnection
from workroom.domain.errors import NotSignedIn, ServerUnreachable

_CONNECT_SECONDS = 10.0


class Socket:
    """A Socket.IO connection to the server. `closed` is set while there is no connection."""

    def __init__(self, url: str, handlers: Mapping[str, Handler]) -> None:
        self._url = url
        self._handlers = handlers
        self._connection: SocketIOConnection | None = None
        self.closed = asyncio.Event()
        self.closed.set()

    async def connect(self, token: str, client: str | None = None) -> None:
        """Connect, as the client of this id if one is given.

        NotSignedIn if the server refuses the token, ServerUnreachable if no server answers.
        """
        await self.disconnect()
        auth = {"token": token} if client is None else {"token": token, "client": client}
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                self._connection = await SocketIOConnection.open(self._url, auth, self._handlers)
        except ConnectionRefused as error:
            raise NotSignedIn(f"The server refused the connection: {error}") from None
        except CONNECTION_ERRORS as error:
            raise unreachable(self._url, error) from error
        self.closed = self._connection.closed

    async def call(self, name: str, body: Any, *, timeout_seconds: float = 10.0) -> Any:
        """Send a message and wait for its acknowledgement; ServerUnreachable if there is none."""
        if self._connection is None or self.closed.is_set():
            raise ServerUnreachable(f"There is no connection to {self._url}.")
        try:
            return await self._connection.call(name, body, timeout_seconds)
        except CONNECTION_ERRORS as error:
            raise unreachable(self._url, error) from error

    async def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
        self.closed.set()

    async def close(self) -> None:
        await self.disconnect()
