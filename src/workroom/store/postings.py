"""One function for each statement of `sql/posting`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.arrays import Integers, Uuids
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


_create = Statement[None]("posting/create", first)
_grow = Statement("posting/grow", Counted._make)
_count = Statement("posting/count", Counted._make)
_get = Statement("posting/get", PostingRow._make)
_prune = Statement[None]("posting/prune", first)


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
