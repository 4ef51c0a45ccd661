"""A small shop to measure in: a person who posts, a function, and workers of a pool that run it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine, new_id
from workroom.actions.extensions.register import function, register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.workers.register import WorkerSpec, register_worker
from workroom.store import accounts
from workroom.store.database import Database
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow

NOOP = function("noop")


def payloads(count: int) -> list[dict[str, int]]:
    """Arguments of that many no-op jobs: small, and no two alike."""
    return [{"n": n} for n in range(count)]


@dataclass(frozen=True, slots=True)
class Shop:
    engine: Engine
    person: UUID
    noop: ExtensionRow

    async def post(self, arguments: Iterable[Any]) -> UUID:
        return await post(self.engine, self.noop, arguments, JobOptions(self.person))

    async def worker(self, capacity: int) -> UUID:
        return await pool_worker(self.engine, capacity)


async def pool_worker(engine: Engine, capacity: int) -> UUID:
    """A worker of a pool that runs no-op jobs, so many at once."""
    return (await register_worker(engine, WorkerSpec("pool", [NOOP], capacity=capacity))).worker_id


@asynccontextmanager
async def open_shop(url: str) -> AsyncGenerator[Shop]:
    """A shop in a database that has none yet."""
    async with Database(url, connections=1) as database:
        engine, person = Engine(database), new_id()
        registered = (await register_extensions(engine, [NOOP]))[0]
        async with database.connection() as connection:
            await accounts.create(connection, id=person, name="bench", role="user", password_hash=None)
            noop = await extensions.get(connection, registered.id)
        assert noop is not None
        yield Shop(engine, person, noop)
