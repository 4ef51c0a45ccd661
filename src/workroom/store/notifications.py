"""LISTEN/NOTIFY: pools and servers wait for notifications of work instead of polling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, NoReturn
from uuid import UUID

import orjson
import psycopg

from workroom.logs import get_logger
from workroom.store.queue_tables.job_rows import Claimed
from workroom.store.statement import Connection, Statement, first

log = get_logger(__name__)

WORK = "workroom_work"  # payload: the id of an extension that has work; optionally a worker and a job for it
SERVERS = "workroom_servers"  # payload: EVENTS or MESSAGES, and what follows it
EVENTS = "events "
MESSAGES = "messages "
ENDED = "workroom_posting"  # payload: the id of an ended posting; optionally the id and result of its only job

_QUIET = 60.0  # seconds without a notification before the session is checked
_ANSWER = 10.0  # seconds the check may take

_notify_servers = Statement[None]("server/notify", first)


async def notify_servers(connection: Connection, payloads: Sequence[str]) -> None:
    """Notify all servers of the database, this one too, when the transaction commits."""
    await _notify_servers.run(connection, payloads=list(payloads))


class WorkNotification(NamedTuple):
    """Jobs of an extension were queued or cancelled; with `job`, that job is assigned to `worker_id`."""

    extension_id: int
    worker_id: UUID | None = None
    job: Claimed | None = None

    @classmethod
    def read(cls, payload: str) -> WorkNotification:
        number, _, rest = payload.partition(" ")
        if not rest:
            return cls(int(number))
        # Written by `posting/post_assigned.sql`. The first job of a posting has the id of the posting.
        worker_id, posting_id, tries, once, room, arguments = orjson.loads(rest)
        job = Claimed(UUID(posting_id), 1, int(number), True, room, tries, arguments, once=once)
        return cls(int(number), UUID(worker_id), job)


class Listener:
    """A session that listens on channels."""

    def __init__(self, connection: Connection, handlers: Mapping[str, Callable[[str], object]]) -> None:
        self._connection = connection
        self._handlers = handlers
        self._loop = asyncio.get_running_loop()
        self._lost = self._loop.create_future()
        connection.add_notify_handler(lambda notification: self._receive(notification.channel, notification.payload))

    async def run(self) -> NoReturn:
        """Listen until the session ends; raises the error that ended it.

        A network can drop a session silently, so the session is checked when no notification has arrived for a while.
        """
        socket = self._connection.fileno()
        while True:
            self._loop.add_reader(socket, self._read)
            try:
                await asyncio.wait([self._lost], timeout=_QUIET)
            finally:
                self._loop.remove_reader(socket)
            if self._lost.done():
                raise self._lost.result()
            try:
                async with asyncio.timeout(_ANSWER):
                    await self._connection.execute("SELECT 1")
            except TimeoutError as error:
                raise psycopg.OperationalError("the database does not answer") from error

    def _read(self) -> None:
        """Read from the socket directly: the driver's own generator adds more latency than the notification itself."""
        try:
            self._connection.pgconn.consume_input()
        except psycopg.OperationalError as error:
            if not self._lost.done():
                self._lost.set_result(error)
            return
        while (notification := self._connection.pgconn.notifies()) is not None:
            self._receive(notification.relname.decode(), notification.extra.decode())

    def _receive(self, channel: str, payload: str) -> None:
        try:
            self._handlers[channel](payload)
        except Exception:
            log.exception("notification ignored, handler failed: %.200s", payload)


@asynccontextmanager
async def listening(url: str, handlers: Mapping[str, Callable[[str], object]]) -> AsyncGenerator[Listener]:
    """Call the handler of a channel with each payload, in the event loop, while `run` is awaited."""
    connection: Connection = await psycopg.AsyncConnection.connect(
        url, autocommit=True, application_name="workroom listener", connect_timeout=5
    )
    try:
        listener = Listener(connection, handlers)
        for channel in handlers:
            await connection.execute(f"LISTEN {channel}".encode())
        yield listener
    finally:
        await connection.close()
