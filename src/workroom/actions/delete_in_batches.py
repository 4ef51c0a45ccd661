"""Deleting many rows in the background, in bounded batches.

Each batch is a statement and a transaction of its own, so that no row lock and no snapshot is held for long.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from workroom.actions.engine import Engine
from workroom.store.statement import Connection

BATCH_ROWS = 1_000


async def delete_in_batches(
    engine: Engine, delete: Callable[[Connection, int], Awaitable[int]], *, rows: int = BATCH_ROWS
) -> int:
    """Repeat `delete(connection, limit)` until a batch is not full. Returns the number of deleted rows."""
    deleted = 0
    while True:
        async with engine.database.connection() as connection:
            batch = await delete(connection, rows)
        deleted += batch
        if batch < rows:
            return deleted


def seconds_before(seconds: float, now: datetime | None = None) -> datetime:
    """The time that many seconds ago."""
    return (now or datetime.now(UTC)) - timedelta(seconds=seconds)
