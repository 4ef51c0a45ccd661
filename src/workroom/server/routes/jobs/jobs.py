"""Jobs: list, read, cancel and retry them; what workers report on them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Query, status

from workroom.actions.jobs import cancel, logs
from workroom.actions.jobs.retry import retry_job
from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import AdminNeeded, BadInput, Forbidden
from workroom.domain.jobs.states import State, state_named
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Person, Reader, load_principal
from workroom.server.auth.admin_audit import audit_if_foreign
from workroom.server.auth.bearer import Bearer, WorkerAuth
from workroom.server.auth.job_access import load_visible_job, require_same_worker
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import Context
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.extensions import accepted
from workroom.server.serializers import jobs as job_serializers
from workroom.server.serializers.report_parser import to_report
from workroom.wire.jobs import (
    Accepted,
    CancelAccepted,
    JobDetail,
    Jobs,
    ListedJob,
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
Statuses = Annotated[
    list[str] | None, Query(alias="status", description="Job states, repeated or separated by commas.")
]
Search = Annotated[str | None, Query(max_length=200, description="A part of `category/name`, in any case.")]
Before = Annotated[UUID | None, Query(description="Only jobs older than this one: `next` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=500)]


@router.get("/rooms/{room}/jobs", summary="The jobs of a room, newest first")
async def jobs_of_room(
    context: Context,
    access: Reader,
    statuses: Statuses = None,
    category: str | None = None,
    name: str | None = None,
    search: Search = None,
    ids: Annotated[list[UUID] | None, Query(alias="id", max_length=500, description="Only these jobs.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Jobs:
    rows = await job_queries.jobs_of(
        context.engine,
        room=access.room,
        ids=ids,
        states=parse_states(statuses),
        category=category,
        name=name,
        search=search,
        before=before,
        limit=limit,
    )
    return _page([job_serializers.listed_job(row) for row in rows], limit)


@router.get("/jobs", summary="The jobs of all rooms (admins)")
async def all_jobs(
    context: Context,
    principal: Person,
    statuses: Statuses = None,
    room: Annotated[str | None, Query(alias="roomId")] = None,
    category: str | None = None,
    name: str | None = None,
    search: Search = None,
    before: Before = None,
    limit: Limit = 50,
) -> Jobs:
    if not principal.is_admin:
        raise AdminNeeded(
            "Only admins may list the jobs of all rooms. The jobs of one room are at /api/rooms/{room}/jobs."
        )
    rows = await job_queries.jobs_of(
        context.engine,
        room=room,
        states=parse_states(statuses),
        category=category,
        name=name,
        search=search,
        before=before,
        limit=limit,
    )
    return _page([job_serializers.listed_job(row) for row in rows], limit)


@router.get("/users/{id}/jobs", summary="The jobs that a person submitted")
async def jobs_of_user(
    context: Context,
    principal: Person,
    id: JobId,
    statuses: Statuses = None,
    category: str | None = None,
    name: str | None = None,
    search: Search = None,
    before: Before = None,
    limit: Limit = 50,
) -> Jobs:
    if id != principal.account_id and not principal.is_admin:
        raise AdminNeeded("Only admins may list the jobs of other people.")
    rows = await job_queries.jobs_of(
        context.engine,
        submitter=id,
        visible_to=None if principal.is_admin else principal.account_id,
        states=parse_states(statuses),
        category=category,
        name=name,
        search=search,
        before=before,
        limit=limit,
    )
    return _page([job_serializers.listed_job(row) for row in rows], limit)


@router.get("/jobs/{id}", summary="Everything recorded about a job")
async def get_job(context: Context, token: Bearer, id: JobId) -> JobDetail:
    row = await load_visible_job(context, token, id, Rights.READ)
    attempts = await job_queries.attempts(context.engine, id) if row.attempt else []
    return job_serializers.detail(row, attempts, await job_queries.queue_outlook(context.engine, id))


@router.put("/jobs/{id}/status", summary="Report the status of a job (workers)")
async def put_status(context: Context, caller: WorkerAuth, id: JobId, body: StatusUpdate) -> StatusAccepted:
    """A repeated report is accepted. A report on an attempt that has ended is refused with 409 `attempt_lost`."""
    require_same_worker(caller, body.worker_id)
    refusal = await context.report_batcher.put(caller.worker_id, caller.incarnation, to_report(id, body), urgent=True)
    if refusal is not None:
        raise refusal
    return StatusAccepted(job_id=id, attempt=body.attempt, status=State(state_named(body.status)))


@router.put("/jobs/{id}/progress", summary="Report the progress of a job (workers)")
async def put_progress(context: Context, caller: WorkerAuth, id: JobId, body: ProgressUpdate) -> ReportAccepted:
    require_same_worker(caller, body.worker_id)
    await logs.report_progress(
        context.engine, caller.worker_id, id, body.attempt, fraction=body.fraction, message=body.message
    )
    return ReportAccepted(job_id=id, attempt=body.attempt)


@router.post("/jobs/{id}/logs", summary="Report log lines of a job (workers)")
async def post_logs(context: Context, caller: WorkerAuth, id: JobId, body: LogUpdate) -> ReportAccepted:
    require_same_worker(caller, body.worker_id)
    await logs.append_log(context.engine, caller.worker_id, id, body.attempt, body.lines)
    return ReportAccepted(job_id=id, attempt=body.attempt)


@router.get("/jobs/{id}/logs", summary="The last log lines of a job")
async def get_logs(
    context: Context, token: Bearer, id: JobId, after: Annotated[int, Query(ge=0, le=2**62)] = 0
) -> LogLines:
    await load_visible_job(context, token, id, Rights.READ)
    return LogLines(
        items=[LogLine.model_validate(line) for line in await logs.read_log(context.engine, id, after=after)]
    )


@router.delete("/jobs/{id}", summary="Cancel a job")
async def cancel_job(context: Context, token: Bearer, id: JobId) -> CancelAccepted:
    """A waiting job is cancelled at once. For a job at a worker the server asks the worker, and the job ends when the
    worker confirms.
    """
    job = await load_visible_job(context, token, id, Rights.WRITE, own=Rights.READ)
    state = await cancel.cancel(context.engine, id)
    await audit_if_foreign(context, token, "job.cancel", str(id), owner=job.submitter, room=job.room)
    return CancelAccepted(job_id=id, status=State(state), cancelling=state != State.CANCELLED)


@router.post("/jobs/{id}/retry", status_code=status.HTTP_202_ACCEPTED, summary="Run an ended job again")
async def retry(context: Context, token: Bearer, id: JobId) -> Accepted:
    """Submits a new job with the same arguments. The old job does not change."""
    if not isinstance(token, PersonToken):
        raise Forbidden("Only people may retry jobs.")
    principal = await load_principal(context, token)
    job = await load_visible_job(context, token, id, Rights.WRITE)
    submitted = await retry_job(context.engine, id, principal.account_id)
    await audit_if_foreign(context, token, "job.retry", str(id), owner=job.submitter, room=job.room)
    return await accepted(context, submitted)


def parse_states(names: list[str] | None) -> list[str] | None:
    """States, as people write them; none when none are named."""
    if not names:
        return None
    try:
        return [state_named(part) for name in names for part in name.split(",")]
    except ValueError:
        known = ", ".join(State)
        raise BadInput(f"{','.join(names)[:100]!r} is not a status. Use one of {known}.") from None


def _page(items: list[ListedJob], limit: int) -> Jobs:
    return Jobs(items=items, next=items[-1].job_id if len(items) == limit else None)
