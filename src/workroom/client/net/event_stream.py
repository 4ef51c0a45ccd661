"""Events of joined rooms, over a Socket.IO connection that is restored when it breaks."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any

import httpx2

from workroom.client.net.login_tokens import Tokens
from workroom.client.net.problems import check_acknowledgement
from workroom.client.net.socket import Socket
from workroom.domain.errors import Forbidden, NotFound, NotSignedIn, ServerUnreachable, WorkroomError
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.logs import get_logger

log = get_logger(__name__)

EVENTS = (
    "job:state_changed",
    "job:progress",
    "job:log",
    "extensions:changed",
    "workers:changed",
    "chat:message",
    "frames:changed",
)
RECONNECTED = "reconnected"  # local event: events may have been missed, listeners fetch the state again
_JOIN_SECONDS = 5.0  # then callers go on without events
Listener = Callable[[dict[str, Any]], None]


class EventStream:
    """The events of joined rooms. It connects at the first join, and reconnects when the connection breaks.

    Some networks let requests through, but no WebSocket. Then listeners get RECONNECTED every few seconds, after each
    failed attempt, and fetch the state.
    """

    def __init__(self, url: str, tokens: Tokens, client: str | None = None) -> None:
        self._url = url
        self._client = client
        self._tokens = tokens
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        handlers = {name: self._handler(name) for name in EVENTS}
        self._socket = Socket(url, handlers | {"events:lost": self._on_lost})
        self._rooms: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self._connected = asyncio.Event()
        self._has_failed = False  # to connect, for longer than `_JOIN_SECONDS`
        self._fatal_error: WorkroomError | None = None

    @property
    def is_started(self) -> bool:
        return self._task is not None

    async def join(self, room: str) -> None:
        """Join a room: its events are received from now on, or as soon as there is a connection."""
        if self._task is None or self._task.done():
            self._fatal_error = None
            self._connected.clear()
            self._task = asyncio.create_task(self._stay_connected(), name="live")
        new = room not in self._rooms
        self._rooms.add(room)
        while True:
            if not await self._is_connected():
                return
            if self._fatal_error is not None:
                raise self._fatal_error
            if not new:
                return
            try:
                await self._join(room)
                return
            except ServerUnreachable:
                await asyncio.sleep(0.05)  # the connection has just broken; the next one joins every room

    async def _is_connected(self) -> bool:
        """Wait for the connection, or until it has failed for long."""
        try:
            async with asyncio.timeout(0 if self._has_failed else _JOIN_SECONDS):
                await self._connected.wait()
        except TimeoutError:
            if not self._has_failed:
                self._has_failed = True
                log.warning("no live connection to %s, the state is fetched every few seconds instead", self._url)
        return self._connected.is_set()

    def subscribe(self, name: str, listener: Listener) -> None:
        """Call the listener for every event of this name, until the stream is closed."""
        self._listeners[name].add(listener)

    @contextmanager
    def subscribed(self, name: str, listener: Listener) -> Generator[None]:
        self._listeners[name].add(listener)
        try:
            yield
        finally:
            self._listeners[name].discard(listener)

    async def close(self) -> None:
        while self._task is not None and not self._task.done():
            # A cancellation can get lost where a message arrives just then, so it is repeated.
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=0.5)
        await self._socket.close()

    async def _stay_connected(self) -> None:
        failures = 0
        while True:
            try:
                await self._connect(renew=failures > 0)
                failures = 0
                self._has_failed = False
                self._connected.set()
                self._dispatch(RECONNECTED, {})
                await self._socket.closed.wait()
                self._connected.clear()
                log.debug("live connection lost, reconnecting")
            except NotSignedIn as error:
                if failures > 0:  # a renewed token was refused too
                    self._fatal_error = error
                    self._connected.set()
                    return
            except (WorkroomError, httpx2.TransportError) as error:
                log.debug("live connection failed, retrying: error=%s", error)
            failures += 1
            if self._has_failed:
                self._dispatch(RECONNECTED, {})
            await asyncio.sleep(backoff_seconds(failures, 0.1, 5.0, random.random()))  # noqa: S311

    async def _connect(self, *, renew: bool) -> None:
        token = await self._tokens.token()
        try:
            await self._socket.connect(token, self._client)
        except NotSignedIn:
            if not renew:
                raise
            await self._socket.connect(await self._tokens.renewed(token), self._client)
        for room in sorted(self._rooms):
            try:
                await self._join(room)
            except (NotFound, Forbidden) as error:
                log.warning("room can no longer be joined, its events are dropped: room=%s error=%s", room, error)
                self._rooms.discard(room)

    async def _join(self, room: str) -> None:
        check_acknowledgement(await self._socket.call("room:join", {"room": room}))

    async def _on_lost(self, _: Any) -> None:
        """Servers could not reach each other for a moment."""
        self._dispatch(RECONNECTED, {})

    def _handler(self, name: str) -> Callable[[Any], Awaitable[None]]:
        async def handle(body: Any) -> None:
            self._dispatch(name, body)

        return handle

    def _dispatch(self, name: str, body: dict[str, Any]) -> None:
        for listener in list(self._listeners[name]):
            listener(body)
