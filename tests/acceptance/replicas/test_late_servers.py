"""Two servers that did not hear each other at their start: what was sent meanwhile counts as lost, on both sides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypeVar

from tests.acceptance.live import eventually

from workroom.actions.engine import Engine
from workroom.server.replicas.bus import HEARTBEAT_SECONDS, ReplicaBus
from workroom.store.database import Database
from workroom.store.leadership import ServerLock
from workroom.store.notifications import MESSAGES, SERVERS, listening

T = TypeVar("T")


class Server:
    """The part of a server that talks to the others, through PostgreSQL."""

    def __init__(self, url: str, database: Database) -> None:
        self._url = url
        self.bus = ReplicaBus(Engine(database), "the secret of both", None)
        self.gaps = 0
        self.heard: list[str] = []
        self.bus.on_gap = self._count
        self.bus.on("said", lambda _, body: self.heard.append(body))

    def _count(self) -> None:
        self.gaps += 1

    @asynccontextmanager
    async def listens(self) -> AsyncGenerator[None]:
        def receive(payload: str) -> None:
            self.bus.receive_part(payload.removeprefix(MESSAGES))

        async with listening(self._url, {SERVERS: receive}) as listener:
            task = asyncio.create_task(listener.run())
            try:
                yield
            finally:
                task.cancel()


@asynccontextmanager
async def server(url: str) -> AsyncGenerator[Server]:
    lock = ServerLock(url, replica=True)
    async with Database(url, connections=2) as database:
        lock.acquire()
        try:
            yield Server(url, database)
        finally:
            lock.release()


async def test_a_server_knows_the_others_before_its_clients_connect(own_database_url: str) -> None:
    async with (
        server(own_database_url) as first,
        server(own_database_url) as second,
        first.listens(),
        second.listens(),
        first.bus,
        second.bus,
    ):
        assert (first.bus.others, second.bus.others) == (1, 1)
        first.bus.send("said", "at once")
        await eventually(lambda: _now(second.heard), lambda heard: heard == ["at once"])
        assert (first.gaps, second.gaps) == (0, 0)


async def test_servers_that_find_each_other_late_have_missed_something(own_database_url: str) -> None:
    async with (
        server(own_database_url) as first,
        server(own_database_url) as second,
        first.listens(),
        first.bus,
        second.bus,
    ):
        assert (first.bus.others, second.bus.others) == (1, 0)
        first.bus.send("said", "before the other listens")
        async with second.listens():
            await eventually(lambda: _now(second.bus.others), lambda others: others == 1, within=2 * HEARTBEAT_SECONDS)
            await eventually(lambda: _now((first.gaps, second.gaps)), lambda gaps: gaps == (1, 1))
            assert second.heard == []


async def _now(value: T) -> T:
    return value
