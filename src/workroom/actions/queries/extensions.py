"""Read extensions: one, those that a room sees, their workers and queues."""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionListing, ExtensionRow, QueueRow, StatsRow


async def extension(engine: Engine, extension_id: int) -> ExtensionRow:
    async with engine.database.connection() as connection:
        row = await extensions.get(connection, extension_id)
    if row is None:
        raise NotFound(f"There is no extension {extension_id}.")
    return row


async def extensions_of(engine: Engine, room: str, *, category: str | None = None) -> list[ExtensionListing]:
    """The extensions a room sees, each with its workers and its queue."""
    async with engine.database.connection() as connection:
        return await extensions.of_room(connection, room, category=category)


async def stats(engine: Engine, extension_id: int) -> StatsRow:
    """How many workers and jobs an extension has."""
    async with engine.database.connection() as connection:
        return await extensions.stats(connection, extension_id)


async def queues(engine: Engine, *, limit: int) -> list[QueueRow]:
    """Every queue, the fullest first."""
    async with engine.database.connection() as connection:
        return await extensions.queues(connection, limit=limit)
