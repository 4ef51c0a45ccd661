"""Jobs whose time has come."""

from __future__ import annotations

from workroom.actions.engine import Engine, Transaction
from workroom.actions.jobs.propagate import propagate
from workroom.store.queue_tables import jobs

_AT_ONCE = 1_000


async def promote_due(engine: Engine) -> int:
    """Let jobs join the queue whose start time or next try has come; how many did."""

    async def work(transaction: Transaction) -> int:
        due = await jobs.promote_due(transaction.connection, limit=_AT_ONCE)
        await propagate(transaction, due)
        return len(due)

    return await engine.transaction(work)


async def seconds_until_due(engine: Engine) -> float | None:
    """How long until the next job comes due; none when nothing is scheduled."""
    async with engine.database.connection() as connection:
        return await jobs.next_due(connection)
