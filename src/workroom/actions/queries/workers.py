"""Read workers: one, those that a room sees, and what waits for more of them."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.store.queue_tables import extensions, workers
from workroom.store.queue_tables.extensions import DemandRow
from workroom.store.queue_tables.workers import WorkerRow

_MOST_COUNTED = 1_000  # waiting jobs of an extension


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


async def demand(engine: Engine, *, room: str, account_id: UUID, is_admin: bool) -> list[DemandRow]:
    """Waiting jobs that workers of this account could run in a room, by extension."""
    async with engine.database.connection() as connection:
        return await extensions.demand(
            connection, room=room, account_id=account_id, is_admin=is_admin, bound=_MOST_COUNTED
        )


async def find_online(engine: Engine, extension_id: int) -> UUID | None:
    """A worker that is online and offers an extension."""
    async with engine.database.connection() as connection:
        return await workers.find_online(connection, extension_id)
