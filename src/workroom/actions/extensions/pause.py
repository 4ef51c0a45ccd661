"""Pause and resume the queue of an extension or a function."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import ExtensionsOffered
from workroom.actions.extensions.resolve import find_extension
from workroom.actions.jobs.assign import announce_and_assign
from workroom.domain.errors import NotFound
from workroom.store.queue_tables import extensions, jobs
from workroom.store.queue_tables.extensions import PausedQueue


async def set_queue_paused(
    engine: Engine, *, actor: UUID, room: str | None, category: str, name: str, scope: str | None, paused: bool
) -> PausedQueue:
    """Pause a queue: no further job of it is assigned, running ones continue. Or resume it.

    A pool process returns the jobs that it has not started as soon as it is notified. To repeat it changes nothing.
    """
    found = await find_extension(engine, room, category, name, scope)

    async def work(transaction: Transaction) -> PausedQueue:
        queue = await extensions.set_paused(transaction.connection, found.id, paused=paused)
        if queue is None:
            raise NotFound(f"{category}/{name} has just been removed.", category=category, name=name)
        if not queue.changed:
            return queue
        act = "queue.pause" if paused else "queue.resume"
        await record_audit(transaction, actor, act, f"{category}/{name}", scope=queue.scope, room=queue.room)
        transaction.record(ExtensionsOffered((queue.id,)))
        if not paused:
            await announce_and_assign(transaction, [queue.id])
        await jobs.notify_pools(transaction.connection, [queue.id])
        return queue

    return await engine.transaction(work)
