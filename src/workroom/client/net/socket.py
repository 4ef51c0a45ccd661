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
        self.closed = asyncio.Event()
        self.closed.set()

    async def connect(self, token: str, client: str | None = None) -> None:
        """Connect, as the client of this id if one is given.

        NotSignedIn if the server refuses the token, ServerUnreachable if no server answers.
        """
        await self.disconnect()
        if self._http is None:
            self._http = aiohttp.ClientSession(connector=socket_connector(), trust_env=not is_local(self._url))
        refusals: list[Any] = []
        sio: Any = socketio.AsyncClient(reconnection=False, http_session=self._http, handle_sigint=False)
        closed = asyncio.Event()
        sio.on("disconnect", _set_handler(closed))
        sio.on("connect_error", _append_handler(refusals))
        for name, handler in self._handlers.items():
            sio.on(name, handler)
        try:
            auth = {"token": token} if client is None else {"token": token, "client": client}
            await sio.connect(
                self._url,
                auth=auth,
                transports=["websocket"],
                # The library takes the path from here and not from the URL: a proxy may serve Workroom below a path.
                socketio_path=f"{urlsplit(self._url).path}/socket.io".lstrip("/"),
                wait_timeout=_CONNECT_SECONDS,
            )
        except (SocketIOError, aiohttp.ClientError, OSError, TimeoutError) as error:
            if any(isinstance(refusal, dict) for refusal in refusals):
                raise NotSignedIn(f"The server refused the connection: {refusals[-1].get('message')}") from None
            raise unreachable(self._url, error) from error
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
            try:
                async with asyncio.timeout(2):
                    await sio.disconnect()
            except (SocketIOError, aiohttp.ClientError, OSError, TimeoutError):
                pass  # the connection was broken already
        self.closed.set()

    async def close(self) -> None:
        await self.disconnect()
        if self._http is not None:
            await self._http.close()
            self._http = None


def _set_handler(event: asyncio.Event) -> Callable[..., Awaitable[None]]:
    async def handle(*_: Any) -> None:
        event.set()

    return handle


def _append_handler(bodies: list[Any]) -> Handler:
    async def handle(body: Any = None) -> None:
        bodies.append(body)

    return handle
