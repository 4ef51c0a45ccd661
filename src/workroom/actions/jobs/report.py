"""Reports of workers about their jobs: started, succeeded, failed, cancelled.

Each report is one UPDATE guarded by (job, worker, attempt). Zero rows means either a duplicate (accepted) or a stale
attempt (409).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any, cast
from uuid import UUID

import orjson

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import CancelRequested, JobsMoved, PostingEnded, WorkerFreed
from workroom.actions.jobs.assign import assign_to, fill_slots
from workroom.actions.jobs.propagate import end_counted_posting, propagate
from workroom.domain import limits
from workroom.domain.errors import AttemptLost, Conflict, JobFinal, WorkerLost, WrongState
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Report, Started, Succeeded
from workroom.domain.jobs.states import FINAL, State
from workroom.store.queue_tables import jobs, workers
from workroom.store.queue_tables.job_rows import JobSnapshot, Success, Transition
from workroom.store.queue_tables.jobs import CompletedJobs
from workroom.store.queue_tables.workers import LockedWorker

Refusals = dict[UUID, Conflict]
Kinds = dict[type[Outcome], list[Report]]


async def report(
    engine: Engine, worker_id: UUID, reports: Sequence[Report], *, incarnation: int | None = None
) -> Refusals:
    """Write a worker's reports; returns the refused ones, each with the reason.

    A remote worker passes its incarnation, and gets its next jobs with the same call.
    """
    kinds = _by_kind(reports)
    refused = await _write_reports(engine, worker_id, reports, kinds, incarnation)
    if ended := sum(_accepted(kinds, kind, refused) for kind in (Succeeded, Failed, Cancelled)):
        engine.pending_counts.add(worker_id, ended, _accepted(kinds, Failed, refused))
    return refused


async def _write_reports(
    engine: Engine, worker_id: UUID, reports: Sequence[Report], kinds: Kinds, incarnation: int | None
) -> Refusals:
    if not reports:
        return {}
    if kinds.keys() == {Succeeded}:
        reports = await _complete(engine, worker_id, reports, incarnation)
        if not reports:
            return {}
        # The rest is stale, repeated, or has dependents.
        kinds = _by_kind(reports)
    started_with_end = {report.job_id for report in reports if report.ran_ms is not None}
    results, errors = _encode(kinds)

    async def work(transaction: Transaction) -> Refusals:
        worker = LockedWorker(False, 0, 0)
        if incarnation is not None:
            worker = await workers.lock(transaction.connection, worker_id)
            if worker.incarnation != incarnation:
                raise WorkerLost(workerId=str(worker_id))
        moved = await _write(transaction, worker_id, kinds, results, errors)
        refused = await _refusals(transaction, worker_id, reports, moved)
        if incarnation is not None and (started := [_as_running(job) for job in moved if job.id in started_with_end]):
            transaction.record(JobsMoved(tuple(started)))
        await propagate(transaction, moved)
        ended = sum(job.jobs for job in moved if job.state != State.RUNNING)
        if worker.can_take_jobs and ended and len(await fill_slots(transaction, worker_id, worker.part)) < ended:
            transaction.record(WorkerFreed(worker_id))
        return refused

    return await engine.transaction(work)


async def _complete(
    engine: Engine, worker_id: UUID, reports: Sequence[Report], incarnation: int | None
) -> Sequence[Report]:
    """Complete jobs without dependents in one statement, its own transaction; returns the reports that changed nothing.

    A remote worker gets its next jobs in a second transaction, if any wait. If the server stops in between, the worker
    is free and the jobs wait, and the server matches them after its restart.
    """
    results, _ = _encode({Succeeded: list(reports)})

    async def work(transaction: Transaction) -> CompletedJobs:
        if len(reports) == 1:
            success = _success(reports[0], results)
            completed = await jobs.complete_one(
                transaction.connection, success, worker_id=worker_id, incarnation=incarnation
            )
        else:
            completed = await jobs.complete(
                transaction.connection,
                worker_id=worker_id,
                incarnation=incarnation,
                **_names(reports),
                **_times(reports),
                results=results,
                standalone=True,
            )
        _record_completed(transaction, completed, reports, remote=incarnation is not None)
        return completed

    completed = await engine.autocommit(work)
    for posting in completed.postings:
        if posting.status not in FINAL:
            await engine.transaction(partial(end_counted_posting, posting_id=posting.id))
    count = sum(job.jobs for job in completed.jobs)
    if count and incarnation is not None:
        assigned = await assign_to(engine, worker_id) if completed.work_waits else []
        if len(assigned) < count:
            engine.announce([WorkerFreed(worker_id)])
    if count == len(reports):
        return ()
    # A row that counts jobs of a posting has the id of the posting, which is also the id of its first job.
    listed = {job.id for job in completed.jobs if job.posting_id is None}
    return [report for report in reports if report.job_id not in listed]


def _record_completed(
    transaction: Transaction, completed: CompletedJobs, reports: Sequence[Report], *, remote: bool
) -> None:
    started_with_end = {report.job_id for report in reports if report.ran_ms is not None} if remote else set[UUID]()
    if started := [_as_running(job) for job in completed.jobs if job.id in started_with_end]:
        transaction.record(JobsMoved(tuple(started)))
    if completed.jobs:
        transaction.record(JobsMoved(tuple(completed.jobs)))
    for posting in completed.postings:
        if posting.status in FINAL:
            transaction.record(PostingEnded(posting.id, posting.status))


async def _write(
    transaction: Transaction, worker_id: UUID, kinds: Kinds, results: str, errors: str
) -> list[Transition]:
    """One statement for each kind of outcome among the reports."""
    connection = transaction.connection
    moved: list[Transition] = []
    if started := kinds.get(Started):
        running = await jobs.start(connection, worker_id=worker_id, **_names(started))
        for job in running:
            if job.cancelling:  # the request may have reached the worker before the job did, which then ignored it
                transaction.record(CancelRequested(worker_id, job.id, job.attempt, job.room))
        moved += running
    if succeeded := kinds.get(Succeeded):
        completed = await jobs.complete(
            connection, worker_id=worker_id, **_names(succeeded), **_times(succeeded), results=results, standalone=False
        )
        moved += completed.jobs
    if failed := kinds.get(Failed):
        moved += await jobs.fail(
            connection,
            worker_id=worker_id,
            **_names(failed),
            **_times(failed),
            jitter=[random.random() for _ in failed],  # noqa: S311 - spreads retries, guards nothing
            errors=errors,
        )
    if cancelled := kinds.get(Cancelled):
        moved += await jobs.confirm_cancel(connection, worker_id=worker_id, **_names(cancelled))
    return moved


def _as_running(job: Transition) -> Transition:
    """The job as it was between its start and its end, which one report carries."""
    return job._replace(state=State.RUNNING, finished_at=None)


def _by_kind(reports: Sequence[Report]) -> Kinds:
    kinds: Kinds = {}
    for report in reports:
        kinds.setdefault(type(report.outcome), []).append(report)
    return kinds


def _accepted(kinds: Kinds, kind: type[Outcome], refused: Refusals) -> int:
    """How many reports of a kind were not refused. A repeated report, which is rare, counts again."""
    reports = kinds.get(kind, ())
    return sum(report.job_id not in refused for report in reports) if refused else len(reports)


def _names(reports: Sequence[Report]) -> dict[str, Any]:
    return {"ids": [report.job_id for report in reports], "attempts": [report.attempt for report in reports]}


def _success(report: Report, results: str) -> Success:
    """A single report: its result is the JSON array of one result without the brackets."""
    return Success(report.job_id, report.attempt, report.waited_ms, report.ran_ms, results[1:-1])


def _times(reports: Sequence[Report]) -> dict[str, Any]:
    return {"waited_ms": [report.waited_ms for report in reports], "ran_ms": [report.ran_ms for report in reports]}


async def _refusals(
    transaction: Transaction, worker_id: UUID, reports: Sequence[Report], moved: Sequence[Transition]
) -> Refusals:
    """The reason for each report that changed nothing; a repeated report is not refused."""
    if sum(job.jobs for job in moved) == len(reports):
        return {}
    moved_ids = {job.id for job in moved}
    unchanged = [report for report in reports if report.job_id not in moved_ids]
    snapshots = {job.id: job for job in await jobs.snapshots(transaction.connection, ids=[r.job_id for r in unchanged])}
    checked = ((report, _refusal(report, worker_id, snapshots.get(report.job_id))) for report in unchanged)
    refused = {report.job_id: (report, error) for report, error in checked if error is not None}
    for job_id in await _failed_before(transaction, worker_id, [report for report, _ in refused.values()]):
        del refused[job_id]
    return {job_id: error for job_id, (_, error) in refused.items()}


async def _failed_before(transaction: Transaction, worker_id: UUID, reports: Sequence[Report]) -> list[UUID]:
    """The jobs whose attempt was reported as failed with the same error before, and that were retried since."""
    failed = {report.job_id: report for report in reports if isinstance(report.outcome, Failed)}
    if not failed:
        return []
    recorded = await jobs.recorded_failures(transaction.connection, worker_id=worker_id, **_names([*failed.values()]))
    return [job.id for job in recorded if job.error == _as_stored(cast(Failed, failed[job.id].outcome).error)]


def _refusal(report: Report, worker_id: UUID, job: JobSnapshot | None) -> Conflict | None:
    facts: dict[str, Any] = {"jobId": str(report.job_id), "attempt": report.attempt}
    if job is None or job.worker_id != worker_id or job.attempt != report.attempt:
        return AttemptLost(**facts)
    match report.outcome:
        case Started() if job.state == State.RUNNING:
            return None
        case Succeeded(result) if job.state == State.COMPLETED and job.result == _as_stored(result):
            return None
        case Failed(error) if job.state == State.FAILED and job.error == _as_stored(error):
            return None
        case Cancelled() if job.state == State.CANCELLED:
            return None
        case _:
            pass
    if job.state in FINAL:
        return JobFinal(**facts, state=job.state)
    return WrongState(f"The job is {job.state}: say that it runs before saying how it ended.", **facts, state=job.state)


def _as_stored(value: Any) -> Any:
    return orjson.loads(orjson.dumps(value))


def _encode(kinds: Kinds) -> tuple[str, str]:
    results = [cast(Succeeded, report.outcome).result for report in kinds.get(Succeeded, ())]
    errors = [cast(Failed, report.outcome).error for report in kinds.get(Failed, ())]
    return _text(results, "The result", limits.RESULT_BYTES), _text(errors, "The error", limits.ERROR_BYTES)


def _text(values: list[Any], what: str, largest: int) -> str:
    encoded = encode(values, what)
    if len(encoded) > largest:
        # Together they are too large; the limit holds for each.
        for value in values:
            check_size(encode(value, what), what, largest)
    return encoded.decode()
