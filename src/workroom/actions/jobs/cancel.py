"""Cancel jobs."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import CancelRequested
from workroom.actions.jobs.propagate import propagate
from workroom.domain.errors import JobFinal, NotFound
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs


async def cancel(engine: Engine, job_id: UUID) -> str:
    """Cancel one job; returns its new state. A job at a worker stays active until the worker confirms or is lost."""
    states = await cancel_many(engine, [job_id])
    if job_id in states:
        return states[job_id]
    async with engine.database.connection() as connection:
        found = await jobs.snapshots(connection, ids=[job_id])
    if not found:
        raise NotFound(f"There is no job {job_id}.")
    if found[0].state == State.CANCELLED:
        return found[0].state
    raise JobFinal(jobId=str(job_id), state=found[0].state)


async def cancel_many(engine: Engine, job_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Cancel jobs; returns the new state of each that had not ended."""

    async def work(transaction: Transaction) -> dict[UUID, str]:
        affected = await jobs.cancel(transaction.connection, ids=job_ids)
        for job in affected:
            if job.state != State.CANCELLED and job.worker_id is not None:
                transaction.record(CancelRequested(job.worker_id, job.id, job.attempt, job.room))
        await propagate(transaction, [job.moved() for job in affected if job.state == State.CANCELLED])
        return {job.id: job.state for job in affected}

    return await engine.transaction(work)


async def cancel_of_extension(transaction: Transaction, extension_id: int) -> int:
    """Cancel the waiting jobs of an extension that is removed or gets another schema; returns how many."""
    cancelled = [job.moved() for job in await jobs.cancel_of_extension(transaction.connection, extension_id)]
    await propagate(transaction, cancelled)
    return sum(job.jobs for job in cancelled)


async def tell_remote_workers(engine: Engine, extension_id: int) -> None:
    """Send cancel requests to remote workers, for jobs that a process without their sockets cancelled."""

    async def work(transaction: Transaction) -> None:
        for job in await jobs.remote_cancel_requests(transaction.connection, extension_id):
            transaction.record(CancelRequested(job.worker_id, job.id, job.attempt, job.room))

    await engine.autocommit(work)
