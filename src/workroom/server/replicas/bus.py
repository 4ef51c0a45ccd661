"""Messages between the servers on one database.

A message goes through Redis. Redis returns how many servers have subscribed; if one is missing, or Redis is away, the
message goes through PostgreSQL's notifications as well. Batches are numbered, so a server drops those that it receives
twice, and knows when it has missed one. Then `on_gap` repeats what the message may have contained.

A server has nothing to send while it knows of no other. So a new server says hello and waits for the answers of the
others before its clients connect. Two servers that find each other later count all messages before as lost.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any, Self

from workroom.actions.engine import Engine
from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger
from workroom.server.background_service import BackgroundService
from workroom.server.replicas.redis_channel import RedisChannel
from workroom.server.replicas.signed_batch import Batch, BatchCodec, Message, PartJoiner, split
from workroom.store import notifications
from workroom.store.health import server_facts

log = get_logger(__name__)

HEARTBEAT_SECONDS = 2.0
_GONE_SECONDS = 7.0  # a server without a message for so long is gone
_SILENCE_SECONDS = 5.0  # each server receives at least its own heartbeats
_ANSWERS_SECONDS = 1.0  # how long a server that starts waits for the others
_MOST_IN_BATCH = 500
_HELLO = 1  # the number of the batch that a server starts with

Handler = Callable[[str, Any], None]  # gets the id of the sender and the body


class ReplicaBus:
    def __init__(self, engine: Engine, secret: str, redis: str | None) -> None:
        self.id = engine.id
        self._engine = engine
        self._codec = BatchCodec(secret)
        self._redis = (
            RedisChannel(redis, self._codec.channel, self._receive, silence=_SILENCE_SECONDS) if redis else None
        )
        self._parts = PartJoiner()
        self._handlers: dict[str, Handler] = {}
        self._outgoing: deque[Message] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._sent = 0  # batches
        self._expected: dict[str, int] = {}  # by server: the number of its next batch
        self._last_received: dict[str, float] = {}  # by server: when its last message was received
        self._found = asyncio.Event()  # the first message of another server has arrived
        self._is_started = False
        self._services = AsyncExitStack()
        self.on_gap: Callable[[], None] = _nothing  # messages were lost
        self.on_joined: Callable[[], None] = _nothing  # a server has started
        self.on_gone: Callable[[str], None] = _no_server  # a server has ended
        self.on("hello", lambda sender, _: self._welcome())
        self.on("heartbeat", lambda sender, _: None)
        self.on("unheard", lambda _, server: self.on_gap() if server == self.id else None)
        self.on("bye", lambda sender, _: self._forget(sender))

    async def __aenter__(self) -> Self:
        if self._redis is not None:
            await self._services.enter_async_context(self._redis)
            try:
                async with asyncio.timeout(_SILENCE_SECONDS):
                    await self._redis.subscribed.wait()
            except TimeoutError:
                pass  # logged by the channel; PostgreSQL carries the messages meanwhile
        await self._services.enter_async_context(_HeartbeatSender(self))
        self.send("hello", None)
        await self._wait_for_answers()
        self._is_started = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.send("bye", None)
        if self._sender is not None:
            await asyncio.wait([self._sender], timeout=1.0)
        await self._services.aclose()

    @property
    def others(self) -> int:
        """How many other servers there are."""
        return len(self._last_received)

    def on(self, kind: str, handler: Handler) -> None:
        self._handlers[kind] = handler

    def send(self, kind: str, body: Any) -> None:
        """Send a message to all other servers, soon and in the order of the calls."""
        self._outgoing.append((kind, body))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send_batches(), name="messages to servers")

    def receive_part(self, payload: str) -> None:
        """A part of a batch has arrived as a notification of PostgreSQL."""
        for text in self._parts.add(payload):
            self._receive(text)

    def send_heartbeat(self) -> None:
        self.send("heartbeat", None)
        now = time.monotonic()
        for server in [server for server, received in self._last_received.items() if now - received > _GONE_SECONDS]:
            self._forget(server)

    async def _wait_for_answers(self) -> None:
        """Wait at most `_ANSWERS_SECONDS` for a message of each other server."""
        try:
            async with asyncio.timeout(_ANSWERS_SECONDS):
                async with self._engine.database.connection() as connection:
                    servers = (await server_facts(connection)).servers
                while self.others < servers - 1:
                    self._found.clear()
                    await self._found.wait()
        except (TimeoutError, WorkroomError):
            pass  # a server found later treats earlier messages as lost

    async def _send_batches(self) -> None:
        while self._outgoing:
            messages = [self._outgoing.popleft() for _ in range(min(len(self._outgoing), _MOST_IN_BATCH))]
            self._sent += 1
            # The others see the gap in the numbers when one is not sent, and repeat what they may have missed.
            try:
                await self._carry(self._codec.encode(Batch(self.id, self._sent, messages)))
            except WorkroomError as error:
                log.warning("messages to other servers not sent", code=error.code, messages=len(messages))
            except Exception:
                log.exception("messages to other servers not sent", messages=len(messages))
        self._sender = None

    async def _carry(self, text: str) -> None:
        subscribers = await self._redis.publish(text) if self._redis is not None else 0
        if subscribers < 1 + self.others:  # this server subscribes too
            parts = [f"{notifications.MESSAGES}{part}" for part in split(self.id, self._sent, text)]
            async with self._engine.database.connection() as connection:
                await notifications.notify_servers(connection, parts)

    def _receive(self, text: str) -> None:
        batch = self._codec.decode(text)
        if batch is None:
            log.warning("message with a wrong signature ignored: the servers need the same secret")
            return
        if batch.sender == self.id:
            return
        expected = self._expected.get(batch.sender, batch.number)
        if batch.number < expected:
            return  # it has come through the other channel
        found_late = self._is_started and batch.sender not in self._last_received and batch.number != _HELLO
        self._expected[batch.sender] = batch.number + 1
        self._last_received[batch.sender] = time.monotonic()
        self._found.set()
        for kind, body in batch.messages:
            handler = self._handlers.get(kind)
            if handler is None:
                continue  # of a newer version
            try:
                handler(batch.sender, body)
            except Exception:
                log.exception("message of another server ignored, handler failed", kind=kind)
        if found_late:
            log.info("another server found late: earlier messages count as lost", server=batch.sender)
            self.send("unheard", batch.sender)
            self.on_gap()
        elif batch.number > expected:
            log.warning("messages of another server were lost", batches=batch.number - expected)
            self.on_gap()

    def _welcome(self) -> None:
        self.send("heartbeat", None)  # so that the new server knows this one
        self.on_joined()

    def _forget(self, server: str) -> None:
        if self._last_received.pop(server, None) is not None:
            self.on_gone(server)


class _HeartbeatSender(BackgroundService):
    """Sends a message at least every two seconds, so that a loss is noticed soon."""

    name = "server heartbeats"
    pause = HEARTBEAT_SECONDS

    def __init__(self, bus: ReplicaBus) -> None:
        super().__init__()
        self._bus = bus

    async def run_once(self) -> None:
        self._bus.send_heartbeat()


def _nothing() -> None:
    return None


def _no_server(_: str) -> None:
    return None
