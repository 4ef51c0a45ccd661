"""One function for each statement of `sql/change`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from workroom.domain.rooms.splices import Splice
from workroom.store.arrays import Longs, Uuids
from workroom.store.statement import Connection, Statement, first


class RoomData(NamedTuple):
    """How far a room's data has come."""

    number: int
    length: int
    step: int
    revision: int


class LockOn(NamedTuple):
    """A live lock on what is about to be written."""

    holder: str
    message: str
    expires_at: datetime
    ours: bool
    target: str


class WritingJob(NamedTuple):
    """The job on whose behalf something is written."""

    extension: str
    parameters: dict[str, Any] | None
    machine: str | None


class Made(NamedTuple):
    revision: int
    at: datetime


class PastSplice(NamedTuple):
    """A part of what a change did to a trajectory."""

    change_id: UUID
    undone_by: UUID | None
    forgotten: bool
    start: int | None  # none, as all that follows: the change was forgotten
    removed: list[int]
    added: list[int]
    undoes: UUID | None


_hold = Statement("change/hold", RoomData._make)
_hold_if_free = Statement("change/hold_if_free", RoomData._make)
_lock_on = Statement("change/lock_on", LockOn._make)
_keep_lock = Statement[None]("change/keep_lock", first)
_job = Statement("change/job", WritingJob._make)
_make = Statement("change/make", Made._make)
_history = Statement("change/history", PastSplice._make)
_with_old = Statement[str]("change/with_old", first)
_forget = Statement[None]("change/forget", first)
_splice = Statement[None]("change/splice", first)
_splices = Statement[None]("change/splices", first)
_grow = Statement("change/grow", Made._make)


async def hold(connection: Connection, room: str) -> RoomData | None:
    return await _hold.one(connection, room=room)


async def hold_if_free(connection: Connection, room: str) -> RoomData | None:
    return await _hold_if_free.one(connection, room=room)


async def locks_on(connection: Connection, *, room: str, targets: list[str], token_hash: str) -> list[LockOn]:
    return await _lock_on.all(connection, room=room, targets=targets, token_hash=token_hash)


async def keep_lock(connection: Connection, *, room: str, token_hash: str) -> None:
    await _keep_lock.run(connection, room=room, token_hash=token_hash)


async def job(connection: Connection, *, job_id: UUID, worker_id: UUID, attempt: int) -> WritingJob | None:
    return await _job.one(connection, job_id=job_id, worker_id=worker_id, attempt=attempt)


async def make(
    connection: Connection,
    *,
    id: UUID,
    room: int,
    act: str,
    label: str,
    author: UUID,
    job_id: UUID | None,
    by: WritingJob | None,
    undo_of: UUID | None,
    length: int | None,
    step: int | None,
) -> Made:
    made = await _make.one(
        connection,
        id=id,
        room=room,
        act=act,
        label=label,
        author=author,
        job_id=job_id,
        extension=by and by.extension,
        parameters=None if by is None or by.parameters is None else Jsonb(by.parameters),
        machine=by and by.machine,
        undo_of=undo_of,
        length=length,
        step=step,
    )
    assert made is not None
    return made


async def history(connection: Connection, *, room: int, ids: Sequence[UUID]) -> list[PastSplice]:
    return await _history.all(connection, room=room, ids=Uuids(ids))


async def with_old(connection: Connection, *, kept: int, before: datetime, limit: int) -> list[str]:
    return await _with_old.all(connection, kept=kept, before=before, limit=limit)


async def forget(connection: Connection, *, room: int, kept: int, before: datetime, limit: int) -> int:
    return await _forget.run(connection, room=room, kept=kept, before=before, limit=limit)


async def splice(connection: Connection, change_id: UUID, made: Sequence[tuple[Splice, UUID | None]]) -> None:
    """Note the splices of a change, each with the change it takes back a part of, if it is an undo."""
    if len(made) == 1:
        (one, undoes), *_ = made
        await _splice.run(
            connection,
            change_id=change_id,
            ordinal=0,
            start=one.start,
            removed=Longs(one.removed),
            added=Longs(one.added),
            undoes=undoes,
        )
        return
    async with connection.cursor().copy(_splices.query) as copy:
        copy.set_types(["uuid", "int4", "int4", "int8[]", "int8[]", "uuid"])
        for ordinal, (one, undoes) in enumerate(made):
            await copy.write_row((change_id, ordinal, one.start, list(one.removed), list(one.added), undoes))


async def grow(connection: Connection, *, id: UUID, room: int, label: str) -> Made:
    made = await _grow.one(connection, id=id, room=room, label=label)
    assert made is not None
    return made
