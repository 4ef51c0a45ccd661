"""One function for each statement of `sql/job`. It is long because they are many; their rows are in `job_rows`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from workroom.store.arrays import Integers, Uuids, reals
from workroom.store.queue_tables.job_rows import (
    CancelRequest,
    CancelResult,
    Claimed,
    CompletedJob,
    CompletedPostedJob,
    DependencyState,
    DirectAssignment,
    FailedAttempt,
    IdempotentMatch,
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
    Submitted,
    Success,
    Transition,
)
from workroom.store.room_tables.rooms import AccessSnapshot
from workroom.store.statement import Connection, Statement, first

_submit_straight = Statement("job/submit_straight", DirectAssignment._make, often=True)
_submit_straight_keyed = Statement(
    "job/submit_straight", DirectAssignment._make, wanted=frozenset({"keyed"}), often=True
)
_submit = Statement("job/submit", Submitted._make)
_find_by_key = Statement("job/find_by_key", IdempotentMatch._make)
_reserve_turns = Statement[int]("job/reserve_turns", first)
_submit_many = Statement[None]("job/submit_many", first)
_hold_keys = Statement[None]("job/hold_keys", first)
_submit_unique = Statement[UUID]("job/submit_unique", first)
_await_needs = Statement("job/await_needs", DependencyState._make)
_ended_needs = Statement("job/ended_needs", DependencyState._make)
_depend = Statement[None]("job/depend", first)
_claim = Statement("job/claim", Claimed._make, wanted=frozenset({"pool"}))
_claim_others = Statement("job/claim", Claimed._make, wanted=frozenset({"pool", "set_aside"}))
_claim_remote = Statement("job/claim", Claimed.one, wanted=frozenset({"remote"}))
_cancelling = Statement("job/cancelling", CancelRequest._make)
_cancelling_afar = Statement("job/cancelling_afar", RemoteCancelRequest._make)
_give_back = Statement("job/give_back", Transition.one)
_hint = Statement[None]("job/hint", first)
_hint_server = Statement[None]("job/hint_server", first)
_start = Statement("job/start", Transition.one)
_succeed = Statement("job/succeed", Transition._make, wanted=frozenset({"counted"}))
_succeed_at_once = Statement("job/succeed", Transition._make, wanted=frozenset({"counted", "at_once"}))
_succeed_alone = Statement("job/succeed", CompletedJob.made, wanted=frozenset({"alone"}))
_succeed_one_alone = Statement("job/succeed_one", CompletedJob.made, wanted=frozenset({"alone"}), often=True)
_succeed_one_at_once = Statement("job/succeed_one", CompletedPostedJob.made, wanted=frozenset({"at_once"}), often=True)
_fail = Statement("job/fail", Transition.one)
_confirm_cancel = Statement("job/confirm_cancel", Transition.one)
_cancel = Statement("job/cancel", CancelResult._make)
_release_unconfirmed = Statement("job/release_unconfirmed", ReleasedJob._make)
_rescue = Statement("job/rescue", Transition.one)
_unblock = Statement("job/unblock", Transition.one)
_abandon = Statement("job/abandon", Transition.one)
_come_due = Statement("job/come_due", Transition.one)
_next_due = Statement[float]("job/next_due", first)
_prune = Statement[None]("job/prune", first)
_stand = Statement("job/stand", JobSnapshot._make)
_remembered = Statement("job/remembered", RecordedFailure._make)
_progress = Statement[UUID]("job/progress", first)
_get = Statement("job/get", JobRow._make)
_attempts = Statement("job/attempts", FailedAttempt._make)
_summaries = Statement("job/summaries", JobSummary._make)
_log = Statement[int]("job/log", first)
_logs = Statement("job/logs", LogLine._make)
_overdue = Statement("job/overdue", Overdue._make)
_place = Statement("job/place", QueuePositionRow._make)

_NOT_REMEMBERED: dict[str, Any] = dict.fromkeys(AccessSnapshot._fields)


async def submit_assigned(
    connection: Connection, job: NewJob, *, seen: AccessSnapshot | None
) -> DirectAssignment | None:
    """Whom it was handed to; none when it has to wait, if it may come in at all."""
    statement = _submit_straight if job.idempotency_key is None else _submit_straight_keyed
    return await statement.one(connection, **job._asdict(), **_as_seen(seen))


async def submit(
    connection: Connection,
    job: NewJob,
    *,
    run_at: datetime | None,
    unmet_dependencies: int,
    seen: AccessSnapshot | None,
) -> Submitted | None:
    return await _submit.one(
        connection, **job._asdict(), run_at=run_at, unmet_dependencies=unmet_dependencies, **_as_seen(seen)
    )


def _as_seen(seen: AccessSnapshot | None) -> dict[str, Any]:
    """Who the submitter was in the room when last looked at; all null when that was just now."""
    return _NOT_REMEMBERED if seen is None else seen._asdict()


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


async def submit_many(
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
    retry_of: Sequence[UUID] = (),
) -> None:
    await _submit_many.run(
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
        retry_of=Uuids(retry_of),
    )


async def hold_keys(connection: Connection, *, extension_id: int) -> None:
    await _hold_keys.run(connection, extension_id=extension_id)


async def submit_unique(
    connection: Connection,
    *,
    id_prefix: bytes,
    first_position: int,
    first_turn: int,
    extension_id: int,
    submitter: UUID,
    posting_id: UUID,
    arguments: str,
    keys: Sequence[str | None],
    room: str | None,
    priority: int,
    tries: int,
    on_worker_lost: str,
    run_at: datetime | None,
    unmet_dependencies: int,
) -> list[UUID]:
    """The ids of those that were queued."""
    return await _submit_unique.all(
        connection,
        id_prefix=id_prefix,
        first_position=first_position,
        first_turn=first_turn,
        extension_id=extension_id,
        submitter=submitter,
        posting_id=posting_id,
        arguments=arguments,
        keys=list(keys),
        room=room,
        priority=priority,
        tries=tries,
        on_worker_lost=on_worker_lost,
        run_at=run_at,
        unmet_dependencies=unmet_dependencies,
    )


async def await_needs(
    connection: Connection, *, jobs: Sequence[UUID], postings: Sequence[UUID]
) -> list[DependencyState]:
    """How each of these stands; those that have not ended are marked and locked."""
    awaited = await _await_needs.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))
    if len(awaited) == len(jobs) + len(postings):
        return awaited
    return awaited + await _ended_needs.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))


async def depend(
    connection: Connection, *, ids: Sequence[UUID], jobs: Sequence[UUID], postings: Sequence[UUID]
) -> None:
    await _depend.run(connection, ids=Uuids(ids), jobs=Uuids(jobs), postings=Uuids(postings))


async def claim(
    connection: Connection, *, worker_id: UUID, limit: int, set_aside: Sequence[UUID] = ()
) -> list[Claimed]:
    """The worker's next jobs, but none of the postings it has set aside."""
    if set_aside:
        return await _claim_others.all(connection, worker_id=worker_id, limit=limit, set_aside=Uuids(set_aside))
    return await _claim.all(connection, worker_id=worker_id, limit=limit)


async def claim_remote(connection: Connection, *, worker_id: UUID, limit: int) -> list[Claimed]:
    """A remote worker's next jobs; of functions, those it may be trusted with."""
    return await _claim_remote.all(connection, worker_id=worker_id, limit=limit)


async def cancelling(connection: Connection, worker_id: UUID) -> list[CancelRequest]:
    return await _cancelling.all(connection, worker_id=worker_id)


async def give_back(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[Transition]:
    return await _give_back.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def hint(connection: Connection, extension_ids: Sequence[int]) -> None:
    await _hint.run(connection, extension_ids=Integers(extension_ids))


async def cancelling_afar(connection: Connection, extension_id: int) -> list[RemoteCancelRequest]:
    return await _cancelling_afar.all(connection, extension_id=extension_id)


async def hint_server(connection: Connection, extension_ids: Sequence[int]) -> None:
    await _hint_server.run(connection, extension_ids=Integers(extension_ids))


async def start(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[Transition]:
    return await _start.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def succeed(
    connection: Connection,
    *,
    worker_id: UUID,
    ids: Sequence[UUID],
    attempts: Sequence[int],
    waited_ms: Sequence[float | None],
    ran_ms: Sequence[float | None],
    results: str,
    at_once: bool = False,
) -> list[Transition]:
    """The jobs that moved. `at_once` counts them in their postings, too, and tells with no jobs which of these ended;
    of jobs and postings that others wait for it keeps away."""
    statement = _succeed_at_once if at_once else _succeed
    return await statement.all(
        connection,
        worker_id=worker_id,
        ids=Uuids(ids),
        attempts=Integers(attempts),
        waited_ms=reals(waited_ms),
        ran_ms=reals(ran_ms),
        results=results,
    )


async def succeed_alone(
    connection: Connection,
    *,
    worker_id: UUID,
    incarnation: int,
    ids: Sequence[UUID],
    attempts: Sequence[int],
    waited_ms: Sequence[float | None],
    ran_ms: Sequence[float | None],
    results: str,
) -> list[CompletedJob]:
    """The same by itself, outside a transaction: only for jobs from whose end nothing follows."""
    return await _succeed_alone.all(
        connection,
        worker_id=worker_id,
        incarnation=incarnation,
        ids=Uuids(ids),
        attempts=Integers(attempts),
        waited_ms=reals(waited_ms),
        ran_ms=reals(ran_ms),
        results=results,
    )


async def succeed_one_alone(
    connection: Connection, one: Success, *, worker_id: UUID, incarnation: int
) -> CompletedJob | None:
    """The same for a single job."""
    return await _succeed_one_alone.one(connection, **one._asdict(), worker_id=worker_id, incarnation=incarnation)


async def succeed_one_at_once(connection: Connection, one: Success, *, worker_id: UUID) -> CompletedPostedJob | None:
    """What `succeed` does at once, for a single job."""
    return await _succeed_one_at_once.one(connection, **one._asdict(), worker_id=worker_id)


async def fail(
    connection: Connection,
    *,
    worker_id: UUID,
    ids: Sequence[UUID],
    attempts: Sequence[int],
    waited_ms: Sequence[float | None],
    ran_ms: Sequence[float | None],
    lucks: Sequence[float],
    errors: str,
) -> list[Transition]:
    return await _fail.all(
        connection,
        worker_id=worker_id,
        ids=Uuids(ids),
        attempts=Integers(attempts),
        waited_ms=reals(waited_ms),
        ran_ms=reals(ran_ms),
        lucks=reals(lucks),
        errors=errors,
    )


async def confirm_cancel(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[Transition]:
    return await _confirm_cancel.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


async def cancel(connection: Connection, *, ids: Sequence[UUID]) -> list[CancelResult]:
    return await _cancel.all(connection, ids=Uuids(ids))


async def release_unconfirmed(connection: Connection, *, seconds: float) -> list[ReleasedJob]:
    return await _release_unconfirmed.all(connection, seconds=seconds)


async def rescue(connection: Connection, *, max_losses: int) -> list[Transition]:
    return await _rescue.all(connection, max_losses=max_losses)


async def unblock(connection: Connection, *, jobs: Sequence[UUID], postings: Sequence[UUID]) -> list[Transition]:
    return await _unblock.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))


async def abandon(connection: Connection, *, jobs: Sequence[UUID], postings: Sequence[UUID]) -> list[Transition]:
    return await _abandon.all(connection, jobs=Uuids(jobs), postings=Uuids(postings))


async def come_due(connection: Connection, *, limit: int) -> list[Transition]:
    return await _come_due.all(connection, limit=limit)


async def next_due(connection: Connection) -> float | None:
    return await _next_due.one(connection)


async def prune(connection: Connection, *, made_before: UUID, ended_before: datetime, limit: int) -> int:
    return await _prune.run(connection, made_before=made_before, ended_before=ended_before, limit=limit)


async def snapshots(connection: Connection, *, ids: Sequence[UUID]) -> list[JobSnapshot]:
    return await _stand.all(connection, ids=Uuids(ids))


async def remembered(
    connection: Connection, *, worker_id: UUID, ids: Sequence[UUID], attempts: Sequence[int]
) -> list[RecordedFailure]:
    return await _remembered.all(connection, worker_id=worker_id, ids=Uuids(ids), attempts=Integers(attempts))


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
    return await _place.one(connection, id=id, bound=bound)


async def list_jobs(
    connection: Connection,
    *,
    room: str | None = None,
    states: Sequence[str] | None = None,
    submitter: UUID | None = None,
    worker_id: UUID | None = None,
    category: str | None = None,
    name: str | None = None,
    before: UUID | None = None,
    limit: int,
) -> list[JobSummary]:
    """Jobs that fit everything asked for, newest first."""
    asked = {
        "room": room,
        "states": None if states is None else list(states),
        "submitter": submitter,
        "worker_id": worker_id,
        "category": category,
        "name": name,
        "before": before,
    }
    values = {word: value for word, value in asked.items() if value is not None}
    wanted = set(values)
    if states is not None and set(states) == {"failed"}:
        # Said as a constant, it finds the index of failed jobs.
        wanted = wanted - {"states"} | {"failed"}
    if states is not None and set(states) <= {"assigned", "running"}:
        wanted |= {"active"}
    return await _listing(frozenset(wanted)).all(connection, limit=limit, **values)


@cache
def _listing(wanted: frozenset[str]) -> Statement[JobSummary]:
    return Statement("job/list", JobSummary._make, wanted=wanted)


async def summaries(connection: Connection, ids: Sequence[UUID]) -> list[JobSummary]:
    return await _summaries.all(connection, ids=Uuids(ids))


async def log(
    connection: Connection, *, id: UUID, worker_id: UUID, attempt: int, lines: Sequence[str], keep: int
) -> int | None:
    """The number of the first line written; none when the attempt is lost."""
    return await _log.one(connection, id=id, worker_id=worker_id, attempt=attempt, lines=list(lines), keep=keep)


async def logs(connection: Connection, id: UUID, *, after: int, limit: int) -> list[LogLine]:
    return await _logs.all(connection, id=id, after=after, limit=limit)


async def overdue(connection: Connection, *, grace_seconds: float) -> list[Overdue]:
    return await _overdue.all(connection, grace_seconds=grace_seconds)
