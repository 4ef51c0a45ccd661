"""Read jobs: one, many, their attempts, their place in the queue."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.domain.jobs.job_filter import BY_TIME, JobFilter, JobOrder, JobSort
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import QueueFacts, WaitingFor, WaitReason, eta_seconds, wait_reason
from workroom.store.queue_tables import dependencies, job_list, jobs
from workroom.store.queue_tables.job_list import ErrorGroup, JobPage
from workroom.store.queue_tables.job_rows import (
    DependencyEdge,
    DependencyNode,
    FailedAttempt,
    JobListing,
    JobRow,
    JobSummary,
    WaitFacts,
)
from workroom.store.room_tables import rooms

# Jobs ahead in the queue are counted up to this number, and estimated from the turns beyond.
_COUNTED = 1_000
# A search for text takes about this long for each request, whatever the machine does besides.
_SEARCH_SECONDS = 0.15
_FIRST_SEARCHED = 5_000
# The bounds of a graph of dependencies.
_MOST_DISTANT = 5
_MOST_EDGES = 200


@dataclass(frozen=True, slots=True)
class QueueOutlook:
    """When a job may start, and what it waits for."""

    state: State
    reason: WaitReason  # why it waits
    queue_position: int | None  # how many jobs of its extension are ahead of it; none when it is not in a queue
    eta_seconds: float | None  # seconds until it may start; none when it cannot be estimated

    @property
    def waiting_for(self) -> WaitingFor:
        return self.reason.waiting_for


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


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """What a job needs and what needs it, directly and through others."""

    nodes: list[DependencyNode]
    edges: list[DependencyEdge]


async def dependency_graph(engine: Engine, job: JobRow) -> DependencyGraph:
    """The graph of dependencies around a job, bounded in size. Jobs and postings of other rooms are left out."""
    async with engine.database.connection() as connection:
        edges = await dependencies.edges(
            connection, job.id, posting_id=job.posting_id, distance=_MOST_DISTANT, limit=_MOST_EDGES
        )
        ids = {job.id} | {edge.job_id for edge in edges} | {edge.needs for edge in edges}
        found = await dependencies.nodes(connection, sorted(ids)) if edges else []
    nodes = [node for node in found if node.room == job.room]
    known = {node.id for node in nodes}
    return DependencyGraph(nodes, [edge for edge in edges if edge.job_id in known and edge.needs in known])


async def queue_outlook(engine: Engine, job_id: UUID) -> QueueOutlook:
    """The position of a job in its queue, when it may start, and what it waits for."""
    async with engine.database.connection() as connection:
        place = await jobs.queue_position(connection, job_id, bound=_COUNTED)
    if place is None:
        raise NotFound(f"There is no job {job_id}.")
    reason = wait_reason(
        QueueFacts(
            State(place.state),
            place.paused,
            place.start_is_later,
            place.workers,
            place.workers_closed,
            place.workers_equipped,
            place.workers_lasting,
            place.name,
            place.resources or {},
            place.timeout_seconds,
            is_function=place.scope == "function",
            offline_since=place.offline_since,
            offered_by=place.offered_by,
        )
    )
    if place.state != State.PENDING:
        return QueueOutlook(State(place.state), reason, None, None)
    mean = None if place.run_ms is None else place.run_ms / 1000
    # The jobs of other extensions take slots in an order that the position within this extension does not show.
    known = reason.waiting_for is WaitingFor.ALL_BUSY and not place.shares_workers and not place.overrun
    return QueueOutlook(
        State(place.state), reason, place.ahead, eta_seconds(place.ahead, place.slots, mean) if known else None
    )


async def wait_reasons(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, WaitReason]:
    """Why these jobs wait; those that do not are left out."""
    if not ids:
        return {}
    async with engine.database.connection() as connection:
        return reasons(await job_list.wait_facts(connection, ids))


def reasons(found: Sequence[WaitFacts]) -> dict[UUID, WaitReason]:
    """The reason of each, by its id."""
    return {
        one.id: wait_reason(
            QueueFacts(
                State(one.state),
                one.paused,
                one.start_is_later,
                one.workers,
                one.workers_closed,
                one.workers_equipped,
                one.workers_lasting,
                one.name,
                one.resources or {},
                one.timeout_seconds,
                is_function=one.scope == "function",
                offline_since=one.offline_since,
                offered_by=one.offered_by,
            )
        )
        for one in found
    }


async def jobs_of(
    engine: Engine,
    jobs_that: JobFilter,
    order: JobOrder = BY_TIME,
    *,
    before: UUID | None = None,
    offset: int = 0,
    limit: int = 50,
    examined: int | None = None,
) -> JobPage:
    """A page of the jobs that match all filters. `examined` bounds how many jobs are compared with them and sorted.

    A list by time that looks for text compares few jobs first, then twice as many each time, while the next step
    probably ends within `_SEARCH_SECONDS`. The page says how far it came, and the next request goes on from there.
    """
    async with engine.database.connection() as connection:
        list_jobs = partial(job_list.list_jobs, connection, jobs_that, order, offset=offset)
        if examined is None or not jobs_that.text or order.sort is not JobSort.TIME:
            return await list_jobs(before=before, limit=limit, examined=examined)
        rows: list[JobListing] = []
        begun = time.monotonic()
        compared, step = 0, min(_FIRST_SEARCHED, examined)
        while True:
            step_begun = time.monotonic()
            page = await list_jobs(before=before, limit=limit - len(rows), examined=step)
            rows += page.rows
            now = time.monotonic()
            compared += step
            before, step = page.compared_to, min(2 * step, examined - compared)
            in_time = now + 2 * (now - step_begun) < begun + _SEARCH_SECONDS
            if len(rows) >= limit or before is None or step <= 0 or not in_time:
                return JobPage(rows, page.compared_to)


async def error_groups(engine: Engine, jobs_that: JobFilter, *, limit: int, examined: int) -> list[ErrorGroup]:
    """The failed jobs among those that match, by the type and the place of their error."""
    async with engine.database.connection() as connection:
        return await job_list.error_groups(connection, jobs_that, limit=limit, examined=examined)


async def active_attempts(engine: Engine, attempts: Sequence[tuple[UUID, UUID, int]]) -> set[tuple[UUID, UUID, int]]:
    """Those of these attempts (job, worker, attempt) that have not ended."""
    async with engine.database.connection() as connection:
        return set(await jobs.active_attempts(connection, attempts))


async def readers(engine: Engine, pairs: Sequence[tuple[UUID, str]]) -> set[tuple[UUID, str]]:
    """Those of these accounts, each with the room of a job, that may read the room."""
    async with engine.database.connection() as connection:
        return await rooms.readers(connection, pairs)


async def job_summaries(engine: Engine, ids: Sequence[UUID]) -> list[JobSummary]:
    """These jobs, without their large fields."""
    async with engine.database.connection() as connection:
        return await jobs.summaries(connection, ids)
