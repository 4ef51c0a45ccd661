"""Postings: many calls of one function, or a sweep of one extension, and what becomes of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Path, Query, Request, status
from pydantic import ValidationError

from workroom.actions.extensions import resolve
from workroom.actions.jobs import post, requests
from workroom.actions.jobs.options import JobOptions
from workroom.actions.postings import postings
from workroom.domain import limits
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.jobs.sweep import arguments_of_sweep
from workroom.domain.rooms.rights import Rights
from workroom.domain.value_codec import checked_call
from workroom.server.auth.access import Actor, Writer, authorize
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.tokens import JobToken, PersonToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.error_responses import error_responses
from workroom.server.http.ndjson_spool import NdjsonSpool
from workroom.server.http.paging import Limit
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.jobs import Statuses, states_named
from workroom.server.serializers import postings as shapes
from workroom.store.queue_tables.postings import PostingRow
from workroom.wire.base import WITHOUT_NUL
from workroom.wire.postings import (
    Call,
    JobFailures,
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
    RetryPosted,
    Sweep,
)

router = make_router("/api", tag="postings")
PostingId = Annotated[UUID, Path(alias="id", description="The posting's id.")]
Position = Annotated[
    int, Query(ge=0, lt=2**32, description="Begin with the job at this place; the last page's `next`.")
]
Name = Annotated[str | None, Query(max_length=200, pattern=WITHOUT_NUL)]
_MADE = status.HTTP_201_CREATED
_TRIES = 3  # of a function that nobody has offered yet
_LINES = {
    "schema": {
        "type": "string",
        "description": "One JSON object a line: a PostingHead first, then one Call for each job.",
    },
    "example": '{"function": "resize"}\n{"args": ["a.png", 100]}\n{"args": ["b.png", 200]}\n',
}


@router.get("/postings", summary="Postings you may see, newest first", responses=error_responses())
async def find(
    context: Context,
    principal: Actor,
    statuses: Annotated[list[PostingStatus] | None, Query(alias="status")] = None,
    function: Annotated[Name, Query(description="The name of the function or extension.")] = None,
    room: Name = None,
    mine: Annotated[bool, Query(description="Only your own.")] = False,
    before: Annotated[UUID | None, Query(description="Older than this one: the last page's `next`.")] = None,
    limit: Limit = 50,
) -> Postings:
    """Your own and those of rooms you may see; all of them for admins."""
    rows = await postings.postings_of(
        context.engine,
        statuses=statuses,
        name=function,
        room=room,
        submitter=principal.account_id if mine else None,
        visible_to=None if principal.is_admin else principal.account_id,
        before=before,
        limit=limit,
    )
    return Postings(
        items=[shapes.posting(row, context.posting_rates) for row in rows],
        next=rows[-1].id if len(rows) == limit else None,
    )


@router.post(
    "/postings", status_code=_MADE, summary="Post calls of a function", responses=error_responses(403, 404, 413)
)
async def create(context: Context, principal: Actor, token: Bearer, body: NewPosting) -> PostingInfo:
    """All calls are written, or none. They wait for whoever offers the function: a pool, or a remote worker."""
    calls = [_checked(body, call, position) for position, call in enumerate(body.jobs)]
    return await _post(context, principal.account_id, token, body, calls)


@router.post(
    "/postings/stream",
    status_code=_MADE,
    summary="Post any number of calls of a function",
    responses=error_responses(403, 404, 413),
    openapi_extra={"requestBody": {"required": True, "content": {"text/plain": _LINES}}},
)
async def create_from_stream(context: Context, principal: Actor, token: Bearer, request: Request) -> PostingInfo:
    """One JSON object a line: first what `POST /api/postings` takes, without `jobs`; then one call for each job.

    All calls are written, or none.
    """
    heads: list[PostingHeader] = []

    def take(value: Any, line: int) -> Any:
        if line == 0:
            heads.append(_parsed(PostingHeader, value, line))
            return None
        return _checked(heads[0], _parsed(Call, value, line), line - 1)

    with NdjsonSpool(take, limits.POSTING_BYTES) as calls:
        await calls.fill(request.stream())
        if not heads:
            raise BadInput('The first line says what to post: {"function": "…"}; each further one is a call.')
        return await _post(context, principal.account_id, token, heads[0], calls)


@router.post(
    "/rooms/{room}/extensions/{category}/{name}/sweep",
    status_code=_MADE,
    summary="Run an extension with many sets of arguments",
    responses=error_responses(403, 404, 413),
)
async def sweep(context: Context, access: Writer, category: str, name: str, body: Sweep) -> PostingInfo:
    """One posting whose jobs are jobs of the extension in this room; all of them are written, or none."""
    context.submission_limit.hit(str(access.principal.account_id))
    if body.jobs is not None and (body.data or body.over):
        raise BadInput("Give either `jobs`, or `data` and what it is swept `over`: not both.")
    arguments = arguments_of_sweep(body.data, body.over) if body.jobs is None else iter(body.jobs)
    extension = await resolve.find_extension(context.engine, access.room, category, name, body.scope)
    options = await _wish(context, access.principal.account_id, access.room, body)
    posted = await requests.sweep(context.engine, extension, arguments, options, label=body.label)
    return await _shown(context, posted)


@router.get("/postings/{id}", summary="One posting, and how far it is", responses=error_responses(404))
async def get(context: Context, token: Bearer, principal: Actor, id: PostingId) -> PostingDetail:
    row = await _seen(context, token, principal, id)
    return shapes.detail(row, context.posting_rates, await postings.at_workers(context.engine, row))


@router.get("/postings/{id}/jobs", summary="A posting's jobs, in their order", responses=error_responses(404))
async def jobs(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    statuses: Statuses = None,
    position: Position = 0,
    limit: Limit = 100,
) -> PostedJobs:
    row = await _seen(context, token, principal, id)
    states = states_named(statuses)
    found = await postings.jobs_of_posting(context.engine, id, position=position, states=states, limit=limit)
    items = [shapes.job(one) for one in found]
    return PostedJobs(items=items, next=_next(row, items[-1].position if items else None))


@router.get("/postings/{id}/results", summary="What became of its jobs, in their order", responses=error_responses(404))
async def results(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    position: Position = 0,
    limit: Annotated[int, Query(ge=1, le=2_000)] = 500,
) -> JobResults:
    """A page ends early when it has become large; `next` says where to go on. A job that goes on has no result."""
    row = await _seen(context, token, principal, id)
    found = await postings.outcomes(context.engine, id, position=position, limit=limit)
    items = [shapes.result(one) for one in found]
    return JobResults(items=items, next=_next(row, items[-1].position if items else None))


@router.get("/postings/{id}/failures", summary="Its jobs that failed for good", responses=error_responses(404))
async def failures(
    context: Context,
    token: Bearer,
    principal: Actor,
    id: PostingId,
    position: Position = 0,
    limit: Annotated[int, Query(ge=1, le=2_000)] = 100,
) -> JobFailures:
    row = await _seen(context, token, principal, id)
    found = await postings.failures(context.engine, id, position=position, limit=limit)
    items = [shapes.failure(one) for one in found]
    return JobFailures(items=items, next=_next(row, items[-1].position if items else None))


@router.post(
    "/postings/{id}/{act}", summary="Pause, resume or cancel a posting", responses=error_responses(403, 404, 409)
)
async def act(
    context: Context, token: Bearer, principal: Actor, id: PostingId, act: Literal["pause", "resume", "cancel"]
) -> PostingActed:
    """A paused posting hands out no further job; jobs that run go on. Cancelling calls off what has not ended."""
    await _seen(context, token, principal, id, Rights.WRITE)
    deeds = {"pause": postings.pause_posting, "resume": postings.resume_posting, "cancel": postings.cancel_posting}
    concerned = await deeds[act](context.engine, id)
    row = await postings.look_up_posting(context.engine, id)
    return PostingActed.model_validate({"posting_id": id, "status": row.status, "jobs": concerned})


@router.post(
    "/postings/{id}/failures/retry",
    status_code=_MADE,
    summary="Post the failed jobs once more",
    responses=error_responses(403, 404, 409),
)
async def retry_failed(context: Context, token: Bearer, principal: Actor, id: PostingId) -> RetryPosted:
    """A new posting of the jobs that have failed so far; the old one stays as it is."""
    await _seen(context, token, principal, id, Rights.WRITE)
    posted = await postings.retry_failed(context.engine, id, principal.account_id, by_job=_job(token))
    return RetryPosted(posting=None if posted is None else await _shown(context, posted))


async def _post(
    context: ServerContext, account_id: UUID, token: object, head: PostingHeader, calls: Any
) -> PostingInfo:
    context.submission_limit.hit(str(account_id))
    if head.room is not None and isinstance(token, PersonToken | JobToken):
        await authorize(context, token, head.room, Rights.WRITE)
    function = await resolve.function_named(
        context.engine, head.function, tries=head.tries or _TRIES, timeout_seconds=head.timeout_seconds
    )
    options = await _wish(context, account_id, head.room, head)
    posted = await post.post(
        context.engine, function, calls, options, label=head.label, by_job=_job(token), keyed=head.keyed
    )
    return await _shown(context, posted)


def _checked(head: PostingHeader, call: Call, position: int) -> Any:
    """The call as it is kept; in a keyed posting with its key."""
    packed = checked_call({"args": call.args, "kwargs": call.kwargs}, position)
    if call.key is not None and not head.keyed:
        raise BadInput(f"Call {position} has a key, and the posting is not `keyed`.")
    return [packed, call.key] if head.keyed else packed


async def _wish(context: ServerContext, account_id: UUID, room: str | None, wishes: PostingOptions) -> JobOptions:
    return JobOptions(
        submitter=account_id,
        room=room,
        priority=wishes.priority,
        tries=wishes.tries,
        run_at=wishes.run_at,
        dependencies=await requests.resolve_dependencies(context.engine, wishes.depends_on),
        idempotency_key=wishes.unique,
    )


async def _shown(context: ServerContext, posting_id: UUID) -> PostingInfo:
    return shapes.posting(await postings.look_up_posting(context.engine, posting_id), context.posting_rates)


async def _seen(
    context: ServerContext, token: object, principal: Actor, posting_id: UUID, rights: Rights = Rights.READ
) -> PostingRow:
    """The posting, if the caller may see it; for a stranger there is none. A job sees what it has posted."""
    row = await postings.look_up_posting(context.engine, posting_id)
    if principal.is_admin or (isinstance(token, PersonToken) and row.submitter == principal.account_id):
        return row
    if isinstance(token, JobToken) and row.by_job == token.job_id:
        return row
    if row.room is not None and isinstance(token, PersonToken | JobToken):
        try:
            await authorize(context, token, row.room, rights)
        except NotFound:
            pass
        else:
            return row
    raise NotFound(f"There is no posting {posting_id}.")


def _job(token: object) -> UUID | None:
    return token.job_id if isinstance(token, JobToken) else None


def _next(row: PostingRow, last: int | None) -> int | None:
    """The place after the last one on a page. Calls that were left out leave gaps."""
    return None if last is None or last + 1 >= row.total + row.duplicates else last + 1


def _parsed(model: Any, value: Any, line: int) -> Any:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        fault = error.errors()[0]
        path = ".".join(str(part) for part in fault["loc"])
        raise BadInput(f"Line {line + 1}: {path + ': ' if path else ''}{fault['msg']}") from None
