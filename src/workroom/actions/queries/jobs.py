"""How a job or a queue stands. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import QueueFacts, WaitingFor, eta_seconds, waiting_for
from workroom.store.queue_tables import extensions, jobs, workers
from workroom.store.queue_tables.extensions import ExtensionListing, ExtensionRow, QueueRow, StatsRow
from workroom.store.queue_tables.job_rows import FailedAttempt, JobRow, JobSummary
from workroom.store.queue_tables.workers import WorkerRow

# Jobs before a job are counted one by one up to here, and estimated from the turns beyond.
_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class QueueOutlook:
    """What a waiting person wants to know."""

    state: State
    waiting_for: WaitingFor
    queue_position: int | None  # how many jobs come before it; none when it does not wait
    eta_seconds: float | None  # when it may start; none when nothing is known to go by


async def job(engine: Engine, job_id: UUID) -> JobRow:
    """Everything recorded about a job."""
    async with engine.database.connection() as connection:
        row = await jobs.get(connection, job_id)
    if row is None:
        raise NotFound(f"There is no job {job_id}.")
    return row


async def attempts(engine: Engine, job_id: UUID) -> list[FailedAttempt]:
    """The attempts at a job that were followed by another."""
    async with engine.database.connection() as connection:
        return await jobs.attempts(connection, job_id)


async def queue_outlook(engine: Engine, job_id: UUID) -> QueueOutlook:
    """Where a job stands in its queue, when it may start, and what it waits for."""
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


async def stats(engine: Engine, extension_id: int) -> StatsRow:
    """How many workers and jobs an extension has."""
    async with engine.database.connection() as connection:
        return await extensions.stats(connection, extension_id)


async def jobs_of(
    engine: Engine,
    *,
    room: str | None = None,
    states: Sequence[str] | None = None,
    submitter: UUID | None = None,
    worker_id: UUID | None = None,
    category: str | None = None,
    name: str | None = None,
    before: UUID | None = None,
    limit: int = 50,
) -> list[JobSummary]:
    """Jobs that fit everything asked for, newest first."""
    async with engine.database.connection() as connection:
        return await jobs.list_jobs(
            connection,
            room=room,
            states=states,
            submitter=submitter,
            worker_id=worker_id,
            category=category,
            name=name,
            before=before,
            limit=limit,
        )


async def job_summaries(engine: Engine, ids: Sequence[UUID]) -> list[JobSummary]:
    """These jobs, without their large fields."""
    async with engine.database.connection() as connection:
        return await jobs.summaries(connection, ids)


async def worker(engine: Engine, worker_id: UUID) -> WorkerRow:
    async with engine.database.connection() as connection:
        row = await workers.get(connection, worker_id)
    if row is None:
        raise NotFound(f"There is no worker {worker_id}.")
    return row


async def workers_of(engine: Engine, room: str | None) -> list[WorkerRow]:
    """The workers a room sees; all of them when none is named."""
    async with engine.database.connection() as connection:
        return await workers.of_room(connection, room)


async def extension(engine: Engine, extension_id: int) -> ExtensionRow:
    async with engine.database.connection() as connection:
        row = await extensions.get(connection, extension_id)
    if row is None:
        raise NotFound(f"There is no extension {extension_id}.")
    return row


async def extensions_of(engine: Engine, room: str, *, category: str | None = None) -> list[ExtensionListing]:
    """The extensions a room sees, each with its crew and its queue."""
    async with engine.database.connection() as connection:
        return await extensions.of_room(connection, room, category=category)


async def rooms_to_notify(
    engine: Engine, *, worker_ids: Sequence[UUID] = (), extension_ids: Sequence[int] = ()
) -> set[str | None]:
    """The rooms that are to hear of these; none among them stands for all rooms."""
    async with engine.database.connection() as connection:
        heard = await workers.rooms_to_notify(connection, worker_ids) if worker_ids else []
        heard += await extensions.rooms_to_notify(connection, extension_ids) if extension_ids else []
    return set(heard)


@dataclass(frozen=True, slots=True)
class Figures:
    """The whole house in numbers."""

    jobs: dict[str, int]  # by state
    workers: dict[str, int]  # online, by kind


async def totals(engine: Engine) -> Figures:
    async with engine.database.connection() as connection:
        return Figures(await extensions.totals(connection), await workers.totals(connection))


async def queues(engine: Engine, *, limit: int) -> list[QueueRow]:
    """Every queue, the fullest first."""
    async with engine.database.connection() as connection:
        return await extensions.queues(connection, limit=limit)


async def ping(engine: Engine) -> None:
    """Raises when the database does not answer."""
    async with engine.database.connection() as connection:
        await workers.totals(connection)
