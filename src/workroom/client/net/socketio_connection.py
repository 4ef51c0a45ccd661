"""One Socket.IO connection over a WebSocket: version 5 of the protocol, with text messages and one namespace.

0{…}                  the server opens the transport, and tells the times of its pings
2                     its ping; the client answers 3
40{…}                 the client connects with its token; the server answers 40{…}, or 44{…} if it refuses it
42[name,body]         an event; 42N[…] asks for an acknowledgement, which is 43N[…]
41, 1                 the end of the connection, or of the transport
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from workroom.client.discovery import is_local
from workroom.client.net.brokered_connections import open_socket

Handler = Callable[[Any], Awaitable[Any]]
# What ends a connection, or keeps it from being made.
CONNECTION_ERRORS = (WebSocketException, OSError)

_OPEN, _CLOSE, _PING, _PONG = "0", "1", "2", "3"
_CONNECT, _DISCONNECT, _REFUSED = "40", "41", "44"
_EVENT_OR_ACK = re.compile(r"4([23])(\d*)(\[.*)", re.DOTALL)
_LARGEST_MESSAGE = 4 * 2**20
_CLOSE_SECONDS = 1.0


class ConnectionRefused(Exception):
    """The server does not accept the token. Its text is the server's."""


class SocketIOConnection:
    """An open connection. `closed` is set at its end, which wakes all that wait for an acknowledgement."""

    def __init__(self, websocket: ClientConnection, silence_seconds: float, handlers: Mapping[str, Handler]) -> None:
        self._websocket = websocket
        self._silence_seconds = silence_seconds  # after which the server is taken to be gone
        self._handlers = handlers
        self._numbers = count(1)
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._handling: set[asyncio.Task[None]] = set()
        self.closed = asyncio.Event()
        self._reading = asyncio.create_task(self._read(), name="socket.io")

    @classmethod
    async def open(cls, url: str, auth: Mapping[str, Any], handlers: Mapping[str, Handler]) -> SocketIOConnection:
        """Connect. Raises ConnectionRefused, or one of CONNECTION_ERRORS."""
        websocket = await _open_websocket(url)
        try:
            silence_seconds = _silence_seconds(await _receive_text(websocket))
            await websocket.send(_CONNECT + _json(auth))
            while (answer := await _receive_text(websocket)) == _PING:
                await websocket.send(_PONG)
            if answer.startswith(_REFUSED):
                raise ConnectionRefused(json.loads(answer[len(_REFUSED) :]).get("message", "no reason given"))
            if not answer.startswith(_CONNECT):
                raise ConnectionError("the connection broke")
        except BaseException:
            await websocket.close()
            raise
        return cls(websocket, silence_seconds, handlers)

    async def call(self, name: str, body: Any, timeout_seconds: float) -> Any:
        """Send an event and return its acknowledgement. Raises one of CONNECTION_ERRORS."""
        number = next(self._numbers)
        self._calls[number] = asyncio.get_running_loop().create_future()
        try:
            if self.closed.is_set():
                raise ConnectionError("the connection broke")
            async with asyncio.timeout(timeout_seconds):
                await self._websocket.send(f"42{number}{_json([name, body])}")
                return await self._calls[number]
        finally:
            waiting = self._calls.pop(number)
            if waiting.done() and not waiting.cancelled():
                waiting.exception()  # seen, also where sending failed first

    async def close(self) -> None:
        if not self.closed.is_set():
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self._websocket.send(_DISCONNECT)
            except CONNECTION_ERRORS:
                pass  # the connection was broken already
        await self._websocket.close()  # the reading ends with it
        await self.closed.wait()

    async def _read(self) -> None:
        try:
            while True:
                async with asyncio.timeout(self._silence_seconds):
                    message = await self._websocket.recv()
                if message == _PING:
                    await self._websocket.send(_PONG)
                elif message in (_DISCONNECT, _CLOSE):
                    return
                elif isinstance(message, str) and (found := _EVENT_OR_ACK.fullmatch(message)):
                    self._receive(found[1] == "2", int(found[2]) if found[2] else None, json.loads(found[3]))
        except CONNECTION_ERRORS:
            pass  # what follows is the same for every end
        finally:
            self.closed.set()
            for waiting in self._calls.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionError("the connection broke"))
            await self._websocket.close()

    def _receive(self, is_event: bool, number: int | None, content: list[Any]) -> None:
        if not is_event:
            waiting = self._calls.get(number or 0)
            if waiting is not None and not waiting.done():
                waiting.set_result(content[0] if content else None)
            return
        handler = self._handlers.get(content[0])
        if handler is not None:
            # A task: an event whose handler takes long does not delay the following ones.
            task = asyncio.create_task(self._handle(handler, number, content[1] if len(content) > 1 else None))
            self._handling.add(task)
            task.add_done_callback(self._handling.discard)

    async def _handle(self, handler: Handler, number: int | None, body: Any) -> None:
        answer = await handler(body)
        if number is not None:
            with suppress(*CONNECTION_ERRORS):  # the server repeats what is not acknowledged
                await self._websocket.send(f"43{number}{_json([] if answer is None else [answer])}")


async def _open_websocket(url: str) -> ClientConnection:
    """With the certificates and proxies of the HTTP client; requests to this machine bypass proxies."""
    parts = urlsplit(url)
    options: dict[str, Any] = {"proxy": None if is_local(url) else True}
    if parts.scheme == "https":
        options["ssl"] = httpx2.create_ssl_context()
    if (connected := await open_socket()) is not None:
        options |= {"sock": connected, "proxy": None}
    scheme = "wss" if parts.scheme == "https" else "ws"
    return await connect(
        # A proxy may add a path.
        f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}/socket.io/?EIO=4&transport=websocket",
        compression=None,
        open_timeout=None,  # the caller has one for the whole connection
        close_timeout=_CLOSE_SECONDS,
        ping_interval=None,  # the protocol has pings of its own
        max_size=_LARGEST_MESSAGE,
        **options,
    )


def _silence_seconds(opened: str) -> float:
    """How long the server may be silent, from the first message of the transport."""
    try:
        if not opened.startswith(_OPEN):
            raise ValueError
        times = json.loads(opened[len(_OPEN) :])
        return float(times["pingInterval"] + times["pingTimeout"]) / 1000
    except (ValueError, KeyError, TypeError):
        raise ConnectionError("the server does not speak Socket.IO") from None


async def _receive_text(websocket: ClientConnection) -> str:
    message = await websocket.recv()
    return message if isinstance(message, str) else ""


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
