"""Postings: looked at, paused, resumed and called off."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.aftermath import settle
from workroom.actions.assign import offer_work
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import CancelRequested
from workroom.domain import ids
from workroom.domain.errors import NotFound, WrongState
from workroom.domain.states import State
from workroom.store import jobs, postings
from workroom.store.postings import FailedJob, JobOutcome, PostingRow


async def look_up_posting(engine: Engine, posting_id: UUID) -> PostingRow:
    async with engine.database.connection() as connection:
        row = await postings.get(connection, posting_id)
    if row is None:
        raise NotFound(f"There is no posting {posting_id}.")
    return row


async def pause_posting(engine: Engine, posting_id: UUID) -> int:
    """Let no further job of it begin; how many were parked. Those at workers go on."""
    async with engine.database.connection() as connection:
        parked = await postings.pause(connection, posting_id)
    if parked is None:
        await _refuse(engine, posting_id, "paused")
    return parked or 0


async def resume_posting(engine: Engine, posting_id: UUID) -> int:
    """Let its parked jobs wait in line again; how many do."""

    async def work(transaction: Transaction) -> int | None:
        resumed = await postings.resume(transaction.connection, posting_id)
        if resumed is None:
            return None
        await offer_work(transaction, [resumed.extension_id])
        await jobs.hint(transaction.connection, [resumed.extension_id])
        return resumed.jobs

    resumed = await engine.atomically(work)
    if resumed is None:
        await _refuse(engine, posting_id, "executing")
    return resumed or 0


async def cancel_posting(engine: Engine, posting_id: UUID) -> int:
    """Call off what has not ended; how many were cancelled at once. Workers confirm the others."""

    async def work(transaction: Transaction) -> int:
        touched = await postings.cancel(transaction.connection, posting_id)
        for job in touched:
            if job.worker_id is not None and job.state != State.CANCELLED:
                transaction.note(CancelRequested(job.worker_id, job.id, job.attempt, job.room))
        cancelled = [job.moved() for job in touched if job.state == State.CANCELLED]
        await settle(transaction, cancelled)
        if len(cancelled) < len(touched):
            await jobs.hint(transaction.connection, sorted({job.extension_id for job in touched}))
        return sum(job.jobs for job in cancelled)

    await look_up_posting(engine, posting_id)
    return await engine.atomically(work)


async def outcomes(engine: Engine, posting_id: UUID, *, position: int, limit: int) -> list[JobOutcome]:
    """What became of the jobs at `position` and after it."""
    async with engine.database.connection() as connection:
        return await postings.outcomes(connection, posting_id, start=ids.job_id(posting_id, position), limit=limit)


async def failures(engine: Engine, posting_id: UUID, *, position: int, limit: int) -> list[FailedJob]:
    """The failed jobs at `position` and after it, with their arguments."""
    async with engine.database.connection() as connection:
        return await postings.failures(connection, posting_id, start=ids.job_id(posting_id, position), limit=limit)


async def cancelling(engine: Engine, worker_id: UUID) -> list[UUID]:
    """The jobs at a worker that somebody wants stopped."""
    async with engine.database.connection() as connection:
        return await jobs.cancelling(connection, worker_id)


async def _refuse(engine: Engine, posting_id: UUID, wanted: str) -> None:
    """Already so is fine; ended is not."""
    row = await look_up_posting(engine, posting_id)
    if row.status != wanted:
        raise WrongState(f"The posting is {row.status}: it cannot be {wanted} any more.", status=row.status)
