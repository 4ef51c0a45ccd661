"""The completer of a pool process: what leaves the outbox, when, and in which batches."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from workroom.domain.errors import TooLarge, Unavailable
from workroom.domain.jobs.ended_job_counts import HistoryCounts
from workroom.domain.jobs.latency import RUN, LatencyCounts
from workroom.domain.jobs.outcomes import Failed, Report, Succeeded
from workroom.store.queue_tables.job_rows import Claimed
from workroom.worker.function_registry import Function
from workroom.worker.pool import completer as module
from workroom.worker.pool.completer import BATCH_BYTES, BATCH_REPORTS, Completer
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.state import FinishedJob, PoolState
from workroom.worker.pool.worker_registration import PoolSession


def _function(*_: Any) -> None: ...


FUNCTION: Function[..., Any] = Function("nothing", _function, 3, None)


class Reports:
    """Stands for the action that takes reports; `hold` keeps it from answering."""

    def __init__(self) -> None:
        self.batches: list[list[Report]] = []
        self.stored: list[Report] = []
        self.failures = 0
        self.too_large: set[Any] = set()  # jobs whose results are refused
        self.hold = asyncio.Event()
        self.hold.set()

    async def __call__(self, engine: object, worker_id: object, reports: list[Report]) -> dict[Any, Any]:
        self.batches.append(reports)
        await self.hold.wait()
        if self.failures:
            self.failures -= 1
            raise Unavailable
        if any(one.job_id in self.too_large and isinstance(one.outcome, Succeeded) for one in reports):
            raise TooLarge("PostgreSQL cannot store this.")
        self.stored += reports
        return {}


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Reports:
    reports = Reports()
    monkeypatch.setattr(module, "report", reports)
    return reports


def _completer(finished: int, size: int) -> tuple[Completer, PoolState]:
    state = PoolState()
    for _ in range(finished):
        job = PoolJob(Claimed(uuid4(), 1, 1, True, None, 3, {}, once=False), FUNCTION, 0.0)
        state.outbox.append(FinishedJob(job, Succeeded(None), size, 0.0, 1.0))
    state.held = finished
    engine = SimpleNamespace(latencies=LatencyCounts(), history=HistoryCounts())
    session = PoolSession(cast("Any", engine), uuid4(), "here", {1: FUNCTION})
    return Completer(state, session), state


async def test_a_batch_is_bounded_by_count(reports: Reports) -> None:
    completer, state = _completer(2 * BATCH_REPORTS + 1, 64)
    await completer.flush()
    assert [len(batch) for batch in reports.batches] == [BATCH_REPORTS, BATCH_REPORTS, 1]
    assert not state.outbox and state.held == 0
    (runs,) = [count for count in completer.latencies.take() if count.kind == RUN]
    assert (runs.jobs, runs.bound) == (2 * BATCH_REPORTS + 1, 0.001), "each run of a millisecond is counted once"


async def test_a_batch_is_bounded_by_bytes_and_a_report_that_is_larger_goes_alone(reports: Reports) -> None:
    completer, state = _completer(7, BATCH_BYTES // 3)
    state.outbox.append(state.outbox.popleft()._replace(size=2 * BATCH_BYTES))
    await completer.flush()
    assert [len(batch) for batch in reports.batches] == [3, 3, 1]


async def test_a_report_stays_in_the_outbox_until_it_is_acknowledged(reports: Reports) -> None:
    completer, state = _completer(3, 64)
    reports.hold.clear()
    flush = asyncio.create_task(completer.flush())
    await asyncio.sleep(0)
    assert len(reports.batches) == 1 and len(state.outbox) == 3
    flush.cancel()
    await asyncio.gather(flush, return_exceptions=True)
    assert len(state.outbox) == 3
    reports.hold.set()
    await completer.flush()
    assert reports.batches[1] == reports.batches[0] and not state.outbox


async def test_reports_are_repeated_while_the_database_is_unavailable(reports: Reports) -> None:
    completer, state = _completer(3, 64)
    reports.failures = 2
    await completer.flush()
    assert [len(batch) for batch in reports.batches] == [3, 3, 3] and not state.outbox


async def test_a_report_that_the_database_refuses_fails_its_own_job_and_the_others_are_stored(reports: Reports) -> None:
    completer, state = _completer(20, 64)
    jobs = [finished.job.id for finished in state.outbox]
    reports.too_large = {jobs[3], jobs[11]}
    await completer.flush()
    assert [one.job_id for one in reports.stored] == jobs and not state.outbox and state.held == 0
    failed = {one.job_id: one.outcome.error for one in reports.stored if isinstance(one.outcome, Failed)}
    assert failed.keys() == reports.too_large
    assert all(error["message"] == "PostgreSQL cannot store this." for error in failed.values())
