"""One function for each statement of `sql/posting`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.domain.ids import first_and_last
from workroom.store.arrays import Integers, Uuids
from workroom.store.job_rows import Moved
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


class Counted(NamedTuple):
    """A posting after some of its jobs have ended."""

    id: UUID
    status: str
    awaited: bool  # a job depends on it


class Resumed(NamedTuple):
    extension_id: int
    jobs: int  # how many go on


class CalledOff(NamedTuple):
    """A job of a cancelled posting that was cancelled at once, or whose worker must be asked; or several alike."""

    id: UUID
    attempt: int
    extension_id: int
    posting_id: UUID | None
    room: str | None
    state: str
    awaited: bool
    worker_id: UUID | None
    jobs: int

    def moved(self) -> Moved:
        return Moved(*self[:7], jobs=self.jobs)


class JobOutcome(NamedTuple):
    id: UUID
    state: str
    result: Any
    error: Any


class FailedJob(NamedTuple):
    id: UUID
    attempt: int
    arguments: Any
    error: Any


_create = Statement[None]("posting/create", first)
_grow = Statement("posting/grow", Counted._make)
_count = Statement("posting/count", Counted._make)
_get = Statement("posting/get", PostingRow._make)
_prune = Statement[None]("posting/prune", first)
_pause = Statement[int]("posting/pause", first)
_resume = Statement("posting/resume", Resumed._make)
_cancel = Statement("posting/cancel", CalledOff._make)
_outcomes = Statement("posting/outcomes", JobOutcome._make)
_failures = Statement("posting/failures", FailedJob._make)


async def create(
    connection: Connection,
    *,
    id: UUID,
    extension_id: int,
    submitter: UUID,
    room: str | None,
    label: str,
    priority: int,
    tries: int,
    timeout_seconds: float | None,
    backoff_base: float | None,
    backoff_cap: float | None,
    on_worker_lost: str,
) -> None:
    await _create.run(
        connection,
        id=id,
        extension_id=extension_id,
        submitter=submitter,
        room=room,
        label=label,
        priority=priority,
        tries=tries,
        timeout_seconds=timeout_seconds,
        backoff_base=backoff_base,
        backoff_cap=backoff_cap,
        on_worker_lost=on_worker_lost,
    )


async def grow(connection: Connection, id: UUID, *, count: int, sealed: bool) -> Counted | None:
    return await _grow.one(connection, id=id, count=count, sealed=sealed)


async def count(
    connection: Connection,
    *,
    ids: Sequence[UUID],
    completed: Sequence[int],
    failed: Sequence[int],
    cancelled: Sequence[int],
) -> list[Counted]:
    return await _count.all(
        connection,
        ids=Uuids(ids),
        completed=Integers(completed),
        failed=Integers(failed),
        cancelled=Integers(cancelled),
    )


async def get(connection: Connection, id: UUID) -> PostingRow | None:
    return await _get.one(connection, id=id)


async def prune(connection: Connection, *, ended_before: datetime) -> int:
    return await _prune.run(connection, ended_before=ended_before)


async def pause(connection: Connection, id: UUID) -> int | None:
    """How many jobs were parked; none when the posting is not executing."""
    start, stop = first_and_last(id)
    return await _pause.one(connection, id=id, first=start, last=stop)


async def resume(connection: Connection, id: UUID) -> Resumed | None:
    """None when the posting is not paused."""
    start, stop = first_and_last(id)
    return await _resume.one(connection, id=id, first=start, last=stop)


async def cancel(connection: Connection, id: UUID) -> list[CalledOff]:
    start, stop = first_and_last(id)
    return await _cancel.all(connection, id=id, first=start, last=stop)


async def outcomes(connection: Connection, id: UUID, *, start: UUID, limit: int) -> list[JobOutcome]:
    """What became of the jobs, in their order, from the one with the id `start` on."""
    stop = first_and_last(id)[1]
    return await _outcomes.all(connection, posting_id=id, first=start, last=stop, limit=limit)


async def failures(connection: Connection, id: UUID, *, start: UUID, limit: int) -> list[FailedJob]:
    stop = first_and_last(id)[1]
    return await _failures.all(connection, posting_id=id, first=start, last=stop, limit=limit)
