"""Postings: post many calls of one function, or a sweep of one extension; follow, control and read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from math import prod
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Path, Query, Request, status

from workroom.actions.extensions import resolve
from workroom.actions.jobs import checked_requests, post
from workroom.actions.jobs.options import JobOptions
from workroom.actions.postings import postings
from workroom.actions.quotas.admission import admit_calls
from workroom.domain import limits
from workroom.domain.errors import BadInput
from workroom.domain.jobs.states import FINAL
from workroom.domain.jobs.sweep import arguments_of_sweep
from workroom.domain.jobs.wait_reason import FOR_NOTHING, WaitReason
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Actor, Principal, Writer, authorize
from workroom.server.auth.admin_audit import audit_if_foreign
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.job_access import load_visible_posting
from workroom.server.auth.tokens import JobToken, Token, WorkerToken
from workroom.server.context import Context, ServerContext
from workroom.server.files.service import Files
from workroom.server.http.body_stream import iter_body
from workroom.server.http.ndjson_request import NdjsonSpool
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.paging import Limit
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.job_lists import Statuses, parse_states
from workroom.server.routes.jobs.posting_requests import parse_line, room_of_posting, to_stored_call
from workroom.server.serializers import postings as serializers
from workroom.store.queue_tables.postings import PostingRow
from workroom.wire.base import WITHOUT_NUL
from workroom.wire.postings import (
    Call,
    JobResults,
    NewPosting,
    PostedJobs,
    PostingActed,
    PostingDetail,
    PostingHeader,
    PostingInfo,
    PostingOptions,
    Postings,
    PostingStatus,
    Sweep,
)

router = make_router("/api", tag="postings")
PostingId = Annotated[UUID, Path(alias="id", description="The posting's id.")]
Position = Annotated[
    int, Query(ge=0, lt=2**32, description="The first position of the page: `next` of the previous page.")
]
Name = Annotated[str | None, Query(max_length=200, pattern=WITHOUT_NUL)]
_CREATED = status.HTTP_201_CREATED
_DEFAULT_TRIES = 3  # of a function that no worker has registered yet
_LINES = {
    "schema": {
        "type": "string",
        "description": "One JSON object a line: a PostingHeader first, then one Call for each job.",
    },
    "example": '{"function": "resize"}\n{"args": ["a.png", 100]}\n{"args": ["b.png", 200]}\n',
}


@router.get("/postings", summary="The postings visible to the caller, newest first", responses=error_responses())
async def find(
    context: Context,
    principal: Actor,
    token: Bearer,
    statuses: Annotated[list[PostingStatus] | None, Query(alias="status")] = None,
    function: Annotated[Name, Query(description="The name of the function or extension.")] = None,
    room: Name = None,
    mine: Annotated[bool, Query(description="Only the caller's own.")] = False,
    before: Annotated[
        UUID | None, Query(description="Only postings older than this one: `next` of the previous page.")
    ] = None,
    limit: Limit = 50,
) -> Postings:
    """The caller's own postings and those of visible rooms; all postings for admins.

    A job sees the postings of its room and those that it posted.
    """
    job = None
    if isinstance(token, JobToken):
        job = token.job_id, None if mine else token.room
        if token.room is not None:
            await authorize(context, token, token.room, Rights.READ)
    rows = await postings.postings_of(
        context.engine,
        statuses=statuses,
        name=function,
        room=room,
        submitter=principal.account_id if mine else None,
        visible_to=None if principal.is_admin or job is not None else principal.account_id,
        job=job,
        before=before,
        limit=limit,
    )
    reasons = await _wait_reasons(context, rows)
    return Postings(
        items=[serializers.posting(row, context.posting_rates, _reason(reasons, row)) for row in rows],
        next=rows[-1].id if len(rows) == limit else None,
    )


@router.post(
    "/postings", status_code=_CREATED, summary="Post calls of a function", responses=error_responses(403, 404, 413)
)
async def create(context: Context, principal: Actor, token: Bearer, body: NewPosting) -> PostingInfo:
    """Writes all calls, or none. They run on any pool or remote worker that registers the function."""
    calls = [to_stored_call(body, call, position) for position, call in enumerate(body.jobs)]
    return await _post(context, principal, token, body, calls, len(calls))


@router.post(
    "/postings/stream",
    status_code=_CREATED,
    summary="Post any number of calls of a function",
    responses=error_responses(403, 404, 413),
    openapi_extra={"requestBody": {"required": True, "content": {"text/plain": _LINES}}},
)
async def create_from_stream(
    context: Context, files: Files, principal: Actor, token: Bearer, request: Request
) -> PostingInfo:
    """One JSON object a line: first the body of `POST /api/postings` without `jobs`, then one call for each job.

    Writes all calls, or none.
    """
    headers: list[PostingHeader] = []

    def take(value: Any, line: int) -> Any:
        if line == 0:
            headers.append(parse_line(PostingHeader, value, line))
            return None
        return to_stored_call(headers[0], parse_line(Call, value, line), line - 1)

    with NdjsonSpool(take, limits.POSTING_BYTES) as calls:
        async with aclosing(files.budget.counted(principal.account_id, iter_body(request))) as chunks:
            await calls.fill(chunks)
        if not headers:
            raise BadInput('The first line is the posting: {"function": "…"}. Each further line is a call.')
        return await _post(context, principal, token, headers[0], calls, calls.lines - 1)


@router.post(
    "/rooms/{room}/extensions/{category}/{name}/sweep",
    status_code=_CREATED,
    summary="Run an extension with many sets of arguments",
    responses=error_responses(403, 404, 413),
)
async def sweep(context: Context, access: Writer, category: str, name: str, body: Sweep) -> PostingInfo:
    """Submits one posting whose jobs are jobs of the extension in this room. Writes all jobs, or none."""
    context.submission_limit.hit(str(access.principal.account_id))
    if body.jobs is not None and (body.data or body.over):
        raise BadInput("Give either `jobs`, or `data` and `over`, not both.")
    arguments = arguments_of_sweep(body.data, body.over) if body.jobs is None else body.jobs
    count = prod(map(len, body.over.values())) if body.jobs is None else len(body.jobs)
    await admit_calls(context.engine, access.principal.account_id, access.room, count)
    extension = await resolve.find_extension(context.engine, access.room, category, name, body.scope)
    options = await _job_options(context, access.principal.account_id, access.room, body)
    posted = await checked_requests.sweep(context.engine, extension, arguments, options, label=body.label)
    return await to_response(context, posted)


@router.get("/postings/{id}", summary="One posting and its progress", responses=error_responses(404))
async def get(context: Context, token: Bearer, principal: Actor, id: PostingId) -> PostingDetail:
    posting = await load_visible_posting(context, token, principal, id)
    active = await postings.at_workers(context.engine, posting)
    reasons = await postings.wait_reasons(context.engine, [posting], {posting.id: active})
    return serializers.detail(posting, context.posting_rates, active, _reason(reasons, posting))


@router.get("/postings/{id}/jobs", summary="The jobs of a posting, in order", responses=error_responses(404))
async def jobs(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    statuses: Statuses = None,
    position: Position = 0,
    limit: Limit = 100,
) -> PostedJobs:
    posting = await load_visible_posting(context, token, principal, id)
    states = parse_states(statuses)
    rows = await postings.jobs_of_posting(context.engine, id, position=position, states=states, limit=limit)
    items = [serializers.job(row) for row in rows]
    return PostedJobs(items=items, next=next_position(posting, items[-1].position if items else None))


@router.get("/postings/{id}/results", summary="The results of its jobs, in order", responses=error_responses(404))
async def results(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    position: Position = 0,
    limit: Annotated[int, Query(ge=1, le=2_000)] = 500,
) -> JobResults:
    """A page of large results is shorter than `limit`: continue at `next`. An unfinished job has no result."""
    posting = await load_visible_posting(context, token, principal, id)
    rows = await postings.outcomes(context.engine, id, position=position, limit=limit)
    items = [serializers.result(row) for row in rows]
    return JobResults(items=items, next=next_position(posting, items[-1].position if items else None))


@router.post(
    "/postings/{id}/{act}", summary="Pause, resume or cancel a posting", responses=error_responses(403, 404, 409)
)
async def act(
    context: Context, token: Bearer, principal: Actor, id: PostingId, act: Literal["pause", "resume", "cancel"]
) -> PostingActed:
    """No further job of a paused posting is assigned; running jobs continue. `cancel` cancels all unfinished jobs."""
    own = Rights.WRITE if act == "resume" else Rights.READ  # submitters without write access may still pause and cancel
    posting = await load_visible_posting(context, token, principal, id, Rights.WRITE, own=own)
    actions = {"pause": postings.pause_posting, "resume": postings.resume_posting, "cancel": postings.cancel_posting}
    affected = await actions[act](context.engine, id)
    await audit_if_foreign(context, token, f"posting.{act}", str(id), owner=posting.submitter, room=posting.room)
    row = await postings.look_up_posting(context.engine, id)
    return PostingActed.model_validate({"posting_id": id, "status": row.status, "jobs": affected})


async def _post(
    context: ServerContext, principal: Principal, token: Token, header: PostingHeader, calls: Any, count: int
) -> PostingInfo:
    context.submission_limit.hit(str(principal.account_id))
    room = room_of_posting(token, header)
    if room is not None and not isinstance(token, WorkerToken):
        await authorize(context, token, room, Rights.WRITE)
    await admit_calls(context.engine, principal.account_id, room, count)
    function = await resolve.function_named(
        context.engine,
        header.function,
        tries=header.tries or _DEFAULT_TRIES,
        timeout_seconds=header.timeout_seconds,
        resources=header.resources,
    )
    options = await _job_options(context, principal.account_id, room, header)
    posted = await post.post(
        context.engine,
        function,
        calls,
        options,
        label=header.label,
        by_job=job_id(token),
        worker_owner=principal.worker_owner,
        keyed=header.keyed,
    )
    return await to_response(context, posted)


async def _job_options(
    context: ServerContext, account_id: UUID, room: str | None, options: PostingOptions
) -> JobOptions:
    return JobOptions(
        submitter=account_id,
        room=room,
        priority=options.priority,
        tries=options.tries,
        run_at=options.run_at,
        dependencies=await checked_requests.resolve_dependencies(context.engine, options.depends_on),
        idempotency_key=options.unique,
    )


async def to_response(context: ServerContext, posting_id: UUID) -> PostingInfo:
    posting = await postings.look_up_posting(context.engine, posting_id)
    reasons = await _wait_reasons(context, [posting])
    return serializers.posting(posting, context.posting_rates, _reason(reasons, posting))


async def _wait_reasons(context: ServerContext, rows: Sequence[PostingRow]) -> dict[UUID, WaitReason]:
    unfinished = [row for row in rows if row.status not in FINAL]
    if not unfinished:
        return {}
    active = await postings.all_at_workers(context.engine, [row.id for row in unfinished])
    return await postings.wait_reasons(context.engine, unfinished, active)


def _reason(reasons: Mapping[UUID, WaitReason], row: PostingRow) -> WaitReason:
    return reasons.get(row.id, FOR_NOTHING)


def job_id(token: Token) -> UUID | None:
    return token.job_id if isinstance(token, JobToken) else None


def next_position(row: PostingRow, last: int | None) -> int | None:
    """The position after the last one of a page. Skipped duplicates leave gaps in the positions."""
    return None if last is None or last + 1 >= row.total + row.duplicates else last + 1
