"""A worker's word on its jobs: started, succeeded, failed, cancelled, how far.

Every word carries (job, worker, attempt) and is one guarded statement. A word that moves nothing is a repetition,
which is fine, or comes too late, which the worker must learn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

import orjson

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import JobsMoved, PostingEnded, WorkerFreed
from workroom.actions.jobs.assign import assign_to, fill_slots
from workroom.actions.jobs.propagate import propagate
from workroom.domain import limits
from workroom.domain.errors import AttemptLost, Conflict, DatabaseBusy, JobFinal, WorkerLost, WrongState
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Report, Started, Succeeded
from workroom.domain.jobs.states import FINAL, State
from workroom.store.queue_tables import jobs, workers
from workroom.store.queue_tables.job_rows import CompletedJob, JobSnapshot, Success, Transition
from workroom.store.queue_tables.workers import LockedWorker
from workroom.store.statement import Connection

Refusals = dict[UUID, Conflict]
Kinds = dict[type[Outcome], list[Report]]


async def report(
    engine: Engine, worker_id: UUID, reports: Sequence[Report], *, incarnation: int | None = None
) -> Refusals:
    """Take in a worker's reports; the refused ones, each with the reason.

    A remote worker says which incarnation it is, and is handed its next jobs with the same call.
    """
    kinds = _by_kind(reports)
    refused = await _take_in(engine, worker_id, reports, kinds, incarnation)
    if ended := sum(_heard(kinds, kind, refused) for kind in (Succeeded, Failed, Cancelled)):
        engine.pending_counts.add(worker_id, ended, _heard(kinds, Failed, refused))
    return refused


async def _take_in(
    engine: Engine, worker_id: UUID, reports: Sequence[Report], kinds: Kinds, incarnation: int | None
) -> Refusals:
    if not reports:
        return {}
    if incarnation is not None and kinds.keys() == {Succeeded}:
        reports = await _succeed_alone(engine, worker_id, reports, incarnation)
        if not reports:
            return {}
        kinds = _by_kind(reports)
    together = {report.job_id for report in reports if report.ran_ms is not None}
    results, errors = _encode(kinds)
    if incarnation is None and kinds.keys() == {Succeeded}:
        succeeded = await _succeed_at_once(engine, worker_id, kinds[Succeeded], results)
        if succeeded == len(reports):
            return {}
        # Some came too late, or others wait for them. What was taken in just now counts as a repetition.

    async def work(transaction: Transaction) -> Refusals:
        held = LockedWorker(False, 0, 0)
        if incarnation is not None:
            held = await workers.lock(transaction.connection, worker_id)
            if held.incarnation != incarnation:
                raise WorkerLost(workerId=str(worker_id))
        moved = await _write(transaction, worker_id, kinds, results, errors)
        refused = await _refusals(transaction, worker_id, reports, moved)
        if incarnation is not None and (begun := [_as_running(job) for job in moved if job.id in together]):
            transaction.record(JobsMoved(tuple(begun)))
        await propagate(transaction, moved)
        ended = sum(job.jobs for job in moved if job.state != State.RUNNING)
        if held.can_take_jobs and ended and len(await fill_slots(transaction, worker_id, held.part)) < ended:
            transaction.record(WorkerFreed(worker_id))
        return refused

    return await engine.transaction(work)


async def _succeed_alone(
    engine: Engine, worker_id: UUID, reports: Sequence[Report], incarnation: int
) -> Sequence[Report]:
    """Write successes from which nothing follows in one statement, which is quickest; the reports that are left.

    The worker's next jobs are handed out after it, and only if any seem to wait: whoever dies in between leaves a free
    worker and a waiting job, and they find each other as after any restart.
    """
    results, _ = _encode({Succeeded: list(reports)})
    who: dict[str, Any] = {"worker_id": worker_id, "incarnation": incarnation}

    async def written(connection: Connection) -> list[CompletedJob]:
        if len(reports) > 1:
            return await jobs.succeed_alone(connection, **who, **_names(reports), **_times(reports), results=results)
        one = await jobs.succeed_one_alone(connection, _success(reports[0], results), **who)
        return [] if one is None else [one]

    async def work(transaction: Transaction) -> list[CompletedJob]:
        ended = await written(transaction.connection)
        together = {report.job_id for report in reports if report.ran_ms is not None}
        if begun := [_as_running(one.job) for one in ended if one.job.id in together]:
            transaction.record(JobsMoved(tuple(begun)))
        if ended:
            transaction.record(JobsMoved(tuple(one.job for one in ended)))
        return ended

    ended = await engine.autocommit(work)
    if (ended and not ended[0].wanted) or (ended and len(await assign_to(engine, worker_id)) < len(ended)):
        engine.announce([WorkerFreed(worker_id)])
    heard = {one.job.id for one in ended}
    return [report for report in reports if report.job_id not in heard]


async def _succeed_at_once(engine: Engine, worker_id: UUID, reports: Sequence[Report], results: str) -> int:
    """The usual case, jobs that succeeded and nobody waits for, in a single statement; how many it took in."""

    async def work(transaction: Transaction) -> int:
        if len(reports) == 1:
            return await _succeed_one_at_once(transaction, worker_id, _success(reports[0], results))
        moved = await jobs.succeed(
            transaction.connection,
            worker_id=worker_id,
            **_names(reports),
            **_times(reports),
            results=results,
            at_once=True,
        )
        if taken := tuple(job for job in moved if job.jobs):
            transaction.record(JobsMoved(taken))
        for posting in moved:
            if not posting.jobs:
                transaction.record(PostingEnded(posting.id, posting.state))
        return sum(job.jobs for job in taken)

    try:
        return await engine.autocommit(work, again=False)
    except DatabaseBusy:
        return 0


async def _succeed_one_at_once(transaction: Transaction, worker_id: UUID, one: Success) -> int:
    ended = await jobs.succeed_one_at_once(transaction.connection, one, worker_id=worker_id)
    if ended is None:
        return 0
    job = ended.job
    if job.posting_id is not None:
        job = Transition(job.posting_id, 0, job.extension_id, job.posting_id, None, job.state, False)
    transaction.record(JobsMoved((job,)))
    if job.posting_id is not None and ended.posting_ended is not None:
        transaction.record(PostingEnded(job.posting_id, ended.posting_ended))
    return 1


async def _write(
    transaction: Transaction, worker_id: UUID, kinds: Kinds, results: str, errors: str
) -> list[Transition]:
    """One statement for each kind of outcome among the reports."""
    connection = transaction.connection
    moved: list[Transition] = []
    if started := kinds.get(Started):
        moved += await jobs.start(connection, worker_id=worker_id, **_names(started))
    if succeeded := kinds.get(Succeeded):
        moved += await jobs.succeed(
            connection, worker_id=worker_id, **_names(succeeded), **_times(succeeded), results=results
        )
    if failed := kinds.get(Failed):
        moved += await jobs.fail(
            connection,
            worker_id=worker_id,
            **_names(failed),
            **_times(failed),
            lucks=[random.random() for _ in failed],  # noqa: S311 - spreads retries, guards nothing
            errors=errors,
        )
    if cancelled := kinds.get(Cancelled):
        moved += await jobs.confirm_cancel(connection, worker_id=worker_id, **_names(cancelled))
    return moved


def _as_running(job: Transition) -> Transition:
    """The job as it was between its start and its end, which were reported together."""
    return job._replace(state=State.RUNNING, finished_at=None)


def _by_kind(reports: Sequence[Report]) -> Kinds:
    kinds: Kinds = {}
    for report in reports:
        kinds.setdefault(type(report.outcome), []).append(report)
    return kinds


def _heard(kinds: Kinds, kind: type[Outcome], refused: Refusals) -> int:
    """How many reports of a kind were not refused; a repetition, which is rare, counts again."""
    reports = kinds.get(kind, ())
    return sum(report.job_id not in refused for report in reports) if refused else len(reports)


def _names(reports: Sequence[Report]) -> dict[str, Any]:
    return {"ids": [report.job_id for report in reports], "attempts": [report.attempt for report in reports]}


def _success(report: Report, results: str) -> Success:
    """The only one: its result is what the array of one has between its brackets."""
    return Success(report.job_id, report.attempt, report.waited_ms, report.ran_ms, results[1:-1])


def _times(reports: Sequence[Report]) -> dict[str, Any]:
    return {"waited_ms": [report.waited_ms for report in reports], "ran_ms": [report.ran_ms for report in reports]}


async def _refusals(
    transaction: Transaction, worker_id: UUID, reports: Sequence[Report], moved: Sequence[Transition]
) -> Refusals:
    """Why the reports that moved nothing did not; a repetition is no refusal."""
    if sum(job.jobs for job in moved) == len(reports):
        return {}
    heard = {job.id for job in moved}
    unheard = [report for report in reports if report.job_id not in heard]
    stands = {job.id: job for job in await jobs.snapshots(transaction.connection, ids=[r.job_id for r in unheard])}
    verdicts = ((report, _verdict(report, worker_id, stands.get(report.job_id))) for report in unheard)
    refused = {report.job_id: (report, error) for report, error in verdicts if error is not None}
    for job_id in await _failed_before(transaction, worker_id, [report for report, _ in refused.values()]):
        del refused[job_id]
    return {job_id: error for job_id, (_, error) in refused.items()}


async def _failed_before(transaction: Transaction, worker_id: UUID, reports: Sequence[Report]) -> list[UUID]:
    """The jobs among these whose try was reported to have failed in the same words before, and that try again since."""
    failed = {report.job_id: report for report in reports if isinstance(report.outcome, Failed)}
    if not failed:
        return []
    remembered = await jobs.remembered(transaction.connection, worker_id=worker_id, **_names([*failed.values()]))
    return [one.id for one in remembered if one.error == _as_stored(cast(Failed, failed[one.id].outcome).error)]


def _verdict(report: Report, worker_id: UUID, stand: JobSnapshot | None) -> Conflict | None:
    facts: dict[str, Any] = {"jobId": str(report.job_id), "attempt": report.attempt}
    if stand is None or stand.worker_id != worker_id or stand.attempt != report.attempt:
        return AttemptLost(**facts)
    match report.outcome:
        case Started() if stand.state == State.RUNNING:
            return None
        case Succeeded(result) if stand.state == State.COMPLETED and stand.result == _as_stored(result):
            return None
        case Failed(error) if stand.state == State.FAILED and stand.error == _as_stored(error):
            return None
        case Cancelled() if stand.state == State.CANCELLED:
            return None
        case _:
            pass
    if stand.state in FINAL:
        return JobFinal(**facts, state=stand.state)
    return WrongState(
        f"The job is {stand.state}: say that it runs before saying how it ended.", **facts, state=stand.state
    )


def _as_stored(value: Any) -> Any:
    return orjson.loads(orjson.dumps(value))


def _encode(kinds: Kinds) -> tuple[str, str]:
    results = [cast(Succeeded, report.outcome).result for report in kinds.get(Succeeded, ())]
    errors = [cast(Failed, report.outcome).error for report in kinds.get(Failed, ())]
    return _text(results, "The result", limits.RESULT_BYTES), _text(errors, "The error", limits.ERROR_BYTES)


def _text(values: list[Any], what: str, largest: int) -> str:
    encoded = encode(values, what)
    if len(encoded) > largest:
        # Only now is it worth looking whether a single one is too large.
        for value in values:
            check_size(encode(value, what), what, largest)
    return encoded.decode()
