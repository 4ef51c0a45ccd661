"""Jobs: how they stand, what workers say of them, calling them off."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Query, status

from workroom.actions.jobs import cancel, logs
from workroom.actions.jobs.retry import retry_job
from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import AdminNeeded, BadInput, Forbidden, NotFound
from workroom.domain.jobs.states import State, state_named
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Person, Reader, authorize, load_principal
from workroom.server.auth.bearer import Bearer, WorkerAuth
from workroom.server.auth.tokens import JobToken, PersonToken, Token, WorkerToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.extensions import accepted
from workroom.server.serializers import jobs as job_serializers
from workroom.server.serializers.status_updates import to_report
from workroom.store.queue_tables.job_rows import JobRow
from workroom.wire.jobs import (
    Accepted,
    JobBrief,
    JobCancelled,
    JobDetail,
    Jobs,
    LogLine,
    LogLines,
    LogUpdate,
    ProgressUpdate,
    ReportAccepted,
    StatusAccepted,
    StatusUpdate,
)

router = make_router("/api", tag="jobs")
JobId = Annotated[UUID, Path(alias="id")]
Statuses = Annotated[list[str] | None, Query(alias="status", description="One or more states.")]
Before = Annotated[UUID | None, Query(description="Jobs older than this one: the last page's `next`.")]
Limit = Annotated[int, Query(ge=1, le=500)]


@router.get("/rooms/{room}/jobs", summary="The jobs of a room, newest first")
async def jobs_of_room(
    context: Context,
    access: Reader,
    statuses: Statuses = None,
    category: str | None = None,
    name: str | None = None,
    before: Before = None,
    limit: Limit = 50,
) -> Jobs:
    rows = await job_queries.jobs_of(
        context.engine,
        room=access.room,
        states=states_named(statuses),
        category=category,
        name=name,
        before=before,
        limit=limit,
    )
    return _page([job_serializers.job_brief(row) for row in rows], limit)


@router.get("/jobs", summary="The jobs of all rooms (admins)")
async def all_jobs(
    context: Context,
    principal: Person,
    statuses: Statuses = None,
    room: Annotated[str | None, Query(alias="roomId")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Jobs:
    if not principal.is_admin:
        raise AdminNeeded("Only an admin sees the jobs of all rooms; those of one room are at /api/rooms/{room}/jobs.")
    rows = await job_queries.jobs_of(
        context.engine, room=room, states=states_named(statuses), before=before, limit=limit
    )
    return _page([job_serializers.job_brief(row) for row in rows], limit)


@router.get("/users/{id}/jobs", summary="The jobs a person has submitted")
async def jobs_of_user(
    context: Context, principal: Person, id: JobId, statuses: Statuses = None, before: Before = None, limit: Limit = 50
) -> Jobs:
    if id != principal.account_id and not principal.is_admin:
        raise AdminNeeded("Only an admin sees other people's jobs.")
    rows = await job_queries.jobs_of(
        context.engine, submitter=id, states=states_named(statuses), before=before, limit=limit
    )
    return _page([job_serializers.job_brief(row) for row in rows], limit)


@router.get("/jobs/{id}", summary="Everything recorded about a job")
async def get_job(context: Context, token: Bearer, id: JobId) -> JobDetail:
    row = await _seen(context, token, id, Rights.READ)
    attempts = await job_queries.attempts(context.engine, id) if row.attempt else []
    return job_serializers.detail(row, attempts, await job_queries.queue_outlook(context.engine, id))


@router.put("/jobs/{id}/status", summary="A worker's word on a job")
async def put_status(context: Context, caller: WorkerAuth, id: JobId, body: StatusUpdate) -> StatusAccepted:
    """The identical word said twice is fine; one that comes too late is refused with 409 `attempt_lost`."""
    _itself(caller, body.worker_id)
    refusal = await context.report_batcher.put(caller.worker_id, caller.incarnation, to_report(id, body), urgent=True)
    if refusal is not None:
        raise refusal
    return StatusAccepted(job_id=id, attempt=body.attempt, status=State(state_named(body.status)))


@router.put("/jobs/{id}/progress", summary="How far a job is")
async def put_progress(context: Context, caller: WorkerAuth, id: JobId, body: ProgressUpdate) -> ReportAccepted:
    _itself(caller, body.worker_id)
    await logs.report_progress(
        context.engine, caller.worker_id, id, body.attempt, fraction=body.fraction, message=body.message
    )
    return ReportAccepted(job_id=id, attempt=body.attempt)


@router.post("/jobs/{id}/logs", summary="Lines a job has printed")
async def post_logs(context: Context, caller: WorkerAuth, id: JobId, body: LogUpdate) -> ReportAccepted:
    _itself(caller, body.worker_id)
    await logs.append_log(context.engine, caller.worker_id, id, body.attempt, body.lines)
    return ReportAccepted(job_id=id, attempt=body.attempt)


@router.get("/jobs/{id}/logs", summary="The last lines of a job")
async def get_logs(
    context: Context, token: Bearer, id: JobId, after: Annotated[int, Query(ge=0, le=2**62)] = 0
) -> LogLines:
    await _seen(context, token, id, Rights.READ)
    return LogLines(
        items=[LogLine.model_validate(line) for line in await logs.read_log(context.engine, id, after=after)]
    )


@router.delete("/jobs/{id}", summary="Cancel a job")
async def cancel_job(context: Context, token: Bearer, id: JobId) -> JobCancelled:
    """At once while it waits. At a worker it is marked, the worker is told, and it ends when the worker confirms."""
    await _seen(context, token, id, Rights.WRITE)
    state = await cancel.cancel(context.engine, id)
    return JobCancelled(job_id=id, status=State(state), cancelling=state != State.CANCELLED)


@router.post("/jobs/{id}/retry", status_code=status.HTTP_202_ACCEPTED, summary="Run an ended job once more")
async def retry(context: Context, token: Bearer, id: JobId) -> Accepted:
    """A new job with the same arguments; the old one stays as it is."""
    if not isinstance(token, PersonToken):
        raise Forbidden("Only people retry jobs by hand.")
    principal = await load_principal(context, token)
    await _seen(context, token, id, Rights.WRITE)
    submitted = await retry_job(context.engine, id, principal.account_id)
    return await accepted(context, submitted)


async def _seen(context: ServerContext, token: Token, job_id: UUID, rights: Rights) -> JobRow:
    """The job, if the caller may see it; for a stranger there is none."""
    row = await job_queries.job(context.engine, job_id)
    match token:
        case WorkerToken(worker_id=worker_id) if row.worker_id == worker_id and rights is Rights.READ:
            return row
        case JobToken(job_id=own) if own == job_id and rights is Rights.READ:
            return row
        case JobToken(job_id=own) if own != job_id and row.room is not None:
            # A job may follow, and call off, the jobs it has started in its room; not itself.
            await _enter_or_404(context, token, row, rights)
            return row
        case PersonToken():
            principal = await load_principal(context, token)
            if principal.is_admin or row.submitter == principal.account_id:
                return row
            if row.room is not None:
                await _enter_or_404(context, token, row, rights)
                return row
        case _:
            pass
    raise NotFound(f"There is no job {job_id}.")


async def _enter_or_404(context: ServerContext, token: PersonToken | JobToken, row: JobRow, rights: Rights) -> None:
    try:
        await authorize(context, token, row.room or "", rights)
    except NotFound:
        raise NotFound(f"There is no job {row.id}.") from None


def _itself(caller: WorkerToken, worker_id: UUID) -> None:
    if caller.worker_id != worker_id:
        raise Forbidden("This token is another worker's.")


def states_named(words: list[str] | None) -> list[str] | None:
    """States, as people write them; none when none are named."""
    if not words:
        return None
    try:
        return [state_named(part) for word in words for part in word.split(",")]
    except ValueError:
        known = ", ".join(State)
        raise BadInput(f"{','.join(words)[:100]!r} is no status: use one of {known}.") from None


def _page(items: list[JobBrief], limit: int) -> Jobs:
    return Jobs(items=items, next=items[-1].job_id if len(items) == limit else None)
