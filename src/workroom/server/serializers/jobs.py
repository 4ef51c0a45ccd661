"""Converts rows and events about jobs, workers, extensions, chat and changes to response models and event bodies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from workroom.actions.events import ChangeMade, FramesChanged
from workroom.actions.queries.jobs import QueueOutlook
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import FOR_NOTHING, WaitReason
from workroom.domain.jobs.worker_throughput import SLICE_SECONDS, throughput
from workroom.server.serializers.one_line_summary import one_line, shorten
from workroom.store.queue_tables import job_list
from workroom.store.queue_tables.extensions import ExtensionListing, StatsRow
from workroom.store.queue_tables.job_rows import FailedAttempt, JobListing, JobRow, JobSummary
from workroom.store.queue_tables.workers import WorkerRow
from workroom.store.room_tables.chat import ChatRow
from workroom.wire.job_lists import ErrorGroup
from workroom.wire.jobs import Attempt, ExtensionInfo, JobBrief, JobDetail, JobError, ListedJob, Progress, Stats
from workroom.wire.workers import Throughput, WorkerInfo, WorkerOffer

# What everyone in a room may know of a worker. Its process id, for example, is not among them.
_PUBLIC_INFO = ("host", "name", "python")


def job_brief(row: JobSummary | JobRow) -> JobBrief:
    return JobBrief(
        job_id=row.id,
        room=row.room,
        scope=row.scope,
        category=row.category,
        name=row.name,
        status=State(row.state),
        cancelling=row.cancel_requested_at is not None and row.finished_at is None,
        priority=row.priority,
        attempt=row.attempt,
        tries_left=row.tries_left,
        user_id=row.submitter,
        user=row.submitter_name,
        worker_id=row.worker_id,
        posting_id=row.posting_id,
        retry_of=row.retry_of,
        created_at=row.created_at,
        run_at=_finite(row.run_at),
        cancel_requested_at=row.cancel_requested_at,
        assigned_at=row.assigned_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        wait_time_ms=_milliseconds(row.created_at, row.started_at),
        execution_time_ms=_milliseconds(row.started_at, row.finished_at),
        progress=None if row.message is None else Progress(fraction=row.fraction, message=row.message),
    )


def listed_job(row: JobListing, reason: WaitReason = FOR_NOTHING) -> ListedJob:
    error = None if row.error_type is None else f"{row.error_type}: {row.error_message or ''}".partition("\n")[0]
    return ListedJob(
        **dict(job_brief(row.job)),
        data_text=one_line(row.arguments),
        result_text=None if row.result is None else one_line(row.result),
        error_text=None if error is None else shorten(error),
        worker=row.worker_name,
        waiting_for=reason.waiting_for,
        waiting_text=reason.text,
    )


def error_group(row: job_list.ErrorGroup) -> ErrorGroup:
    return ErrorGroup(
        type=row.type,
        place=row.place,
        message=shorten((row.message or "").partition("\n")[0]),
        jobs=row.jobs,
        newest=row.newest,
        category=row.category,
        name=row.name,
        first_at=row.first_at,
        last_at=row.last_at,
    )


def job_event(row: JobSummary) -> dict[str, Any]:
    """The body of `job:state_changed`: the same fields as the job has in REST responses."""
    return job_brief(row).model_dump(by_alias=True)


def detail(row: JobRow, attempts: Sequence[FailedAttempt], outlook: QueueOutlook) -> JobDetail:
    return JobDetail(
        **dict(job_brief(row)),
        data=row.arguments,
        result=row.result,
        error=error(row.error),
        attempts=[
            Attempt(
                attempt=attempt.attempt,
                worker_id=attempt.worker_id,
                reason=attempt.reason,
                error=error(attempt.error),
                assigned_at=attempt.assigned_at,
                started_at=attempt.started_at,
                ended_at=attempt.ended_at,
            )
            for attempt in attempts
        ],
        queue_position=outlook.queue_position,
        eta_seconds=outlook.eta_seconds,
        waiting_for=outlook.waiting_for,
        waiting_text=outlook.reason.text,
        timeout_seconds=row.timeout_seconds,
    )


def extension(row: ExtensionListing, *, removable: bool) -> ExtensionInfo:
    return ExtensionInfo(
        scope=row.scope,
        category=row.category,
        name=row.name,
        schema=row.schema,
        schema_hash=row.schema_hash,
        timeout_seconds=row.timeout_seconds,
        tries=row.tries,
        on_worker_lost=row.on_worker_lost,
        priority=row.priority,
        concurrency=row.concurrency,
        resources=row.resources or {},
        paused=row.paused,
        state="online" if row.idle_workers + row.busy_workers else "offline",
        last_offered_by=row.offered_by if row.offline_since else None,
        last_offered_at=row.offline_since,
        removable=removable,
        idle_workers=row.idle_workers,
        busy_workers=row.busy_workers,
        breakers_open=row.closed_workers,
        pending_jobs=row.pending,
        active_jobs=row.active,
    )


def stats(row: StatsRow) -> Stats:
    return Stats(
        idle_workers=row.idle_workers,
        busy_workers=row.busy_workers,
        pending_jobs=row.pending,
        active_jobs=row.active,
        blocked_jobs=row.blocked,
        completed_jobs=row.completed,
        failed_jobs=row.failed,
        cancelled_jobs=row.cancelled,
        mean_run_ms=row.run_ms,
    )


def worker(row: WorkerRow, *, to_owner: bool = True) -> WorkerInfo:
    """A worker. Only its owner and admins get all of `info`."""
    if row.ended_at is not None:
        state = "gone"
    elif not row.attached:
        state = "offline"
    elif row.draining:
        state = "draining"
    else:
        state = "busy" if row.active else "idle"
    return WorkerInfo(
        id=row.id,
        kind=_kind(row),
        user_id=row.account_id,
        user=row.account,
        room=row.room,
        incarnation=row.incarnation,
        capacity=row.capacity,
        info=row.info if to_owner else {key: row.info[key] for key in _PUBLIC_INFO if key in row.info},
        resources=row.resources or {},
        ends_at=row.ends_at,
        state=state,
        active_jobs=row.active,
        registered_at=row.registered_at,
        lease_until=row.lease_until,
        served_at=row.served_at,
        gone_at=row.ended_at,
        gone_reason=row.end_reason,
        throughput=_throughput(row),
        extensions=[WorkerOffer.model_validate(offer) for offer in row.offers],
    )


def _throughput(row: WorkerRow) -> Throughput:
    recent = throughput(row.throughput, into_slice=row.into_slice, age=row.age)
    return Throughput(
        seconds=round(recent.seconds, 1),
        ended=recent.ended,
        failed=recent.failed,
        per_minute=round(recent.per_minute, 2),
        slice_seconds=SLICE_SECONDS,
        history=list(recent.history),
    )


def _kind(row: WorkerRow) -> str:
    """The server's own pool is stored as a remote worker without an account."""
    return "pool" if row.kind == "remote" and row.account_id is None else row.kind


def error(stored: Any) -> JobError | None:
    return None if stored is None else JobError.model_validate(stored)


def _milliseconds(start: datetime | None, end: datetime | None) -> float | None:
    return None if start is None or end is None else round((end - start).total_seconds() * 1000, 3)


def _finite(run_at: datetime | None) -> datetime | None:
    """A start time. A paused job has an infinite one, which is sent as none."""
    return run_at if run_at is not None and run_at.year < 9999 else None


def chat(row: ChatRow) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "room": row.room,
        "userId": None if row.author is None else str(row.author),
        "user": row.author_name,
        "jobId": None if row.job_id is None else str(row.job_id),
        "text": row.text,
        "createdAt": row.created_at.isoformat(),
        "editedAt": None if row.edited_at is None else row.edited_at.isoformat(),
        "edited": row.edited_at is not None,
    }


def change_made(event: ChangeMade) -> dict[str, Any]:
    """The body of `change:made`."""
    return {
        "id": str(event.change_id),
        "revision": event.revision,
        "act": event.act,
        "label": event.label,
        "author": str(event.author),
        "jobId": str(event.job_id) if event.job_id else None,
        "undoOf": str(event.undo_of) if event.undo_of else None,
        "at": event.at.isoformat(),
    }


def frames_changed(event: FramesChanged) -> dict[str, Any]:
    """The body of `frames:changed`: which frames were replaced, and how many there are now."""
    return {
        "revision": event.revision,
        "length": event.length,
        "changeId": str(event.change_id),
        "splices": [{"start": start, "removed": removed, "added": added} for start, removed, added in event.splices],
        "step": event.step,
        "stepRevision": event.step_revision,
    }
