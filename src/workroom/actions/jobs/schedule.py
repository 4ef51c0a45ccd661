"""Queue jobs whose start time has come."""

from __future__ import annotations

from workroom.actions.engine import Engine, Transaction
from workroom.actions.jobs.propagate import propagate
from workroom.store.queue_tables import jobs

_AT_ONCE = 1_000


async def promote_due(engine: Engine) -> int:
    """Queue jobs whose start time or retry time has come; returns how many."""

    async def work(transaction: Transaction) -> int:
        due = await jobs.promote_due(transaction.connection, limit=_AT_ONCE)
        await propagate(transaction, due)
        return len(due)

    return await engine.transaction(work)


async def seconds_until_due(engine: Engine) -> float | None:
    """Seconds until the next start time; none when nothing is scheduled."""
    async with engine.database.connection() as connection:
        return await jobs.next_due(connection)
