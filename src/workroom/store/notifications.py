"""Hints from the database that there may be work: what a pool waits for instead of asking again and again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple, NoReturn
from uuid import UUID

import orjson
import psycopg

from workroom.store.queue_tables.job_rows import Claimed
from workroom.store.statement import Connection

log = logging.getLogger("workroom.hints")

WORK = "workroom_work"  # payload: the number of a function that has work; or also whose a job of it is, and the job
ENDED = "workroom_posting"  # payload: the id of a posting that has ended; of its only job also the id and the result

_QUIET = 60.0  # after so long without a word the session is asked for a sign
_ANSWER = 10.0


class WorkNotification(NamedTuple):
    """Jobs of a function have come to wait, or are called off; or, if there is a job, it is this worker's."""

    extension_id: int
    worker_id: UUID | None = None
    job: Claimed | None = None

    @classmethod
    def read(cls, payload: str) -> WorkNotification:
        number, _, rest = payload.partition(" ")
        if not rest:
            return cls(int(number))
        # As `posting/post_straight.sql` writes it. The first job of a posting has the posting's own id.
        worker_id, posting_id, tries, once, room, arguments = orjson.loads(rest)
        job = Claimed(UUID(posting_id), 1, int(number), True, room, tries, arguments, once=once)
        return cls(int(number), UUID(worker_id), job)


class Listener:
    """A session that listens."""

    def __init__(self, connection: Connection, heard: Callable[[str], object]) -> None:
        self._connection = connection
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        self._lost = self._loop.create_future()
        connection.add_notify_handler(lambda hint: self._hear(hint.payload))

    async def run(self) -> NoReturn:
        """Listen for as long as the session lives; raises what ended it.

        A network may let go of a session without a word: when nothing has come for a while, it is asked for a sign.
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
        """Straight from the socket: the driver's own way of waiting takes longer than what it waits for."""
        try:
            self._connection.pgconn.consume_input()
        except psycopg.OperationalError as error:
            if not self._lost.done():
                self._lost.set_result(error)
            return
        while (hint := self._connection.pgconn.notifies()) is not None:
            self._hear(hint.extra.decode())

    def _hear(self, payload: str) -> None:
        try:
            self._heard(payload)
        except Exception:
            log.exception("a hint was not understood: %.200s", payload)


@asynccontextmanager
async def listening(url: str, channel: str, heard: Callable[[str], object]) -> AsyncGenerator[Listener]:
    """Call `heard` with the payload of each hint, from within the event loop, while `until_lost` is awaited."""
    connection: Connection = await psycopg.AsyncConnection.connect(
        url, autocommit=True, application_name="workroom pool hints", connect_timeout=5
    )
    try:
        hints = Listener(connection, heard)
        await connection.execute(f"LISTEN {channel}".encode())
        yield hints
    finally:
        await connection.close()
