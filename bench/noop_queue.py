"""The queue of a no-op function, made through the actions: a submitter posts jobs, workers of a pool claim them."""

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
from workroom.actions.workers.lifecycle import WorkerSpec, register_worker
from workroom.store import accounts
from workroom.store.database import Database
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow

NOOP = function("noop")


def payloads(count: int) -> list[dict[str, int]]:
    """Arguments of `count` no-op jobs: small, and all different."""
    return [{"n": n} for n in range(count)]


@dataclass(frozen=True, slots=True)
class NoopQueue:
    engine: Engine
    submitter: UUID
    extension: ExtensionRow

    async def post(self, arguments: Iterable[Any]) -> UUID:
        return await post(self.engine, self.extension, arguments, JobOptions(self.submitter))

    async def register_worker(self, capacity: int) -> UUID:
        return await register_pool_worker(self.engine, capacity)


async def register_pool_worker(engine: Engine, capacity: int) -> UUID:
    """Register a worker of a pool that runs up to `capacity` no-op jobs at once."""
    return (await register_worker(engine, WorkerSpec("pool", [NOOP], capacity=capacity))).worker_id


@asynccontextmanager
async def open_noop_queue(url: str) -> AsyncGenerator[NoopQueue]:
    """Register the function and its submitter in a fresh database."""
    async with Database(url, connections=1) as database:
        engine, submitter = Engine(database), new_id()
        registered = (await register_extensions(engine, [NOOP]))[0]
        async with database.connection() as connection:
            await accounts.create(connection, id=submitter, name="bench", role="user", password_hash=None)
            extension = await extensions.get(connection, registered.id)
        assert extension is not None
        yield NoopQueue(engine, submitter, extension)
