"""Lists of jobs: of a room, of all rooms, of a person."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import Path, Query

from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import AdminNeeded, BadInput
from workroom.domain.ids import made_at
from workroom.domain.jobs.job_filter import JobFilter, JobOrder, JobSort
from workroom.domain.jobs.states import WAITING, State, state_named
from workroom.domain.jobs.wait_reason import FOR_NOTHING
from workroom.server.auth.access import Person, Principal, Reader
from workroom.server.context import Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import jobs as job_serializers
from workroom.wire.job_lists import AllJobQuery, ErrorGroups, JobConditions, JobQuery, RoomJobQuery
from workroom.wire.jobs import Jobs

router = make_router("/api", tag="jobs")
Statuses = Annotated[
    list[str] | None, Query(alias="status", description="Job states, repeated or separated by commas.")
]
UserId = Annotated[UUID, Path(alias="id")]

# Jobs that one request compares with the filters and sorts at most, so that it answers within 300 ms.
_EXAMINED = 100_000
_EXAMINED_ERRORS = 20_000  # their tracebacks have to be read
_MOST_ERRORS = 50


@router.get("/rooms/{room}/jobs", summary="The jobs of a room, newest first")
async def jobs_of_room(context: Context, access: Reader, query: Annotated[RoomJobQuery, Query()]) -> Jobs:
    return await _page(context, query, replace(conditions(query), room=access.room, ids=query.ids))


@router.get("/jobs", summary="The jobs of all rooms (admins)")
async def all_jobs(context: Context, principal: Person, query: Annotated[AllJobQuery, Query()]) -> Jobs:
    if not principal.is_admin:
        raise AdminNeeded(
            "Only admins may list the jobs of all rooms. The jobs of one room are at /api/rooms/{room}/jobs."
        )
    return await _page(context, query, replace(conditions(query), room=query.room))


@router.get("/users/{id}/jobs", summary="The jobs that a person submitted")
async def jobs_of_user(context: Context, principal: Person, id: UserId, query: Annotated[JobQuery, Query()]) -> Jobs:
    return await _page(context, query, replace(conditions(query), **of_user(principal, id)))


@router.get("/users/{id}/job-errors", summary="The errors of a person's failed jobs, by type and place")
async def errors_of_user(
    context: Context, principal: Person, id: UserId, query: Annotated[JobConditions, Query()]
) -> ErrorGroups:
    return await read_errors(context, replace(conditions(query), **of_user(principal, id)))


@router.get("/rooms/{room}/job-errors", summary="The errors of failed jobs of a room, by type and place")
async def errors_of_room(context: Context, access: Reader, query: Annotated[JobConditions, Query()]) -> ErrorGroups:
    return await read_errors(context, replace(conditions(query), room=access.room))


@router.get("/job-errors", summary="The errors of failed jobs of all rooms (admins)")
async def all_errors(context: Context, principal: Person, query: Annotated[JobConditions, Query()]) -> ErrorGroups:
    if not principal.is_admin:
        raise AdminNeeded(
            "Only admins may list the errors of all rooms. Those of one room are at /api/rooms/{room}/job-errors."
        )
    return await read_errors(context, conditions(query))


def of_user(principal: Principal, id: UUID) -> dict[str, UUID | None]:
    """The conditions of the jobs that a person submitted, in rooms that the caller may read."""
    if id != principal.account_id and not principal.is_admin:
        raise AdminNeeded("Only admins may list the jobs of other people.")
    return {"submitter": id, "visible_to": None if principal.is_admin else principal.account_id}


def conditions(given: JobConditions) -> JobFilter:
    """The conditions of a request, without those that its route adds."""
    if given.since is not None and given.until is not None and given.until <= given.since:
        raise BadInput(f"`until` ({given.until.isoformat()}) must be later than `since` ({given.since.isoformat()}).")
    return JobFilter(
        category=given.category,
        name=given.name,
        search=given.search,
        text=given.text,
        user=given.user,
        worker=given.worker,
        since=given.since,
        until=given.until,
        error_type=given.error_type,
        error_place=given.error_place,
        single=given.single,
    )


async def _page(context: ServerContext, query: JobQuery, jobs: JobFilter) -> Jobs:
    by_time = query.sort is JobSort.TIME
    if by_time and query.offset:
        raise BadInput("A list by time continues with `before`, not with `offset`.")
    if not by_time and query.before is not None:
        raise BadInput(f"A list by {query.sort} continues with `offset`, not with `before`.")
    page = await job_queries.jobs_of(
        context.engine,
        replace(jobs, states=parse_states(query.status)),
        JobOrder(query.sort, query.order == "ascending"),
        before=query.before,
        offset=query.offset,
        limit=query.limit,
        examined=_EXAMINED,
    )
    waiting = [row.job.id for row in page.rows if row.job.state in WAITING]
    reasons = await job_queries.wait_reasons(context.engine, waiting)
    items = [job_serializers.listed_job(row, reasons.get(row.job.id, FOR_NOTHING)) for row in page.rows]
    last = items[-1].job_id if len(items) == query.limit else page.compared_to
    return Jobs(
        items=items,
        next=last if by_time else None,
        compared_since=None if page.compared_to is None else datetime.fromtimestamp(made_at(page.compared_to), UTC),
    )


async def read_errors(context: ServerContext, jobs: JobFilter) -> ErrorGroups:
    """The most frequent errors among the newest failed jobs."""
    rows = await job_queries.error_groups(context.engine, jobs, limit=_MOST_ERRORS, examined=_EXAMINED_ERRORS)
    return ErrorGroups(items=[job_serializers.error_group(row) for row in rows])


def parse_states(names: list[str] | None) -> list[str] | None:
    """States, as people write them; none when none are named."""
    if not names:
        return None
    try:
        return [state_named(part) for name in names for part in name.split(",")]
    except ValueError:
        known = ", ".join(State)
        raise BadInput(f"{','.join(names)[:100]!r} is not a status. Use one of {known}.") from None
