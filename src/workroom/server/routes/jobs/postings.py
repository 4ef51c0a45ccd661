"""Postings: many calls of one function, or a sweep of one extension, and what becomes of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Path, Query, Request, status
from pydantic import ValidationError

from workroom.actions.jobs import post, requests
from workroom.actions.jobs.options import Wish
from workroom.actions.postings import postings
from workroom.domain import limits
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.jobs.sweep import arguments_of_sweep
from workroom.domain.rooms.rights import Rights
from workroom.domain.value_codec import checked_call
from workroom.server.auth.access import Actor, Writer, enter
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.tokens import JobToken, PersonToken
from workroom.server.context import AtHome, House
from workroom.server.http.error_responses import documented
from workroom.server.http.ndjson_spool import Spool
from workroom.server.http.paging import Limit
from workroom.server.http.strict_json import routes
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
    PostingHead,
    PostingInfo,
    Postings,
    PostingStatus,
    PostingWishes,
    RetryPosted,
    Sweep,
)

router = routes("/api", tag="postings")
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


@router.get("/postings", summary="Postings you may see, newest first", responses=documented())
async def find(
    house: AtHome,
    visitor: Actor,
    statuses: Annotated[list[PostingStatus] | None, Query(alias="status")] = None,
    function: Annotated[Name, Query(description="The name of the function or extension.")] = None,
    room: Name = None,
    mine: Annotated[bool, Query(description="Only your own.")] = False,
    before: Annotated[UUID | None, Query(description="Older than this one: the last page's `next`.")] = None,
    limit: Limit = 50,
) -> Postings:
    """Your own and those of rooms you may see; all of them for admins."""
    rows = await postings.postings_of(
        house.engine,
        statuses=statuses,
        name=function,
        room=room,
        submitter=visitor.account_id if mine else None,
        visible_to=None if visitor.is_admin else visitor.account_id,
        before=before,
        limit=limit,
    )
    return Postings(
        items=[shapes.posting(row, house.paces) for row in rows], next=rows[-1].id if len(rows) == limit else None
    )


@router.post("/postings", status_code=_MADE, summary="Post calls of a function", responses=documented(403, 404, 413))
async def create(house: AtHome, visitor: Actor, token: Bearer, body: NewPosting) -> PostingInfo:
    """All calls are written, or none. They wait for whoever offers the function: a pool, or a remote worker."""
    calls = [_checked(body, call, position) for position, call in enumerate(body.jobs)]
    return await _post(house, visitor.account_id, token, body, calls)


@router.post(
    "/postings/stream",
    status_code=_MADE,
    summary="Post any number of calls of a function",
    responses=documented(403, 404, 413),
    openapi_extra={"requestBody": {"required": True, "content": {"text/plain": _LINES}}},
)
async def create_from_stream(house: AtHome, visitor: Actor, token: Bearer, request: Request) -> PostingInfo:
    """One JSON object a line: first what `POST /api/postings` takes, without `jobs`; then one call for each job.

    All calls are written, or none.
    """
    heads: list[PostingHead] = []

    def take(value: Any, line: int) -> Any:
        if line == 0:
            heads.append(_parsed(PostingHead, value, line))
            return None
        return _checked(heads[0], _parsed(Call, value, line), line - 1)

    with Spool(take, limits.POSTING_BYTES) as calls:
        await calls.fill(request.stream())
        if not heads:
            raise BadInput('The first line says what to post: {"function": "…"}; each further one is a call.')
        return await _post(house, visitor.account_id, token, heads[0], calls)


@router.post(
    "/rooms/{room}/extensions/{category}/{name}/sweep",
    status_code=_MADE,
    summary="Run an extension with many sets of arguments",
    responses=documented(403, 404, 413),
)
async def sweep(house: AtHome, visit: Writer, category: str, name: str, body: Sweep) -> PostingInfo:
    """One posting whose jobs are jobs of the extension in this room; all of them are written, or none."""
    house.submissions.admit(str(visit.visitor.account_id))
    if body.jobs is not None and (body.data or body.over):
        raise BadInput("Give either `jobs`, or `data` and what it is swept `over`: not both.")
    arguments = arguments_of_sweep(body.data, body.over) if body.jobs is None else iter(body.jobs)
    extension = await requests.find_extension(house.engine, visit.room, category, name, body.scope)
    wish = await _wish(house, visit.visitor.account_id, visit.room, body)
    posted = await requests.sweep(house.engine, extension, arguments, wish, label=body.label)
    return await _shown(house, posted)


@router.get("/postings/{id}", summary="One posting, and how far it is", responses=documented(404))
async def get(house: AtHome, token: Bearer, visitor: Actor, id: PostingId) -> PostingDetail:
    row = await _seen(house, token, visitor, id)
    return shapes.detail(row, house.paces, await postings.at_workers(house.engine, row))


@router.get("/postings/{id}/jobs", summary="A posting's jobs, in their order", responses=documented(404))
async def jobs(
    house: AtHome,
    token: Bearer,
    visitor: Actor,
    id: PostingId,
    statuses: Statuses = None,
    position: Position = 0,
    limit: Limit = 100,
) -> PostedJobs:
    row = await _seen(house, token, visitor, id)
    states = states_named(statuses)
    found = await postings.jobs_of_posting(house.engine, id, position=position, states=states, limit=limit)
    items = [shapes.job(one) for one in found]
    return PostedJobs(items=items, next=_next(row, items[-1].position if items else None))


@router.get("/postings/{id}/results", summary="What became of its jobs, in their order", responses=documented(404))
async def results(
    house: AtHome,
    token: Bearer,
    visitor: Actor,
    id: PostingId,
    position: Position = 0,
    limit: Annotated[int, Query(ge=1, le=2_000)] = 500,
) -> JobResults:
    """A page ends early when it has become large; `next` says where to go on. A job that goes on has no result."""
    row = await _seen(house, token, visitor, id)
    found = await postings.outcomes(house.engine, id, position=position, limit=limit)
    items = [shapes.result(one) for one in found]
    return JobResults(items=items, next=_next(row, items[-1].position if items else None))


@router.get("/postings/{id}/failures", summary="Its jobs that failed for good", responses=documented(404))
async def failures(
    house: AtHome,
    token: Bearer,
    visitor: Actor,
    id: PostingId,
    position: Position = 0,
    limit: Annotated[int, Query(ge=1, le=2_000)] = 100,
) -> JobFailures:
    row = await _seen(house, token, visitor, id)
    found = await postings.failures(house.engine, id, position=position, limit=limit)
    items = [shapes.failure(one) for one in found]
    return JobFailures(items=items, next=_next(row, items[-1].position if items else None))


@router.post("/postings/{id}/{act}", summary="Pause, resume or cancel a posting", responses=documented(403, 404, 409))
async def act(
    house: AtHome, token: Bearer, visitor: Actor, id: PostingId, act: Literal["pause", "resume", "cancel"]
) -> PostingActed:
    """A paused posting hands out no further job; jobs that run go on. Cancelling calls off what has not ended."""
    await _seen(house, token, visitor, id, Rights.WRITE)
    deeds = {"pause": postings.pause_posting, "resume": postings.resume_posting, "cancel": postings.cancel_posting}
    concerned = await deeds[act](house.engine, id)
    row = await postings.look_up_posting(house.engine, id)
    return PostingActed.model_validate({"posting_id": id, "status": row.status, "jobs": concerned})


@router.post(
    "/postings/{id}/failures/retry",
    status_code=_MADE,
    summary="Post the failed jobs once more",
    responses=documented(403, 404, 409),
)
async def retry_failed(house: AtHome, token: Bearer, visitor: Actor, id: PostingId) -> RetryPosted:
    """A new posting of the jobs that have failed so far; the old one stays as it is."""
    await _seen(house, token, visitor, id, Rights.WRITE)
    posted = await postings.retry_failed(house.engine, id, visitor.account_id, by_job=_job(token))
    return RetryPosted(posting=None if posted is None else await _shown(house, posted))


async def _post(house: House, account_id: UUID, token: object, head: PostingHead, calls: Any) -> PostingInfo:
    house.submissions.admit(str(account_id))
    if head.room is not None and isinstance(token, PersonToken | JobToken):
        await enter(house, token, head.room, Rights.WRITE)
    function = await requests.function_named(
        house.engine, head.function, tries=head.tries or _TRIES, timeout_seconds=head.timeout_seconds
    )
    wish = await _wish(house, account_id, head.room, head)
    posted = await post.post(
        house.engine, function, calls, wish, label=head.label, by_job=_job(token), keyed=head.keyed
    )
    return await _shown(house, posted)


def _checked(head: PostingHead, call: Call, position: int) -> Any:
    """The call as it is kept; in a keyed posting with its key."""
    packed = checked_call({"args": call.args, "kwargs": call.kwargs}, position)
    if call.key is not None and not head.keyed:
        raise BadInput(f"Call {position} has a key, and the posting is not `keyed`.")
    return [packed, call.key] if head.keyed else packed


async def _wish(house: House, account_id: UUID, room: str | None, wishes: PostingWishes) -> Wish:
    return Wish(
        submitter=account_id,
        room=room,
        priority=wishes.priority,
        tries=wishes.tries,
        run_at=wishes.run_at,
        needs=await requests.needs_named(house.engine, wishes.depends_on),
        idempotency_key=wishes.unique,
    )


async def _shown(house: House, posting_id: UUID) -> PostingInfo:
    return shapes.posting(await postings.look_up_posting(house.engine, posting_id), house.paces)


async def _seen(
    house: House, token: object, visitor: Actor, posting_id: UUID, rights: Rights = Rights.READ
) -> PostingRow:
    """The posting, if the caller may see it; for a stranger there is none. A job sees what it has posted."""
    row = await postings.look_up_posting(house.engine, posting_id)
    if visitor.is_admin or (isinstance(token, PersonToken) and row.submitter == visitor.account_id):
        return row
    if isinstance(token, JobToken) and row.by_job == token.job_id:
        return row
    if row.room is not None and isinstance(token, PersonToken | JobToken):
        try:
            await enter(house, token, row.room, rights)
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
