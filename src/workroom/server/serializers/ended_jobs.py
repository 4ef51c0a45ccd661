"""Converts the history of ended jobs to its response."""

from __future__ import annotations

from typing import Any

from workroom.actions.queries import ended_jobs as queries
from workroom.domain.jobs.ended_job_counts import percentile
from workroom.store.queue_tables.ended_job_counts import HistoryRow
from workroom.wire.job_lists import ExtensionHistory, HistoryStep, JobHistory


def history(found: queries.JobHistory) -> JobHistory:
    return JobHistory(
        since=found.since,
        step_seconds=found.step_seconds,
        items=[HistoryStep.model_validate(_times(row) | {"at": row.at}) for row in found.steps],
        extensions=[
            ExtensionHistory.model_validate(
                _times(row) | {"scope": row.scope, "category": row.category, "name": row.name}
            )
            for row in found.extensions
        ],
    )


def _times(row: HistoryRow) -> dict[str, Any]:
    return {
        "completed": row.completed,
        "failed": row.failed,
        "cancelled": row.cancelled,
        "wait_p50_ms": percentile(row.waits, 0.5),
        "wait_p95_ms": percentile(row.waits, 0.95),
        "run_p50_ms": percentile(row.runs, 0.5),
        "run_p95_ms": percentile(row.runs, 0.95),
    }
