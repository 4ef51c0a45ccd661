"""Lists of jobs, with their filters and orders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from workroom.domain.ids import first_and_last, oldest_id
from workroom.domain.jobs.ended_job_counts import BUCKETS
from workroom.domain.jobs.job_filter import JobFilter, JobOrder, JobSort, like_patterns
from workroom.store.array_parameters import Uuids
from workroom.store.queue_tables.job_rows import JobListing, WaitFacts
from workroom.store.statement import Connection, Statement, first

# Filters that a posting answers for all its jobs.
_OF_POSTINGS = frozenset({"category", "name", "search", "user"})
# Filters that are compared job by job.
_COMPARED = _OF_POSTINGS | {"states", "worker", "worker_id", "error_type", "error_place", "patterns", "visible_to"}
# Postings that are compared with the filters before the jobs are: a few milliseconds.
_MOST_POSTINGS = 20_000
_MOST_STATEMENTS = 500


class JobPage(NamedTuple):
    rows: list[JobListing]
    # The last job that was compared with the filters; none when all were.
    compared_to: UUID | None


class ErrorGroup(NamedTuple):
    """Failed jobs with the same type of error, raised at the same place."""

    type: str
    place: str  # file, line and function; empty: not known
    message: str | None  # of the newest
    reason: str | None  # of the newest
    jobs: int
    newest: UUID
    category: str  # of the newest
    name: str
    first_at: datetime
    last_at: datetime


class EndedCount(NamedTuple):
    """Jobs that ended within a step of time in the same state."""

    at: datetime
    scope: str
    category: str
    name: str
    state: str
    wait_bucket: int | None  # of completed jobs
    run_bucket: int | None
    jobs: int


_wait_facts = Statement("job/wait_facts", WaitFacts._make)


async def list_jobs(
    connection: Connection,
    jobs: JobFilter,
    order: JobOrder,
    *,
    before: UUID | None = None,
    offset: int = 0,
    limit: int,
    examined: int | None,
) -> JobPage:
    """A page of the jobs that match; `before` continues a list by time, `offset` one in another order.

    `examined` bounds how many jobs are compared and sorted; none: all of them.
    """
    values = _values(jobs)
    by_time = order.sort is JobSort.TIME
    oldest_first = by_time and order.ascending
    if before is not None:
        values["after" if oldest_first else "before"] = before
    filters = _filters(jobs, values)
    if not jobs.single and jobs.submitter is None and filters & _OF_POSTINGS:
        known = filters & (_OF_POSTINGS | {"room", "until"})
        if not await _posting_matches(frozenset(known)).one(connection, bound=_MOST_POSTINGS, **values):
            filters |= {"single"}
    filters |= {"oldest" if oldest_first else "newest"}
    shown = filters | {_key(order), "ascending" if order.ascending else "descending"}
    rows = await _listing(frozenset(shown)).all(connection, limit=limit, offset=offset, examined=examined, **values)
    compared_to = None
    if examined is not None and len(rows) < limit and (filters & _COMPARED or not by_time):
        compared_to = await _last_examined(frozenset(filters)).one(connection, examined=examined, **values)
    return JobPage(rows, compared_to)


async def error_groups(connection: Connection, jobs: JobFilter, *, limit: int, examined: int) -> list[ErrorGroup]:
    """The failed jobs among those that match, by error; the most frequent error first."""
    values = _values(jobs)
    filters = _filters(jobs, values) | {"failed"}
    return await _error_groups(frozenset(filters)).all(connection, limit=limit, examined=examined, **values)


async def ended_counts(
    connection: Connection, jobs: JobFilter, *, since: datetime, step_seconds: int, examined: int
) -> list[EndedCount]:
    """How many of the jobs that match ended since a time, in no order."""
    values = _values(jobs)
    return await _ended_counts(frozenset(_filters(jobs, values))).all(
        connection, ended_since=since, step_seconds=step_seconds, last_bucket=BUCKETS - 1, examined=examined, **values
    )


async def wait_facts(connection: Connection, ids: Sequence[UUID]) -> list[WaitFacts]:
    """What decides why these jobs wait; those that do not are left out."""
    return await _wait_facts.all(connection, ids=Uuids(ids))


def _values(jobs: JobFilter) -> dict[str, Any]:
    """The parameters of the statement that are used."""
    worker_id = jobs.worker_id or _as_uuid(jobs.worker)
    given = {
        "room": jobs.room,
        "states": None if jobs.states is None else list(jobs.states),
        "submitter": jobs.submitter,
        "visible_to": jobs.visible_to,
        "worker_id": worker_id,
        "category": jobs.category,
        "name": jobs.name,
        "search": jobs.search,
        "user": jobs.user,
        "worker": None if worker_id else jobs.worker,
        "error_type": jobs.error_type,
        "error_place": jobs.error_place,
        "patterns": like_patterns(jobs.text or "") or None,
        # The id of a job starts with the time of its submission.
        "since": None if jobs.since is None else oldest_id(jobs.since.timestamp()),
        "until": None if jobs.until is None else oldest_id(jobs.until.timestamp()),
        "ids": None if jobs.ids is None else Uuids(jobs.ids),
    }
    if jobs.posting_id is not None:
        # The jobs of a posting are one range of the primary key.
        given["posting_id"] = jobs.posting_id
        given["first"], given["last"] = first_and_last(jobs.posting_id)
    return {name: value for name, value in given.items() if value is not None}


def _as_uuid(text: str | None) -> UUID | None:
    try:
        return None if text is None else UUID(text)
    except ValueError:
        return None


def _filters(jobs: JobFilter, values: dict[str, Any]) -> set[str]:
    filters = set(values)
    if jobs.single:
        filters |= {"single"}
    states = None if jobs.states is None else set(jobs.states)
    if states == {"failed"} or filters & {"error_type", "error_place"}:
        # As a constant the condition matches the partial index of failed jobs.
        filters |= {"failed"}
        if states == {"failed"}:
            filters -= {"states"}
    if states is not None and states <= {"assigned", "running"}:
        return filters | {"active"}
    return filters | {"any_state"}


def _key(order: JobOrder) -> str:
    match order.sort:
        case JobSort.TIME:
            return "by_time"
        case JobSort.DURATION:
            return "shortest_first" if order.ascending else "longest_first"
        case JobSort.PRIORITY:
            return "by_priority"
        case JobSort.NAME:
            return "by_name"


@lru_cache(_MOST_STATEMENTS)
def _listing(filters: frozenset[str]) -> Statement[JobListing]:
    return Statement("job/list", JobListing.one, filters=filters)


@lru_cache(_MOST_STATEMENTS)
def _last_examined(filters: frozenset[str]) -> Statement[UUID]:
    return Statement("job/last_examined", first, filters=filters)


@lru_cache(_MOST_STATEMENTS)
def _posting_matches(filters: frozenset[str]) -> Statement[bool]:
    return Statement("job/posting_matches", first, filters=filters)


@lru_cache(_MOST_STATEMENTS)
def _error_groups(filters: frozenset[str]) -> Statement[ErrorGroup]:
    return Statement("job/error_groups", ErrorGroup._make, filters=filters)


@lru_cache(_MOST_STATEMENTS)
def _ended_counts(filters: frozenset[str]) -> Statement[EndedCount]:
    return Statement("job/ended_counts", EndedCount._make, filters=filters)
