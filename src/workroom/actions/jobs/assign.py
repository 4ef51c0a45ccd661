"""Assign jobs to workers.

The server assigns jobs to remote workers whenever a job is queued or a worker has a free slot, in the same transaction.
Pool workers claim jobs themselves, in batches, when a notification says that there are some. `store/sql/job/claim.sql`
decides which job is next. Celery workers claim the jobs that messages of a broker name (`job/claim_one.sql`).
Two statements queue a job that is already assigned: `job/submit_assigned.sql` to an idle remote worker, and
`posting/post_assigned.sql` to an idle pool process, which gets it with the notification.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import JobsAssigned, WorkAppeared
from workroom.store.queue_tables import celery, extensions, jobs, workers
from workroom.store.queue_tables.job_rows import Claimed


async def claim(engine: Engine, worker_id: UUID, limit: int, *, deprioritised: Sequence[UUID] = ()) -> list[Claimed]:
    """Assign up to `limit` jobs of one extension to a pool worker, none of them of a deprioritised posting."""
    async with engine.database.connection() as connection:
        return await jobs.claim(connection, worker_id=worker_id, limit=limit, deprioritised=deprioritised)


async def claim_one(engine: Engine, worker_id: UUID, job_id: UUID, attempt: int) -> Claimed | None:
    """Assign a Celery worker the job that a message names; none unless the job waits for exactly this attempt.

    The message is a hint: it may be late, or delivered twice.
    """

    async def work(transaction: Transaction) -> Claimed | None:
        job = await celery.claim_one(transaction.connection, worker_id=worker_id, id=job_id, attempt=attempt)
        if job is not None:
            transaction.record(JobsAssigned(worker_id, (job,)))
        return job

    return await engine.autocommit(work)


async def assign_to(engine: Engine, worker_id: UUID) -> list[Claimed]:
    """Fill a remote worker's free slots with its next jobs."""

    async def work(transaction: Transaction) -> list[Claimed]:
        worker = await workers.lock(transaction.connection, worker_id)
        return await fill_slots(transaction, worker_id, worker.part) if worker.can_take_jobs else []

    return await engine.transaction(work)


async def assign_if_wanted(engine: Engine, worker_id: UUID) -> None:
    """The same, but without a lock on the worker when no job waits."""
    async with engine.database.connection() as connection:
        waiting = await workers.has_waiting_job(connection, worker_id)
    if waiting:
        await assign_to(engine, worker_id)


async def assign_extension(engine: Engine, extension_id: int) -> None:
    """Assign the next jobs of an extension to idle remote workers."""
    await engine.transaction(lambda transaction: assign_waiting(transaction, [extension_id]))


async def stalled_extensions(engine: Engine) -> list[int]:
    """Extensions whose jobs wait although a remote worker is free for them."""
    async with engine.database.connection() as connection:
        return await extensions.stalled(connection)


async def fill_slots(transaction: Transaction, worker_id: UUID, part: int) -> list[Claimed]:
    """Fill the free slots of a worker whose row is locked; its extensions take turns, each with up to `part` jobs."""
    assigned: list[Claimed] = []
    if not transaction.can_push:
        return assigned
    while claimed := await jobs.claim(transaction.connection, worker_id=worker_id, limit=part):
        assigned += claimed
        if len(claimed) < part and part > 1:
            part = 1
    if assigned:
        transaction.record(JobsAssigned(worker_id, tuple(assigned)))
    return assigned


async def announce_and_assign(transaction: Transaction, extension_ids: Sequence[int]) -> set[UUID]:
    """Jobs of these extensions were queued: announce it, and assign what idle remote workers can take."""
    transaction.record(WorkAppeared(tuple(extension_ids)))
    return await assign_waiting(transaction, extension_ids)


async def assign_waiting(transaction: Transaction, extension_ids: Sequence[int]) -> set[UUID]:
    """Assign waiting jobs of these extensions to idle remote workers, the one served longest ago first.

    Returns the assigned jobs. A worker may choose an older job of another of its extensions, so the search goes on
    until no idle worker is left. A process that cannot push to remote workers notifies the servers instead.
    """
    connection = transaction.connection
    assigned: set[UUID] = set()
    if not transaction.can_push:
        await jobs.notify_servers(connection, extension_ids)
        return assigned
    for extension_id in extension_ids:
        tried: list[UUID] = []  # workers whose claim got nothing, because another transaction was faster
        while worker_id := await workers.next_idle(connection, extension_id=extension_id, tried=tried):
            # The claim may choose another extension of the worker, if that one was served longer ago.
            claimed = await jobs.claim(connection, worker_id=worker_id, limit=1)
            if claimed:
                assigned.update(job.id for job in claimed)
                transaction.record(JobsAssigned(worker_id, tuple(claimed)))
            else:
                tried.append(worker_id)
    return assigned
