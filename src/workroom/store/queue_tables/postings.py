"""Rows of postings, and one function for each statement of `sql/posting`; long because they are many."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from workroom.domain.ids import first_and_last
from workroom.store.array_parameters import Integers, Uuids
from workroom.store.queue_tables.job_rows import JobSummary, Transition, WaitFacts
from workroom.store.statement import Connection, Statement, first


class PostingRow(NamedTuple):
    id: UUID
    extension_id: int
    submitter: UUID
    room: str | None
    label: str
    status: str
    priority: int
    tries: int
    total: int
    completed: int
    failed: int
    cancelled: int
    created_at: datetime
    finished_at: datetime | None
    scope: str
    category: str
    name: str  # of the function or extension
    submitter_name: str | None
    unique_key: str | None
    by_job: UUID | None
    duplicates: int  # calls left out because an unfinished job had the same key

    @property
    def ended(self) -> int:
        return self.completed + self.failed + self.cancelled


class NewPosting(NamedTuple):
    """A posting to insert."""

    id: UUID
    extension_id: int
    submitter: UUID
    room: str | None
    label: str
    priority: int
    tries: int
    timeout_seconds: float | None
    backoff_base: float | None
    backoff_cap: float | None
    on_worker_lost: str
    unique_key: str | None
    by_job: UUID | None
    posted_by: UUID | None  # the submitter, or the owner of the worker whose job posts


class PostingProgress(NamedTuple):
    """A posting after some of its jobs have ended."""

    id: UUID
    status: str
    has_dependents: bool  # a job depends on it


class Resumed(NamedTuple):
    """A resumed posting, and the queue its jobs join."""

    extension_id: int
    priority: int
    submitter: UUID


class PostingCancelResult(NamedTuple):
    """A job of a cancelled posting that ended at once, or whose worker must confirm; or several ended jobs."""

    id: UUID
    attempt: int
    extension_id: int
    posting_id: UUID | None
    room: str | None
    state: str
    has_dependents: bool
    worker_id: UUID | None
    jobs: int

    def moved(self) -> Transition:
        return Transition(*self[:7], jobs=self.jobs)


class JobOutcome(NamedTuple):
    id: UUID
    state: str
    result: Any
    error: Any
    more: bool  # whether further jobs may follow


class PostedJob(NamedTuple):
    """A job of a posting with its arguments."""

    job: JobSummary
    arguments: Any

    @classmethod
    def one(cls, row: Sequence[Any]) -> PostedJob:
        return cls(JobSummary._make(row[:-1]), row[-1])


class FailedJob(NamedTuple):
    id: UUID
    attempt: int
    arguments: Any
    error: Any


_post_assigned = Statement[bool]("posting/post_assigned", first, frequent=True)
_post = Statement[bool]("posting/post", first, frequent=True)
_create = Statement[UUID]("posting/create", first)
_find_by_key = Statement[UUID]("posting/find_by_key", first)
_seal = Statement[None]("posting/seal", first)
_counted_open = Statement[UUID]("posting/counted_open", first)
_count_ended_jobs = Statement("posting/count_ended_jobs", PostingProgress._make, frequent=True)
_get = Statement("posting/get", PostingRow._make)
_prune = Statement[None]("posting/prune", first)
_list_open = Statement("posting/list_open", PostingRow._make)
_hidden_from_submitter = Statement[UUID]("posting/hidden_from_submitter", first)
_count_active = Statement[int]("posting/count_active", first)
_count_active_many = Statement[tuple[UUID, int]]("posting/count_active_many", lambda row: (row[0], row[1]))
_wait_facts = Statement("posting/wait_facts", WaitFacts._make)
_pause = Statement[int]("posting/pause", first)
_hold_waiting_jobs = Statement[int]("posting/hold_waiting_jobs", first)
_paused_at_worker = Statement[UUID]("posting/paused_at_worker", first)
_resume = Statement("posting/resume", Resumed._make)
_requeue_held_jobs = Statement[int]("posting/requeue_held_jobs", first)
_cancel = Statement("posting/cancel", PostingCancelResult._make)
_notify_ended = Statement[None]("posting/notify_ended", first)
_outcomes = Statement("posting/outcomes", JobOutcome._make)


async def post_assigned(connection: Connection, posting: NewPosting, *, schema_hash: str, argument: str) -> bool:
    """Whether the call was sent to an idle pool process; if not, nothing was written."""
    values = posting._asdict()
    return bool(await _post_assigned.one(connection, **values, schema_hash=schema_hash, argument=argument))


async def post(
    connection: Connection,
    posting: NewPosting,
    *,
    schema_hash: str,
    run_at: datetime | None,
    count: int,
    arguments: str,
) -> bool | None:
    """Whether a remote worker offers the extension; none when it was removed or has another schema."""
    return await _post.one(
        connection,
        **posting._asdict(),
        id_prefix=posting.id.bytes[:12],
        schema_hash=schema_hash,
        run_at=run_at,
        count=count,
        arguments=arguments,
    )


async def create(connection: Connection, posting: NewPosting) -> UUID | None:
    """The id; none when the key was used before."""
    return await _create.one(connection, **posting._asdict())


async def find_by_key(connection: Connection, *, submitter: UUID, extension_id: int, unique_key: str) -> UUID | None:
    return await _find_by_key.one(connection, submitter=submitter, extension_id=extension_id, unique_key=unique_key)


async def seal(connection: Connection, id: UUID, *, count: int, duplicates: int = 0) -> None:
    """Record that all `count` jobs of the posting are written."""
    await _seal.run(connection, id=id, count=count, duplicates=duplicates)


async def counted_open(connection: Connection) -> list[UUID]:
    """Postings that are open although all their jobs are counted."""
    return await _counted_open.all(connection)


async def count_ended_jobs(
    connection: Connection,
    *,
    ids: Sequence[UUID],
    completed: Sequence[int],
    failed: Sequence[int],
    cancelled: Sequence[int],
) -> list[PostingProgress]:
    return await _count_ended_jobs.all(
        connection,
        ids=Uuids(ids),
        completed=Integers(completed),
        failed=Integers(failed),
        cancelled=Integers(cancelled),
    )


async def get(connection: Connection, id: UUID) -> PostingRow | None:
    return await _get.one(connection, id=id)


async def prune(connection: Connection, *, ended_before: datetime, limit: int) -> int:
    return await _prune.run(connection, ended_before=ended_before, limit=limit)


async def list_postings(
    connection: Connection,
    *,
    statuses: Sequence[str] | None = None,
    name: str | None = None,
    room: str | None = None,
    submitter: UUID | None = None,
    visible_to: UUID | None = None,
    job: tuple[UUID, str | None] | None = None,
    before: UUID | None = None,
    limit: int,
) -> list[PostingRow]:
    """Postings that match all filters, newest first. `job` is a job and its room: it sees its own and the room's."""
    given = {
        "statuses": None if statuses is None else list(statuses),
        "name": name,
        "room": room,
        "submitter": submitter,
        "visible_to": visible_to,
        "before": before,
    }
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if job is not None:
        values |= {"by_job": job[0], "job_room": job[1]}
    return await _listing(frozenset(values)).all(connection, limit=limit, **values)


@cache
def _listing(filters: frozenset[str]) -> Statement[PostingRow]:
    return Statement("posting/list", PostingRow._make, filters=filters)


async def list_open(connection: Connection, *, since: UUID, ids: Sequence[UUID]) -> list[PostingRow]:
    """Open postings, those made after `since`, and those with these ids."""
    return await _list_open.all(connection, since=since, ids=Uuids(ids))


async def hidden_from_submitter(connection: Connection, ids: Sequence[UUID]) -> list[UUID]:
    """Those of these postings whose submitter may no longer read their room."""
    return await _hidden_from_submitter.all(connection, ids=Uuids(ids))


async def count_active(connection: Connection, id: UUID, *, extension_id: int) -> int:
    return await _count_active.one(connection, id=id, extension_id=extension_id) or 0


async def count_active_many(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, int]:
    return dict(await _count_active_many.all(connection, ids=Uuids(ids)))


async def wait_facts(connection: Connection, ids: Sequence[UUID]) -> list[WaitFacts]:
    ranges = [first_and_last(posting) for posting in ids]
    return await _wait_facts.all(
        connection,
        ids=Uuids(ids),
        firsts=Uuids([start for start, _ in ranges]),
        lasts=Uuids([stop for _, stop in ranges]),
    )


async def pause(connection: Connection, id: UUID) -> int | None:
    """The extension; none when the posting has ended."""
    return await _pause.one(connection, id=id)


async def hold_waiting_jobs(connection: Connection, id: UUID) -> int:
    """How many jobs were held."""
    start, stop = first_and_last(id)
    return await _hold_waiting_jobs.one(connection, id=id, first=start, last=stop) or 0


async def paused_at_worker(connection: Connection, worker_id: UUID) -> list[UUID]:
    return await _paused_at_worker.all(connection, worker_id=worker_id)


async def resume(connection: Connection, id: UUID) -> Resumed | None:
    """None when the posting is not paused."""
    return await _resume.one(connection, id=id)


async def requeue_held_jobs(connection: Connection, id: UUID, line: Resumed) -> int:
    """How many jobs were queued again."""
    start, stop = first_and_last(id)
    return await _requeue_held_jobs.one(connection, id=id, first=start, last=stop, **line._asdict()) or 0


async def cancel(connection: Connection, id: UUID) -> list[PostingCancelResult]:
    start, stop = first_and_last(id)
    return await _cancel.all(connection, id=id, first=start, last=stop)


async def jobs(
    connection: Connection, id: UUID, *, start: UUID, states: Sequence[str] | None, limit: int, most_bytes: int
) -> list[PostedJob]:
    """Its jobs in order, from the id `start` on."""
    values: dict[str, Any] = {} if states is None else {"states": list(states)}
    stop = first_and_last(id)[1]
    return await _jobs(states is not None).all(
        connection, posting_id=id, first=start, last=stop, limit=limit, bytes=most_bytes, **values
    )


@cache
def _jobs(by_state: bool) -> Statement[PostedJob]:
    return Statement("posting/jobs", PostedJob.one, filters=frozenset({"states"} if by_state else ()))


async def notify_ended(connection: Connection, ids: Sequence[UUID]) -> None:
    await _notify_ended.run(connection, ids=Uuids(ids))


async def outcomes(connection: Connection, id: UUID, *, start: UUID, limit: int, most_bytes: int) -> list[JobOutcome]:
    """Outcomes of its jobs in order, from the id `start` on."""
    stop = first_and_last(id)[1]
    return await _outcomes.all(connection, posting_id=id, first=start, last=stop, limit=limit, bytes=most_bytes)


async def failures(
    connection: Connection,
    id: UUID,
    *,
    start: UUID,
    limit: int,
    most_bytes: int,
    error_type: str | None = None,
    error_place: str | None = None,
) -> list[FailedJob]:
    """Its failed jobs in order, from the id `start` on; only those with this error, if one is given."""
    given = {"error_type": error_type, "error_place": error_place}
    values = {name: value for name, value in given.items() if value is not None}
    stop = first_and_last(id)[1]
    return await _failures(frozenset(values)).all(
        connection, posting_id=id, first=start, last=stop, limit=limit, bytes=most_bytes, **values
    )


@cache
def _failures(filters: frozenset[str]) -> Statement[FailedJob]:
    return Statement("posting/failures", FailedJob._make, filters=filters)
