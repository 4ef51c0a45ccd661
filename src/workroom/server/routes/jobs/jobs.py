"""One job: read, cancel and retry it; what workers report on it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Query, status

from workroom.actions.jobs import cancel, logs
from workroom.actions.jobs.retry import retry_job
from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import Forbidden
from workroom.domain.jobs.states import State, state_named
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import load_principal
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
    DependencyGraph,
    JobDetail,
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


@router.get("/jobs/{id}", summary="Everything recorded about a job")
async def get_job(context: Context, token: Bearer, id: JobId) -> JobDetail:
    row = await load_visible_job(context, token, id, Rights.READ)
    attempts = await job_queries.attempts(context.engine, id) if row.attempt else []
    return job_serializers.detail(row, attempts, await job_queries.queue_outlook(context.engine, id))


@router.get("/jobs/{id}/graph", summary="What a job depends on, and what depends on it")
async def get_graph(context: Context, token: Bearer, id: JobId) -> DependencyGraph:
    """Jobs and postings of the same room, through at most five dependencies in each direction."""
    row = await load_visible_job(context, token, id, Rights.READ)
    return DependencyGraph.model_validate(await job_queries.dependency_graph(context.engine, row))


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
