"""Postings, their jobs, results and failures as wire models."""

from __future__ import annotations

from typing import Any

from workroom.domain import ids
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.jobs.wait_reason import WaitReason
from workroom.server.realtime.posting_rate import PostingRates
from workroom.server.serializers import jobs
from workroom.store.queue_tables.postings import FailedJob, JobOutcome, PostingRow
from workroom.store.queue_tables.postings import PostedJob as PostedRow
from workroom.wire.postings import JobFailure, JobResult, PostedJob, PostingDetail, PostingInfo


def posting(row: PostingRow, rates: PostingRates, reason: WaitReason) -> PostingInfo:
    return PostingInfo.model_validate(_fields(row, rates, reason))


def detail(row: PostingRow, rates: PostingRates, active: int, reason: WaitReason) -> PostingDetail:
    return PostingDetail.model_validate(_fields(row, rates, reason) | {"active": active})


def _fields(row: PostingRow, rates: PostingRates, reason: WaitReason) -> dict[str, Any]:
    rate = rates.rate(row)
    remaining = row.total - row.ended
    is_moving = row.status == "executing" and bool(rate)
    return row._asdict() | {
        "posting_id": row.id,
        "remaining": remaining,
        "rate": None if rate is None else round(rate, 3),
        "eta_seconds": 0.0 if row.status in FINAL else round(remaining / (rate or 1), 3) if is_moving else None,
        "user_id": row.submitter,
        "user": row.submitter_name,
        "waiting_for": reason.waiting_for,
        "waiting_text": reason.text,
        "unique": row.unique_key,
    }


def job(row: PostedRow) -> PostedJob:
    return PostedJob(**dict(jobs.job_brief(row.job)), position=ids.position(row.job.id), data=row.arguments)


def result(row: JobOutcome) -> JobResult:
    return JobResult(
        position=ids.position(row.id),
        job_id=row.id,
        status=State(row.state),
        result=row.result,
        error=jobs.error(row.error),
    )


def failure(row: FailedJob) -> JobFailure:
    return JobFailure.model_validate(
        {
            "position": ids.position(row.id),
            "job_id": row.id,
            "attempts": row.attempt,
            "data": row.arguments,
            "error": row.error,
        }
    )
