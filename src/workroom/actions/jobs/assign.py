"""Hand jobs to workers.

Remote workers are handed jobs: whenever a job appears or a worker has a free slot, in the same transaction. Pool
workers fetch jobs themselves, many at a time; they are only told that there are some. (A single job that is posted
while one of them has nothing to do is sent to it: `posting/post_straight.sql`.)
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import JobsAssigned, WorkAppeared
from workroom.store.queue_tables import extensions, jobs, workers
from workroom.store.queue_tables.job_rows import Claimed


async def claim(engine: Engine, worker_id: UUID, limit: int, *, set_aside: Sequence[UUID] = ()) -> list[Claimed]:
    """A pool worker fetches up to `limit` jobs, all of one extension, and none of the postings it has set aside."""
    async with engine.database.connection() as connection:
        return await jobs.claim(connection, worker_id=worker_id, limit=limit, deprioritised=set_aside)


async def assign_to(engine: Engine, worker_id: UUID) -> list[Claimed]:
    """Fill a remote worker's free slots with its next jobs."""

    async def work(transaction: Transaction) -> list[Claimed]:
        held = await workers.lock(transaction.connection, worker_id)
        return await fill_slots(transaction, worker_id, held.part) if held.can_take_jobs else []

    return await engine.transaction(work)


async def assign_if_wanted(engine: Engine, worker_id: UUID) -> None:
    """The same, but in nobody's way when nothing waits for it."""
    async with engine.database.connection() as connection:
        wanted = await workers.has_waiting_job(connection, worker_id)
    if wanted:
        await assign_to(engine, worker_id)


async def assign_extension(engine: Engine, extension_id: int) -> None:
    """Give an extension's next jobs to idle workers, as far as there are any."""
    await engine.transaction(lambda transaction: assign_waiting(transaction, [extension_id]))


async def stalled_extensions(engine: Engine) -> list[int]:
    """Extensions whose jobs wait although a remote worker is free for them."""
    async with engine.database.connection() as connection:
        return await extensions.stalled(connection)


async def fill_slots(transaction: Transaction, worker_id: UUID, part: int) -> list[Claimed]:
    """Fill the free slots of a worker whose row is locked; its extensions take turns, each with its part at a time."""
    handed: list[Claimed] = []
    if not transaction.can_push:
        return handed
    while claimed := await jobs.claim(transaction.connection, worker_id=worker_id, limit=part):
        handed += claimed
        if len(claimed) < part and part > 1:
            part = 1
    if handed:
        transaction.record(JobsAssigned(worker_id, tuple(handed)))
    return handed


async def announce_and_assign(
    transaction: Transaction, extension_ids: Sequence[int], *, most: int | None = None
) -> set[UUID]:
    """Jobs of these extensions have come to wait: hand out what can be, and let it be known that there may be more."""
    transaction.record(WorkAppeared(tuple(extension_ids)))
    return await assign_waiting(transaction, extension_ids, most=most)


async def assign_waiting(
    transaction: Transaction, extension_ids: Sequence[int], *, most: int | None = None
) -> set[UUID]:
    """Give waiting jobs of these extensions to idle remote workers, the one served longest ago first; which were.

    `most` spares a look for further workers when it is known how many jobs have come. Where no worker would hear of
    it, the servers are told instead.
    """
    connection = transaction.connection
    handed: set[UUID] = set()
    if not transaction.can_push:
        await jobs.notify_servers(connection, extension_ids)
        return handed
    for extension_id in extension_ids:
        in_vain: list[UUID] = []  # somebody else was quicker; there may be another worker and another job
        while len(handed) != most and (
            worker_id := await workers.next_idle(connection, extension_id=extension_id, tried=in_vain)
        ):
            # The worker may choose a job of another of its extensions: its turn may have come.
            claimed = await jobs.claim(connection, worker_id=worker_id, limit=1)
            if claimed:
                handed.update(job.id for job in claimed)
                transaction.record(JobsAssigned(worker_id, tuple(claimed)))
            else:
                in_vain.append(worker_id)
    return handed
