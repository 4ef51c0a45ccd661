"""One Socket.IO connection, which can be opened again after it broke."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import socketio
from socketio.exceptions import SocketIOError

from workroom.client.discovery import is_local
from workroom.client.net.brokered_connections import socket_connector
from workroom.client.net.http import unreachable
from workroom.domain.errors import NotSignedIn, ServerUnreachable

Handler = Callable[[Any], Awaitable[Any]]
_CONNECT_SECONDS = 10.0


class Socket:
    """A Socket.IO connection to the server. `closed` is set while there is no connection."""

    def __init__(self, url: str, handlers: Mapping[str, Handler]) -> None:
        self._url = url
        self._handlers = handlers
        self._http: aiohttp.ClientSession | None = None
        self._sio: Any = None
        self._ended: asyncio.Future[None] | None = None  # the transport of the connection
        self.closed = asyncio.Event()
        self.closed.set()

    async def connect(self, token: str, client: str | None = None) -> None:
        """Connect, as the client of this id if one is given.

        NotSignedIn if the server refuses the token, ServerUnreachable if no server answers.
        """
        await self.disconnect()
        if self._http is None:
            self._http = aiohttp.ClientSession(connector=socket_connector(self._url), trust_env=not is_local(self._url))
        refusals: list[Any] = []
        answered, closed = asyncio.Event(), asyncio.Event()
        sio: Any = socketio.AsyncClient(reconnection=False, http_session=self._http, handle_sigint=False)
        sio.on("connect", _setter(answered))
        sio.on("connect_error", _setter(answered, refusals))
        sio.on("disconnect", _setter(closed))
        for name, handler in self._handlers.items():
            sio.on(name, handler)
        try:
            auth = {"token": token} if client is None else {"token": token, "client": client}
            async with asyncio.timeout(_CONNECT_SECONDS):
                await sio.connect(
                    self._url,
                    auth=auth,
                    transports=["websocket"],
                    # The library takes the path from here and not from the URL: a proxy may add one.
                    socketio_path=f"{urlsplit(self._url).path}/socket.io".lstrip("/"),
                    wait=False,
                )
                # "disconnect" comes only after "connect", but the transport may break before: `wait` ends with it.
                ended: asyncio.Future[None] = asyncio.ensure_future(sio.wait())
                ended.add_done_callback(lambda _: closed.set())
                self._ended = ended
                await _first_of(answered, closed)
            if refusals or not answered.is_set():
                raise ConnectionError("the connection broke")
        except BaseException as error:
            await self._end(sio)
            if any(isinstance(refusal, dict) for refusal in refusals):
                raise NotSignedIn(f"The server refused the connection: {refusals[-1].get('message')}") from None
            if isinstance(error, SocketIOError | aiohttp.ClientError | OSError | TimeoutError):
                raise unreachable(self._url, error) from error
            raise
        self._sio, self.closed = sio, closed

    async def call(self, name: str, body: Any, *, timeout_seconds: float = 10.0) -> Any:
        """Send a message and wait for its acknowledgement; ServerUnreachable if there is none."""
        sio = self._sio
        if sio is None or self.closed.is_set():
            raise ServerUnreachable(f"There is no connection to {self._url}.")
        calling = asyncio.ensure_future(sio.call(name, body, timeout=timeout_seconds))
        closing = asyncio.ensure_future(self.closed.wait())
        try:
            await asyncio.wait({calling, closing}, return_when=asyncio.FIRST_COMPLETED)
            if not calling.done():
                raise ServerUnreachable(f"The connection to {self._url} broke.")
            return calling.result()
        except SocketIOError as error:
            raise unreachable(self._url, error) from error
        finally:
            calling.cancel()
            closing.cancel()

    async def disconnect(self) -> None:
        sio, self._sio = self._sio, None
        if sio is not None:
            await self._end(sio)
        self.closed.set()

    async def close(self) -> None:
        await self.disconnect()
        if self._http is not None:
            await self._http.close()
            self._http = None

    async def _end(self, sio: Any) -> None:
        try:
            async with asyncio.timeout(2):
                await sio.disconnect()
        except (SocketIOError, aiohttp.ClientError, OSError, TimeoutError):
            pass  # the connection was broken already
        if self._ended is not None:
            self._ended.cancel()  # the library waits for another second after the end of the transport
            self._ended = None


def _setter(event: asyncio.Event, bodies: list[Any] | None = None) -> Callable[..., Awaitable[None]]:
    """A handler that sets the event and keeps the message."""

    async def handle(*body: Any) -> None:
        if bodies is not None:
            bodies.extend(body)
        event.set()

    return handle


async def _first_of(*events: asyncio.Event) -> None:
    """Wait until one of the events is set."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
