"""Writes the reports of workers in batches, in the order in which they arrived.

Reports of one worker go into one transaction after the other, whether they came by REST or by socket. A start that is
followed by its end within two milliseconds is written together with it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.jobs.report import report
from workroom.domain.errors import Conflict, WorkroomError
from workroom.domain.jobs.outcomes import Failed, Report, Started, Succeeded
from workroom.server.dispatch.batcher import Batcher

_BATCH_LIMIT = 500
_COALESCE_SECONDS = 0.002  # the event loop's clock has whole milliseconds: less than one would be no delay


class _PendingReport(NamedTuple):
    report: Report
    incarnation: int
    urgent: bool
    arrived: float


class ReportBatcher:
    """Batches by worker, because a worker's reports must keep their order."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._batcher = Batcher[UUID, _PendingReport, Conflict | None](
            self._write,
            limit=_BATCH_LIMIT,
            retry_alone=lambda error: isinstance(error, WorkroomError),
            split=_compatible,
            urgent=_is_urgent,
            delay=_COALESCE_SECONDS,
        )

    def put(
        self, worker_id: UUID, incarnation: int, report: Report, *, urgent: bool
    ) -> asyncio.Future[Conflict | None]:
        """Queue a report. The future has the refusal, or None once the report is written.

        `urgent` is for a worker that waits for the answer before it goes on: its next report cannot follow soon.
        """
        return self._batcher.put(worker_id, _PendingReport(report, incarnation, urgent, time.perf_counter()))

    async def _write(self, worker_id: UUID, batch: Sequence[_PendingReport]) -> list[Conflict | None]:
        refused = await report(self._engine, worker_id, _merge_starts(batch), incarnation=batch[0].incarnation)
        return [refused.get(pending.report.job_id) for pending in batch]


def _is_urgent(pending: _PendingReport) -> bool:
    """A start can wait for the end of a short job; an end cannot wait."""
    return pending.urgent or not isinstance(pending.report.outcome, Started)


def _compatible(reports: Sequence[_PendingReport]) -> int:
    """How many reports can share a transaction: of one incarnation, and no two that could contradict each other."""
    ended: set[UUID] = set()
    started: set[UUID] = set()
    for count, pending in enumerate(reports):
        job_id = pending.report.job_id
        is_start = isinstance(pending.report.outcome, Started)
        if job_id in ended or (is_start and job_id in started) or pending.incarnation != reports[0].incarnation:
            return count
        (started if is_start else ended).add(job_id)
    return len(reports)


def _merge_starts(batch: Sequence[_PendingReport]) -> list[Report]:
    """The reports of a batch. A start whose end is in the same batch becomes the end's run time."""
    started = {pending.report.job_id: pending for pending in batch if isinstance(pending.report.outcome, Started)}
    ended = {pending.report.job_id for pending in batch if isinstance(pending.report.outcome, Succeeded | Failed)}
    merged: list[Report] = []
    for pending in batch:
        job_id = pending.report.job_id
        if job_id not in ended or job_id not in started:
            merged.append(pending.report)
        elif not isinstance(pending.report.outcome, Started):
            ran_ms = (pending.arrived - started[job_id].arrived) * 1000
            merged.append(pending.report._replace(ran_ms=ran_ms))
    return merged
