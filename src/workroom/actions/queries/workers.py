"""Read workers: one, or those that a room sees."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.store.queue_tables import workers
from workroom.store.queue_tables.workers import WorkerRow


async def worker(engine: Engine, worker_id: UUID) -> WorkerRow:
    async with engine.database.connection() as connection:
        row = await workers.get(connection, worker_id)
    if row is None:
        raise NotFound(f"There is no worker {worker_id}.")
    return row


async def workers_of(engine: Engine, room: str | None) -> list[WorkerRow]:
    """The workers a room sees; all of them when none is named."""
    async with engine.database.connection() as connection:
        return await workers.of_room(connection, room)
