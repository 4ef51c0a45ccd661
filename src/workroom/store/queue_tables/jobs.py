"""One function for each statement of `sql/job`; long because they are many. Their rows are in `job_rows`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Integers, Uuids, reals
from workroom.store.queue_tables.job_rows import (
    CancelRequest,
    CancelResult,
    Claimed,
    CompletedRow,
    DependencyState,
    DirectAssignment,
    FailedAttempt,
    IdempotentMatch,
    InsertedChunk,
    JobRow,
    JobSnapshot,
    JobSummary,
    LogLine,
    NewJob,
    Overdue,
    QueuePositionRow,
    RecordedFailure,
    ReleasedJob,
    RemoteCancelRequest,
    RetriedJob,
    Submitted,
    Success,
    Transition,
)
from workroom.store.queue_tables.postings import PostingCancelResult, PostingProgress
from workroom.store.room_tables.rooms import AccessSnapshot
from workroom.store.statement import Connection, Statement, first

_submit_assigned = Statement("job/submit_assigned", DirectAssignment._make, frequent=True)
_submit = Statement("job/submit", Submitted._make, frequent=True)
_find_by_key = Statement("job/find_by_key", IdempotentMatch._make, frequent=True)
_reserve_turns = Statement[int]("job/reserve_turns", first, frequent=True)
_insert_chunk = Statement("job/insert_chunk", InsertedChunk._make, frequent=True)
_lock_unique_keys = Statement[None]("job/lock_unique_keys", first)
_lock_dependencies = Statement("job/lock_dependencies", DependencyState._make)
_ended_dependencies = Statement("job/ended_dependencies", DependencyState._make)
_add_dependencies = Statement[None]("job/add_dependencies", first)
_claim = Statement("job/claim", Claimed._make, frequent=True)
_cancel_requests = Statement("job/cancel_requests", CancelRequest._make)
_remote_cancel_requests = Statement("job/remote_cancel_requests", RemoteCancelRequest._make)
_release_claimed = Statement("job/release_claimed", Transition.one, frequent=True)
_notify_pools = Statement[None]("job/notify_pools", first)
_notify_servers = Statement[None]("job/notify_servers", first)
_start = Statement("job/start", Transition.one, frequent=True)
_complete = Statement("job/complete", CompletedRow._make, frequent=True)
_complete_one = Statement("job/complete_one", tuple[Any, ...], frequent=True)
_fail = Statement("job/fail", Transition.one, frequent=True)
_confirm_cancel = Statement("job/confirm_cancel", Transition.one, frequent=True)
_cancel = Statement("job/cancel", CancelResult._make)
_cancel_of_extension = Statement("job/cancel_of_extension", PostingCancelResult._make)
_unconfirmed = Statement("job/unconfirmed", Claimed._make)
_release_unconfirmed = Statement("job/release_unconfirmed", ReleasedJob._make)
_rescue = Statement("job/rescue", Transition.one)
_unblock = Statement("job/unblock", Transition.one, frequent=True)
_fail_dependents = Statement("job/fail_dependents", Transition.one, frequent=True)
_promote_due = Statement("job/promote_due", Transition.one)
_next_due = Statement[float]("job/next_due", first)
_prune = Statement[None]("job/prune", first)
_prune_fair_turns = Statement[None]("job/prune_fair_turns", first)
_snapshots = Statement("job/snapshots", JobSnapshot._make, frequent=True)
_retried = Statement("job/retried", RetriedJob._make)
_recorded_failures = Statement("job/recorded_failures", RecordedFailure._make)
_progress = Statement[UUID]("job/progress", first, frequent=True)
_get = Statement("job/get", JobRow._make, frequent=True)
_attempts = Statement("job/attempts", FailedAttempt._make)
_active_attempts = Statement[tuple[UUID, UUID, int]]("job/active_attempts", tuple)
_summaries = Statement("job/summaries", JobSummary._make, frequent=True)
_append_log = Statement[int]("job/append_log", first, frequent=True)
_read_log = Statement("job/read_log", LogLine._make)
_overdue = Statement("job/overdue", Overdue._make)
_queue_position = Statement("job/queue_position", QueuePositionRow._make)


class CompletedJobs(NamedTuple):
    """What `complete` did."""

    jobs: list[Transition]
    # Postings whose jobs are now all counted. One that is not in a final state has dependents: the caller ends it.
    postings: list[PostingProgress]
    work_waits: bool  # a job waits that the remote worker could take


_NO_SNAPSHOT: dict[str, Any] = dict.fromkeys(AccessSnapshot._fields)


async def submit_assigned(
    connection: Connection, job: NewJob, *, seen: AccessSnapshot | None
) -> DirectAssignment | None:
    """The worker it was assigned to; none when it has to wait or is refused."""
    return await _submit_assigned.one(connection, **job._asdict(), **_access_values(seen))


async def submit(
    connection: Connection,
    job: NewJob,
    *,
    run_at: datetime | None,
    unmet_dependencies: int,
    seen: AccessSnapshot | None,
) -> Submitted | None:
    return await _submit.one(
        connection, **job._asdict(), run_at=run_at, unmet_dependencies=unmet_dependencies, **_access_values(seen)
    )


def _access_values(seen: AccessSnapshot | None) -> dict[str, Any]:
    """The cached access to check; all null when access was just authorised."""
    return _NO_SNAPSHOT if seen is None else seen._asdict()


async def find_by_key(
    connection: Connection,
    *,
    submitter: UUID,
    extension_id: int,
    idempotency_key: str,
    arguments: str,
    room: str | None,
) -> IdempotentMatch | None:
    return await _find_by_key.one(
        connection,
        submitter=submitter,
        extension_id=extension_id,
        idempotency_key=idempotency_key,
        arguments=arguments,
        room=room,
    )


async def reserve_turns(
    connection: Connection, *, extension_id: int, schema_hash: str, priority: int, submitter: UUID, count: int
) -> int | None:
    return await _reserve_turns.one(
        connection,
        extension_id=extension_id,
        schema_hash=schema_hash,
        priority=priority,
        submitter=submitter,
        count=count,
    )


async def insert_chunk(
    connection: Connection,
    *,
    id_prefix: bytes,
    first_position: int,
    first_turn: int,
    extension_id: int,
    submitter: UUID,
    posting_id: UUID | None,
    arguments: str,
    room: str | None,
    priority: int,
    tries: int,
    on_worker_lost: str,
    run_at: datetime | None,
    unmet_dependencies: int,
    unique_keys: Sequence[str | None] = (),
    retry_of: Sequence[UUID] = (),
    return_ids: bool = False,
) -> InsertedChunk:
    """Insert many jobs; `unique_keys` and `retry_of` are empty or have one entry for each job."""
    inserted = await _insert_chunk.one(
        connection,
        id_prefix=id_prefix,
        first_position=first_position,
        first_turn=first_turn,
        extension_id=extension_id,
        submitter=submitter,
        posting_id=posting_id,
        arguments=arguments,
        room=room,
        priority=priority,
        tries=tries,
        on_worker_lost=on_worker_lost,
        run_at=run_at,
        unmet_dependencies=unmet_dependencies,
        unique_keys=list(unique_keys),
        retry_of=Uuids(retry_of),
        return_ids=return_ids,
    )
    assert inserted is not None
    return inserted


async def lock_unique_keys(connection: Connection, *, extension_id: int) -> None:
    await _lock_unique_keys.run(connection, extension_id=extension_id)


async def lock_dependencies(
    connection: Connection, *, jobs: Sequence[UUID], postings: Sequence[UUID]
) -> list[DependencyState]:
    """The state of each dependency; unfinished ones are marked and locked."""
    unfinished = await _lock_dependencies.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))
    if len(unfinished) == len(jobs) + len(postings):
        return unfinished
    return unfinished + await _ended_dependencies.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))


async def add_dependencies(
    connection: Connection, *, ids: Sequence[UUID], jobs: Sequence[UUID], postings: Sequence[UUID], ended: bool = False
) -> None:
    await _add_dependencies.run(connection, ids=Uuids(ids), jobs=Uuids(jobs), postings=Uuids(postings), ended=ended)


async def claim(
    connection: Connection, *, worker_id: UUID, limit: int, deprioritised: Sequence[UUID] = ()
) -> list[Claimed]:
    """Assign the worker its next jobs, but none of the deprioritised postings."""
    return await _claim.all(connection, worker_id=worker_id, limit=limit, deprioritised=Uuids(deprioritised))


async def cancel_requests(connection: Connection, worker_id: UUID) -> list[CancelRequest]:
    return await _cancel_requests.all(connection, worker_id=worker_id)


async def release_claimed(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[Transition]:
    return await _release_claimed.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def notify_pools(connection: Connection, extension_ids: Sequence[int]) -> None:
    await _notify_pools.run(connection, extension_ids=Integers(extension_ids))


async def remote_cancel_requests(connection: Connection, extension_id: int) -> list[RemoteCancelRequest]:
    return await _remote_cancel_requests.all(connection, extension_id=extension_id)


async def notify_servers(connection: Connection, extension_ids: Sequence[int]) -> None:
    await _notify_servers.run(connection, extension_ids=Integers(extension_ids))


async def start(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[Transition]:
    return await _start.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def complete(
    connection: Connection,
    *,
    worker_id: UUID,
    ids: Sequence[UUID],
    attempts: Sequence[int],
    waited_ms: Sequence[float | None],
    ran_ms: Sequence[float | None],
    results: str,
    standalone: bool,
    incarnation: int | None = None,
) -> CompletedJobs:
    """Complete jobs. `standalone`: the statement is its own transaction, see `job/complete.sql`."""
    rows = await _complete.all(
        connection,
        worker_id=worker_id,
        ids=Uuids(ids),
        attempts=Integers(attempts),
        waited_ms=reals(waited_ms),
        ran_ms=reals(ran_ms),
        results=results,
        standalone=standalone,
        incarnation=incarnation,
    )
    return CompletedJobs(
        [Transition(*row[1:11]) for row in rows if row.kind == "job"],
        [PostingProgress(row.id, row.state, row.has_dependents) for row in rows if row.kind == "posting"],
        any(row.work_waits for row in rows),
    )


async def complete_one(
    connection: Connection, success: Success, *, worker_id: UUID, incarnation: int | None
) -> CompletedJobs:
    """The same for a single job, standalone."""
    row = await _complete_one.one(connection, **success._asdict(), worker_id=worker_id, incarnation=incarnation)
    if row is None:
        return CompletedJobs([], [], False)
    *columns, work_waits, posting_status, posting_has_dependents = row
    job = Transition(*columns)
    if job.posting_id is None:
        return CompletedJobs([job], [], work_waits)
    # As `complete` returns it: jobs of postings are counted, not listed.
    counted = Transition(job.posting_id, 0, job.extension_id, job.posting_id, None, job.state, False)
    ended = [] if posting_status is None else [PostingProgress(job.posting_id, posting_status, posting_has_dependents)]
    return CompletedJobs([counted], ended, work_waits)


async def fail(
    connection: Connection,
    *,
    worker_id: UUID,
    ids: Sequence[UUID],
    attempts: Sequence[int],
    waited_ms: Sequence[float | None],
    ran_ms: Sequence[float | None],
    jitter: Sequence[float],
    errors: str,
) -> list[Transition]:
    return await _fail.all(
        connection,
        worker_id=worker_id,
        ids=Uuids(ids),
        attempts=Integers(attempts),
        waited_ms=reals(waited_ms),
        ran_ms=reals(ran_ms),
        jitter=reals(jitter),
        errors=errors,
    )


async def confirm_cancel(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[Transition]:
    return await _confirm_cancel.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def cancel(connection: Connection, *, ids: Sequence[UUID]) -> list[CancelResult]:
    return await _cancel.all(connection, ids=Uuids(ids))


async def cancel_of_extension(connection: Connection, extension_id: int) -> list[PostingCancelResult]:
    """Jobs of postings without dependents come as one row for each posting, with their number."""
    return await _cancel_of_extension.all(connection, extension_id=extension_id)


async def unconfirmed(connection: Connection, worker_id: UUID) -> list[Claimed]:
    """The jobs that a remote worker has not confirmed and that are not to be cancelled."""
    return await _unconfirmed.all(connection, worker_id=worker_id)


async def release_unconfirmed(
    connection: Connection, *, seconds: float, lease_seconds: float, gap_seconds: float
) -> list[ReleasedJob]:
    return await _release_unconfirmed.all(
        connection, seconds=seconds, lease_seconds=lease_seconds, gap_seconds=gap_seconds
    )


async def rescue(connection: Connection, *, max_losses: int) -> list[Transition]:
    return await _rescue.all(connection, max_losses=max_losses)


async def unblock(connection: Connection, *, jobs: Sequence[UUID], postings: Sequence[UUID]) -> list[Transition]:
    return await _unblock.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))


async def fail_dependents(
    connection: Connection, *, jobs: Sequence[UUID], postings: Sequence[UUID]
) -> list[Transition]:
    return await _fail_dependents.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))


async def promote_due(connection: Connection, *, limit: int) -> list[Transition]:
    return await _promote_due.all(connection, limit=limit)


async def next_due(connection: Connection) -> float | None:
    return await _next_due.one(connection)


async def prune(connection: Connection, *, made_before: UUID, ended_before: datetime, limit: int) -> int:
    return await _prune.run(connection, made_before=made_before, ended_before=ended_before, limit=limit)


async def prune_fair_turns(connection: Connection, *, seconds: float, limit: int) -> int:
    return await _prune_fair_turns.run(connection, seconds=seconds, limit=limit)


async def snapshots(connection: Connection, *, ids: Sequence[UUID]) -> list[JobSnapshot]:
    return await _snapshots.all(connection, ids=Uuids(ids))


async def retried(connection: Connection, ids: Sequence[UUID]) -> list[RetriedJob]:
    return await _retried.all(connection, ids=Uuids(ids))


async def recorded_failures(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[RecordedFailure]:
    return await _recorded_failures.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def progress(
    connection: Connection,
    *,
    id: UUID,
    worker_id: UUID,
    attempt: int,
    fraction: float | None,
    message: str,
) -> UUID | None:
    return await _progress.one(
        connection, id=id, worker_id=worker_id, attempt=attempt, fraction=fraction, message=message
    )


async def get(connection: Connection, id: UUID) -> JobRow | None:
    return await _get.one(connection, id=id)


async def attempts(connection: Connection, id: UUID) -> list[FailedAttempt]:
    return await _attempts.all(connection, id=id)


async def queue_position(connection: Connection, id: UUID, *, bound: int) -> QueuePositionRow | None:
    return await _queue_position.one(connection, id=id, bound=bound)


async def active_attempts(
    connection: Connection, attempts: Sequence[tuple[UUID, UUID, int]]
) -> list[tuple[UUID, UUID, int]]:
    """Those of these attempts (job, worker, attempt) that still have their job."""
    return await _active_attempts.all(
        connection,
        ids=Uuids([attempt[0] for attempt in attempts]),
        worker_ids=Uuids([attempt[1] for attempt in attempts]),
        attempts=Integers([attempt[2] for attempt in attempts]),
    )


async def summaries(connection: Connection, ids: Sequence[UUID]) -> list[JobSummary]:
    return await _summaries.all(connection, ids=Uuids(ids))


async def append_log(
    connection: Connection, *, id: UUID, worker_id: UUID, attempt: int, lines: Sequence[str], keep: int
) -> int | None:
    """The number of the first line; none when the attempt is lost."""
    return await _append_log.one(connection, id=id, worker_id=worker_id, attempt=attempt, lines=list(lines), keep=keep)


async def read_log(connection: Connection, id: UUID, *, after: int, limit: int) -> list[LogLine]:
    return await _read_log.all(connection, id=id, after=after, limit=limit)


async def overdue(
    connection: Connection, kinds: Sequence[str], *, grace_seconds: float, lease_seconds: float, gap_seconds: float
) -> list[Overdue]:
    return await _overdue.all(
        connection,
        kinds=list(kinds),
        grace_seconds=grace_seconds,
        lease_seconds=lease_seconds,
        gap_seconds=gap_seconds,
    )
