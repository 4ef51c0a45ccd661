"""Postings: read, pause, resume, cancel, retry.

A posting ends with its last job: the SQL fragment `count_and_end_postings` counts ended jobs and sets the final status,
within the statements that complete jobs and in `actions/jobs/propagate`, which handles every other end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import CancelRequested, PostingChanged
from workroom.actions.extensions.arguments import check_each
from workroom.actions.extensions.resolve import find_extension
from workroom.actions.jobs.assign import announce_and_assign
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.propagate import propagate
from workroom.actions.queries.jobs import reasons
from workroom.actions.quotas.admission import admit_calls
from workroom.domain import ids, limits
from workroom.domain.errors import NotFound, WrongState
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.jobs.wait_reason import WaitReason
from workroom.store.queue_tables import jobs, postings
from workroom.store.queue_tables.postings import FailedJob, JobOutcome, PostedJob, PostingRow


class PostingError(NamedTuple):
    """Which failed jobs of a posting are meant, by the type and the place of their error. None: any."""

    type: str | None = None
    place: str | None = None  # empty: not known


ANY_ERROR = PostingError()


async def look_up_posting(engine: Engine, posting_id: UUID) -> PostingRow:
    async with engine.database.connection() as connection:
        row = await postings.get(connection, posting_id)
    if row is None:
        raise NotFound(f"There is no posting {posting_id}.")
    return row


async def postings_of(
    engine: Engine,
    *,
    statuses: Sequence[str] | None = None,
    name: str | None = None,
    room: str | None = None,
    submitter: UUID | None = None,
    visible_to: UUID | None = None,
    job: tuple[UUID, str | None] | None = None,
    before: UUID | None = None,
    limit: int = 50,
) -> list[PostingRow]:
    """Postings that match all filters, newest first. `job` is a job and its room: it sees its own and the room's."""
    async with engine.database.connection() as connection:
        return await postings.list_postings(
            connection,
            statuses=statuses,
            name=name,
            room=room,
            submitter=submitter,
            visible_to=visible_to,
            job=job,
            before=before,
            limit=limit,
        )


async def moving(engine: Engine, *, since: UUID, ids: Sequence[UUID]) -> list[PostingRow]:
    """Open postings, those made after `since`, and those with these ids."""
    async with engine.database.connection() as connection:
        return await postings.list_open(connection, since=since, ids=ids)


async def at_workers(engine: Engine, posting: PostingRow) -> int:
    """How many of its jobs are at workers now."""
    async with engine.database.connection() as connection:
        return await postings.count_active(connection, posting.id, extension_id=posting.extension_id)


async def all_at_workers(engine: Engine, posting_ids: Sequence[UUID]) -> dict[UUID, int]:
    """How many jobs of each of these postings are at workers now; those with none are left out."""
    async with engine.database.connection() as connection:
        return await postings.count_active_many(connection, posting_ids)


async def wait_reasons(
    engine: Engine, rows: Sequence[PostingRow], active: Mapping[UUID, int]
) -> dict[UUID, WaitReason]:
    """What open postings wait for. One with jobs at workers waits for nothing."""
    waiting = [row.id for row in rows if row.status not in FINAL and not active.get(row.id)]
    if not waiting:
        return {}
    async with engine.database.connection() as connection:
        return reasons(await postings.wait_facts(connection, waiting))


async def pause_posting(engine: Engine, posting_id: UUID) -> int:
    """Hold the waiting jobs of a posting; returns how many.

    Running jobs continue. A pool process releases jobs it has not started as soon as it is notified.
    """

    async def work(transaction: Transaction) -> int | None:
        extension_id = await postings.pause(transaction.connection, posting_id)
        if extension_id is None:
            return None
        held = await postings.hold_waiting_jobs(transaction.connection, posting_id)
        await jobs.notify_pools(transaction.connection, [extension_id])
        transaction.record(PostingChanged(posting_id))
        return held

    held = await engine.transaction(work)
    if held is None:
        await _refuse(engine, posting_id, "paused")
    return held or 0


async def paused_at(engine: Engine, worker_id: UUID) -> list[UUID]:
    """The postings, paused themselves or with a paused queue, of which a worker holds jobs that it has not started."""
    async with engine.database.connection() as connection:
        return await postings.paused_at_worker(connection, worker_id)


async def resume_posting(engine: Engine, posting_id: UUID) -> int:
    """Queue the held jobs of a posting again; returns how many."""

    async def work(transaction: Transaction) -> int | None:
        resumed = await postings.resume(transaction.connection, posting_id)
        if resumed is None:
            return None
        requeued = await postings.requeue_held_jobs(transaction.connection, posting_id, resumed)
        transaction.record(PostingChanged(posting_id))
        await announce_and_assign(transaction, [resumed.extension_id])
        await jobs.notify_pools(transaction.connection, [resumed.extension_id])
        return requeued

    resumed = await engine.transaction(work)
    if resumed is None:
        await _refuse(engine, posting_id, "executing")
    return resumed or 0


async def cancel_posting(engine: Engine, posting_id: UUID) -> int:
    """Cancel the unfinished jobs of a posting; returns how many ended at once. Workers confirm the others."""

    async def work(transaction: Transaction) -> int:
        affected = await postings.cancel(transaction.connection, posting_id)
        transaction.record(PostingChanged(posting_id))
        for job in affected:
            if job.worker_id is not None and job.state != State.CANCELLED:
                transaction.record(CancelRequested(job.worker_id, job.id, job.attempt, job.room))
        cancelled = [job.moved() for job in affected if job.state == State.CANCELLED]
        await propagate(transaction, cancelled)
        if len(cancelled) < len(affected):
            extension_ids = sorted({job.extension_id for job in affected})
            await jobs.notify_pools(transaction.connection, extension_ids)
            if not transaction.can_push:
                await jobs.notify_servers(transaction.connection, extension_ids)
        return sum(job.jobs for job in cancelled)

    await look_up_posting(engine, posting_id)
    return await engine.transaction(work)


async def jobs_of_posting(
    engine: Engine, posting_id: UUID, *, position: int, states: Sequence[str] | None, limit: int
) -> list[PostedJob]:
    """Its jobs from `position` on, with their arguments: up to `limit`, or as many as fit a page."""
    async with engine.database.connection() as connection:
        return await postings.jobs(
            connection,
            posting_id,
            start=ids.job_id(posting_id, position),
            states=states,
            limit=limit,
            most_bytes=limits.PAGE_BYTES,
        )


async def outcomes(engine: Engine, posting_id: UUID, *, position: int, limit: int) -> list[JobOutcome]:
    """The outcomes of its jobs from `position` on: up to `limit`, or as many as fit a page."""
    async with engine.database.connection() as connection:
        return await postings.outcomes(
            connection,
            posting_id,
            start=ids.job_id(posting_id, position),
            limit=limit,
            most_bytes=limits.PAGE_BYTES,
        )


async def failures(
    engine: Engine, posting_id: UUID, *, position: int, limit: int, error: PostingError = ANY_ERROR
) -> list[FailedJob]:
    """Its failed jobs from `position` on, with their arguments: up to `limit`, or as many as fit a page."""
    async with engine.database.connection() as connection:
        return await postings.failures(
            connection,
            posting_id,
            start=ids.job_id(posting_id, position),
            limit=limit,
            most_bytes=limits.PAGE_BYTES,
            error_type=error.type,
            error_place=error.place,
        )


async def hidden_from_submitter(engine: Engine, posting_ids: Sequence[UUID]) -> set[UUID]:
    """Those of these postings whose submitter may no longer read their room."""
    async with engine.database.connection() as connection:
        return set(await postings.hidden_from_submitter(connection, posting_ids))


async def retry_failed(
    engine: Engine,
    posting_id: UUID,
    by: UUID,
    *,
    error: PostingError = ANY_ERROR,
    by_job: UUID | None = None,
    worker_owner: UUID | None = None,
) -> UUID | None:
    """A new posting of the jobs that failed with this error, which stay as they are; none when none has."""
    row = await look_up_posting(engine, posting_id)
    arguments: list[Any] = []
    failed: list[UUID] = []
    position = 0
    while found := await failures(engine, posting_id, position=position, limit=2_000, error=error):
        arguments += [one.arguments for one in found]
        failed += [one.id for one in found]
        position = ids.position(found[-1].id) + 1
    if not failed:
        return None
    await admit_calls(engine, by, row.room, len(failed))
    # The extension may have been removed or registered with another schema since.
    extension = await find_extension(engine, row.room, row.category, row.name, row.scope)
    if row.scope != "function":
        await check_each(extension.schema, extension.schema_hash, arguments)
    options = JobOptions(by, room=row.room, priority=row.priority, tries=row.tries)
    label = f"retry of {row.label or posting_id}"[:200]
    return await post(
        engine,
        extension,
        arguments,
        options,
        label=label,
        retry_of=failed,
        by_job=by_job,
        worker_owner=worker_owner,
    )


async def cancelling(engine: Engine, worker_id: UUID) -> list[UUID]:
    """The jobs of a worker with a cancel request."""
    async with engine.database.connection() as connection:
        return [job.id for job in await jobs.cancel_requests(connection, worker_id)]


async def _refuse(engine: Engine, posting_id: UUID, status: str) -> None:
    """Raise unless the posting already has this status."""
    row = await look_up_posting(engine, posting_id)
    if row.status != status:
        raise WrongState(f"The posting is {row.status}: it cannot be {status} any more.", status=row.status)
