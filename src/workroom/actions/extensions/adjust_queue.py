"""An admin adjusts a queue: its concurrency, the priority of its new jobs, and its breakers."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import ExtensionsOffered, WorkersChanged
from workroom.actions.jobs.assign import announce_and_assign
from workroom.domain.errors import NotFound
from workroom.store.queue_tables import extensions, jobs
from workroom.store.queue_tables.extensions import AdjustedQueue, ExtensionRow


async def adjust_queue(
    engine: Engine,
    queue: ExtensionRow,
    *,
    actor: UUID,
    concurrency: int | None = None,
    priority: int | None = None,
    as_registered: bool = False,
) -> AdjustedQueue:
    """Change how many jobs one worker takes at once (0: as many as it has slots) and the priority of new jobs.

    Workers that register leave both values, until `as_registered` lets the next registration set them again.
    """

    async def work(transaction: Transaction) -> AdjustedQueue:
        adjusted = await extensions.adjust(
            transaction.connection,
            queue.id,
            concurrency=concurrency,
            priority=priority,
            as_registered=as_registered,
        )
        if adjusted is None:
            raise NotFound(f"{queue.category}/{queue.name} has just been removed.", name=queue.name)
        await record_audit(
            transaction,
            actor,
            "queue.adjust",
            f"{queue.category}/{queue.name}",
            scope=adjusted.scope,
            room=adjusted.room,
            concurrency=adjusted.concurrency,
            priority=adjusted.priority,
        )
        transaction.record(ExtensionsOffered((queue.id,)))
        # A larger concurrency lets workers take more jobs at once.
        await announce_and_assign(transaction, [queue.id])
        await jobs.notify_pools(transaction.connection, [queue.id])
        return adjusted

    return await engine.transaction(work)


async def close_breakers(engine: Engine, queue: ExtensionRow, *, actor: UUID) -> int:
    """Let workers whose breakers are open take jobs again at once; returns how many workers had failures in a row."""

    async def work(transaction: Transaction) -> int:
        workers = await extensions.close_breakers(transaction.connection, queue.id)
        if workers:
            about = f"{queue.category}/{queue.name}"
            await record_audit(transaction, actor, "queue.close_breakers", about, scope=queue.scope, room=queue.room)
            transaction.record(ExtensionsOffered((queue.id,)))
            transaction.record(WorkersChanged(tuple(workers)))
            await announce_and_assign(transaction, [queue.id])
        return len(workers)

    return await engine.transaction(work)
