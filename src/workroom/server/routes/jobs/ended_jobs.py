"""How many jobs ended over the last days, and how long they took."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Query

from workroom.actions.queries.ended_jobs import history_of_jobs, history_of_posting, job_history
from workroom.domain.errors import AdminNeeded
from workroom.domain.jobs.job_filter import JobFilter
from workroom.server.auth.access import Actor, Person, Reader
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.job_access import load_visible_posting
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.job_lists import UserId, of_user
from workroom.server.routes.jobs.postings import PostingId
from workroom.server.serializers.ended_jobs import history
from workroom.wire.job_lists import HistoryQuery, JobHistory

router = make_router("/api", tag="jobs")
Which = Annotated[HistoryQuery, Query()]


@router.get("/rooms/{room}/job-history", summary="How many jobs of a room ended, and how long they took")
async def history_of_room(context: Context, access: Reader, query: Which) -> JobHistory:
    return await _read(context, query, access.room)


@router.get("/job-history", summary="How many jobs of all rooms ended, and how long they took (admins)")
async def history_of_all(context: Context, principal: Person, query: Which) -> JobHistory:
    if not principal.is_admin:
        raise AdminNeeded(
            "Only admins may read the history of all rooms. That of one room is at /api/rooms/{room}/job-history."
        )
    return await _read(context, query, None)


@router.get("/users/{id}/job-history", summary="How many jobs of a person ended, and how long they took")
async def history_of_user(context: Context, principal: Person, id: UserId, query: Which) -> JobHistory:
    """Counted from the jobs that are kept, the newest 100,000; without the calls of postings."""
    of = JobFilter(category=query.category, name=query.name, search=query.search)
    jobs = replace(of, **of_user(principal, id))
    return history(await history_of_jobs(context.engine, jobs, days=query.days))


@router.get(
    "/postings/{id}/job-history",
    summary="How many jobs of a posting ended over its life, and how long they took",
    responses=error_responses(404),
)
async def of_posting(context: Context, token: Bearer, principal: Actor, id: PostingId) -> JobHistory:
    """In at most 200 steps. Without steps for a posting of more than 100,000 jobs."""
    posting = await load_visible_posting(context, token, principal, id)
    found = await history_of_posting(context.engine, posting)
    if found is None:
        return JobHistory(since=posting.created_at, step_seconds=1, items=[], extensions=[])
    return history(found)


async def _read(context: ServerContext, query: HistoryQuery, room: str | None) -> JobHistory:
    return history(
        await job_history(
            context.engine,
            days=query.days,
            room=room,
            category=query.category,
            name=query.name,
            search=query.search,
        )
    )
