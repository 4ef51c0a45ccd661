"""Read jobs: one, many, their attempts, their place in the queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import QueueFacts, WaitingFor, eta_seconds, waiting_for
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.job_rows import FailedAttempt, JobListing, JobRow, JobSummary

# Jobs ahead in the queue are counted up to this number, and estimated from the turns beyond.
_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class QueueOutlook:
    """When a job may start, and what it waits for."""

    state: State
    waiting_for: WaitingFor
    queue_position: int | None  # how many jobs are ahead of it; none when it is not in a queue
    eta_seconds: float | None  # seconds until it may start; none when it cannot be estimated


async def job(engine: Engine, job_id: UUID) -> JobRow:
    """Everything recorded about a job."""
    async with engine.database.connection() as connection:
        row = await jobs.get(connection, job_id)
    if row is None:
        raise NotFound(f"There is no job {job_id}.")
    return row


async def attempts(engine: Engine, job_id: UUID) -> list[FailedAttempt]:
    """The attempts of a job that were followed by another."""
    async with engine.database.connection() as connection:
        return await jobs.attempts(connection, job_id)


async def queue_outlook(engine: Engine, job_id: UUID) -> QueueOutlook:
    """The position of a job in its queue, when it may start, and what it waits for."""
    async with engine.database.connection() as connection:
        place = await jobs.queue_position(connection, job_id, bound=_COUNTED)
    if place is None:
        raise NotFound(f"There is no job {job_id}.")
    reason = waiting_for(
        QueueFacts(State(place.state), place.paused, place.start_is_later, place.workers, place.workers_closed)
    )
    if place.state != State.PENDING:
        return QueueOutlook(State(place.state), reason, None, None)
    mean = None if place.run_ms is None else place.run_ms / 1000
    known = reason is WaitingFor.ALL_BUSY
    return QueueOutlook(
        State(place.state), reason, place.ahead, eta_seconds(place.ahead, place.slots, mean) if known else None
    )


async def jobs_of(
    engine: Engine,
    *,
    room: str | None = None,
    states: Sequence[str] | None = None,
    submitter: UUID | None = None,
    visible_to: UUID | None = None,
    worker_id: UUID | None = None,
    category: str | None = None,
    name: str | None = None,
    search: str | None = None,
    ids: Sequence[UUID] | None = None,
    before: UUID | None = None,
    limit: int = 50,
) -> list[JobListing]:
    """Jobs that match all filters, newest first.

    `visible_to` leaves out rooms that this account may not read; `search` is a part of `category/name`.
    """
    async with engine.database.connection() as connection:
        return await jobs.list_jobs(
            connection,
            room=room,
            states=states,
            submitter=submitter,
            visible_to=visible_to,
            worker_id=worker_id,
            category=category,
            name=name,
            search=search,
            ids=ids,
            before=before,
            limit=limit,
        )


async def active_attempts(engine: Engine, attempts: Sequence[tuple[UUID, UUID, int]]) -> set[tuple[UUID, UUID, int]]:
    """Those of these attempts (job, worker, attempt) that have not ended."""
    async with engine.database.connection() as connection:
        return set(await jobs.active_attempts(connection, attempts))


async def job_summaries(engine: Engine, ids: Sequence[UUID]) -> list[JobSummary]:
    """These jobs, without their large fields."""
    async with engine.database.connection() as connection:
        return await jobs.summaries(connection, ids)
