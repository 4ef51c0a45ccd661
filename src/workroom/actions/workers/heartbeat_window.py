"""The heartbeat window: since when, without a gap, heartbeats could arrive.

A lease that ends says nothing about a worker while no heartbeat could arrive: the server was frozen or stopped, the
machine slept, the database was away. So the process that hears the heartbeats records that it can, and the statements
that declare workers lost need a whole lease of such records. The record is in the database, because a process that
slept does not know it, and another one may take over.
"""

from __future__ import annotations

from collections.abc import Sequence

from workroom.actions.engine import Engine, Transaction
from workroom.domain.jobs.worker_loss import HEARD_BY_SERVER
from workroom.store.queue_tables import workers


async def record_window(engine: Engine, kinds: Sequence[str]) -> None:
    """Heartbeats of these kinds of workers can arrive now."""
    async with engine.database.connection() as connection:
        await workers.record_window(connection, kinds, gap_seconds=engine.timing.gap, anew=False)


async def open_after_server_start(engine: Engine) -> None:
    """Remote workers of servers that have ended count as disconnected, and have a whole lease to connect again."""

    async def work(transaction: Transaction) -> None:
        await workers.record_window(transaction.connection, HEARD_BY_SERVER, gap_seconds=engine.timing.gap, anew=True)
        await workers.detach_orphans(transaction.connection, without_server=True)

    await engine.transaction(work)
