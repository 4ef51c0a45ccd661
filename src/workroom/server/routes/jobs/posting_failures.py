"""The failed jobs of a posting: by error, one by one, and posted again."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, status

from workroom.actions.postings import postings
from workroom.domain.jobs.job_filter import JobFilter
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Actor
from workroom.server.auth.admin_audit import audit_if_foreign
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.job_access import load_visible_posting
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.job_lists import read_errors
from workroom.server.routes.jobs.postings import Position, PostingId, job_id, next_position, to_response
from workroom.server.serializers import postings as serializers
from workroom.wire.base import WITHOUT_NUL
from workroom.wire.job_lists import ErrorGroups
from workroom.wire.postings import JobFailures, RetryPosted

router = make_router("/api", tag="postings")
ErrorType = Annotated[
    str | None, Query(alias="errorType", max_length=1_000, pattern=WITHOUT_NUL, description="Only this type of error.")
]
ErrorPlace = Annotated[
    str | None,
    Query(
        alias="errorPlace",
        max_length=1_000,
        pattern=WITHOUT_NUL,
        description="Only errors that were raised there; empty: whose place is not known.",
    ),
]


@router.get("/postings/{id}/job-errors", summary="The errors of its failed jobs, by type and place")
async def errors(context: Context, token: Bearer, principal: Actor, id: PostingId) -> ErrorGroups:
    await load_visible_posting(context, token, principal, id)
    return await read_errors(context, JobFilter(posting_id=id))


@router.get("/postings/{id}/failures", summary="Its failed jobs", responses=error_responses(404))
async def failures(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    position: Position = 0,
    limit: Annotated[int, Query(ge=1, le=2_000)] = 100,
    error_type: ErrorType = None,
    error_place: ErrorPlace = None,
) -> JobFailures:
    posting = await load_visible_posting(context, token, principal, id)
    error = postings.PostingError(error_type, error_place)
    rows = await postings.failures(context.engine, id, position=position, limit=limit, error=error)
    items = [serializers.failure(row) for row in rows]
    return JobFailures(items=items, next=next_position(posting, items[-1].position if items else None))


@router.post(
    "/postings/{id}/failures/retry",
    status_code=status.HTTP_201_CREATED,
    summary="Post the failed jobs again",
    responses=error_responses(403, 404, 409),
)
async def retry_failed(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    error_type: ErrorType = None,
    error_place: ErrorPlace = None,
) -> RetryPosted:
    """Creates a new posting of the jobs that have failed so far, or of those with one error; the old one stays."""
    posting = await load_visible_posting(context, token, principal, id, Rights.WRITE)
    posted = await postings.retry_failed(
        context.engine,
        id,
        principal.account_id,
        error=postings.PostingError(error_type, error_place),
        by_job=job_id(token),
        worker_owner=principal.worker_owner,
    )
    await audit_if_foreign(context, token, "posting.retry", str(id), owner=posting.submitter, room=posting.room)
    return RetryPosted(posting=None if posted is None else await to_response(context, posted))
