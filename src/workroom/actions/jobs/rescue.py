"""Jobs of lost workers, unconfirmed assignments, timeouts and extensions without workers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from uuid import UUID

import orjson

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import CancelRequested, ExtensionsOffered, ExtensionsRemoved, WorkersChanged
from workroom.actions.jobs.assign import assign_to
from workroom.actions.jobs.propagate import propagate
from workroom.domain.jobs.job_error import timeout_error
from workroom.domain.jobs.worker_loss import MAX_LOSSES
from workroom.store.queue_tables import extensions, jobs, workers
from workroom.store.queue_tables.extensions import Identity
from workroom.store.queue_tables.job_rows import Overdue, ReleasedJob, Transition


async def expire_workers(engine: Engine, kinds: Sequence[str]) -> list[UUID]:
    """End workers whose lease has ended, or that did not reconnect within the grace.

    None is ended before heartbeats of its kind could arrive for a whole lease.
    """
    timing = engine.timing

    async def work(transaction: Transaction) -> list[UUID]:
        lost = await workers.expire(
            transaction.connection,
            kinds,
            grace_seconds=timing.grace,
            lease_seconds=timing.lease,
            gap_seconds=timing.gap,
        )
        if lost:
            transaction.record(WorkersChanged(tuple(lost)))
        return lost

    return await engine.transaction(work)


async def rescue(engine: Engine) -> list[Transition]:
    """Release, fail or cancel the jobs of ended workers, according to `on_worker_lost`."""

    async def work(transaction: Transaction) -> list[Transition]:
        moved = await jobs.rescue(transaction.connection, max_losses=MAX_LOSSES)
        await propagate(transaction, moved)
        return moved

    return await engine.transaction(work)


async def release_claimed(engine: Engine, worker_id: UUID, held: Sequence[tuple[UUID, int]]) -> set[UUID]:
    """Release jobs (id, attempt) that a worker has not started; returns those that wait again."""

    async def work(transaction: Transaction) -> set[UUID]:
        moved = await jobs.release_claimed(
            transaction.connection,
            worker_id=worker_id,
            ids=[job_id for job_id, _ in held],
            attempts=[attempt for _, attempt in held],
        )
        await propagate(transaction, moved)
        return {job.id for job in moved}

    return await engine.transaction(work)


async def release_unconfirmed(engine: Engine) -> list[Transition]:
    """Release jobs that remote workers did not confirm in time."""

    async def work(transaction: Transaction) -> list[ReleasedJob]:
        released = await jobs.release_unconfirmed(
            transaction.connection,
            seconds=engine.timing.confirm,
            lease_seconds=engine.timing.lease,
            gap_seconds=engine.timing.gap,
        )
        await propagate(transaction, [job.moved() for job in released])
        return released

    released = await engine.transaction(work)
    # These workers have free slots again; jobs of their other extensions may wait.
    for worker_id in sorted({job.worker_id for job in released}):
        await assign_to(engine, worker_id)
    return [job.moved() for job in released]


async def remove_idle_extensions(engine: Engine, ids: Sequence[int] | None = None) -> list[Identity]:
    """Mark extensions without workers as offline, and remove those that have been offline for their time and have no
    unfinished jobs; among these, or among all. Returns the removed ones.
    """
    seconds = engine.timing.retention.offline

    async def work(transaction: Transaction) -> list[Identity]:
        connection = transaction.connection
        candidates = await extensions.lock_idle(connection, ids, offline_seconds=seconds)
        if not candidates:
            return []
        if offline := await extensions.mark_offline(connection, candidates, offline_seconds=seconds):
            transaction.record(ExtensionsOffered(tuple(offline)))
        removed = await extensions.remove_idle(connection, candidates, offline_seconds=seconds)
        if removed:
            transaction.record(ExtensionsRemoved(tuple(removed)))
        return removed

    return await engine.transaction(work)


async def expire(engine: Engine, kinds: Sequence[str]) -> int:
    """Fail jobs that exceeded their timeout and that workers of these kinds did not stop; returns how many."""
    async with engine.database.connection() as connection:
        overdue = await jobs.overdue(
            connection,
            kinds,
            grace_seconds=engine.timing.confirm,
            lease_seconds=engine.timing.lease,
            gap_seconds=engine.timing.gap,
        )
    for worker_id in {job.worker_id for job in overdue}:
        late = [job for job in overdue if job.worker_id == worker_id]

        async def work(transaction: Transaction, worker_id: UUID = worker_id, late: list[Overdue] = late) -> None:
            moved = await jobs.fail(
                transaction.connection,
                worker_id=worker_id,
                ids=[job.id for job in late],
                attempts=[job.attempt for job in late],
                waited_ms=[None] * len(late),
                ran_ms=[None] * len(late),
                jitter=[random.random() for _ in late],  # noqa: S311 - spreads retries, guards nothing
                errors=orjson.dumps([timeout_error(job.timeout_seconds) for job in late]).decode(),
            )
            for job in moved:
                transaction.record(CancelRequested(worker_id, job.id, job.attempt, job.room))
            await propagate(transaction, moved)

        await engine.transaction(work)
    return len(overdue)
