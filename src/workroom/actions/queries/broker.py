"""Which jobs need a message in a Celery broker, and which workers read it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.store.queue_tables import celery
from workroom.store.queue_tables.celery import CeleryWorker, WaitingJob


async def fleet(engine: Engine) -> list[CeleryWorker]:
    """The Celery workers that can take jobs."""
    async with engine.database.connection() as connection:
        return await celery.fleet(connection)


async def to_publish(
    engine: Engine, extension_ids: Sequence[int], *, published: Sequence[UUID], limit: int
) -> list[WaitingJob]:
    """The next jobs of these extensions that need a message: not those that are published."""
    async with engine.database.connection() as connection:
        return await celery.to_publish(connection, extension_ids=extension_ids, published=published, limit=limit)


async def still_waiting(engine: Engine, published: Sequence[UUID]) -> set[tuple[UUID, int]]:
    """Those of the published jobs that no worker has claimed, each with the attempt that it waits for."""
    async with engine.database.connection() as connection:
        return set(await celery.still_waiting(connection, published))
