"""Statements on changes: lock the data of a room, record a change, expire changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.domain.rooms.undo_splices import Splice
from workroom.store.array_parameters import Longs, Uuids
from workroom.store.statement import Connection, Statement, first

_ROWS_BETWEEN_PAUSES = 500


class RoomData(NamedTuple):
    """The trajectory length, the step and the revisions of a room."""

    number: int
    length: int
    step: int
    step_revision: int
    revision: int


class WritingJob(NamedTuple):
    """The job that writes, locked until the transaction ends."""

    machine: str | None


class CommittedChange(NamedTuple):
    revision: int
    at: datetime


class SpliceRow(NamedTuple):
    """One splice of a change; without a start when the change has expired."""

    change_id: UUID
    revision: int
    undone_by: UUID | None
    expired: bool
    start: int | None  # none, as all that follows, when the change has expired
    removed: list[int]
    added: list[int]
    undoes: UUID | None


_lock_room_data = Statement("change/lock_room_data", RoomData._make)
_try_lock_room_data = Statement("change/try_lock_room_data", RoomData._make)
_lock_writing_job = Statement("change/lock_writing_job", WritingJob._make)
_insert = Statement("change/insert", CommittedChange._make)
_history = Statement("change/history", SpliceRow._make)
_rooms_to_expire = Statement[str]("change/rooms_to_expire", first)
_expire = Statement[None]("change/expire", first)
_delete_expired = Statement[None]("change/delete_expired", first)
_delete_unused_origins = Statement[None]("change/delete_unused_origins", first)
_insert_splice = Statement[None]("change/insert_splice", first)
_copy_splices = Statement[None]("change/copy_splices", first)
_extend = Statement("change/extend", CommittedChange._make)


async def lock_room_data(connection: Connection, room: str) -> RoomData | None:
    return await _lock_room_data.one(connection, room=room)


async def try_lock_room_data(connection: Connection, room: str) -> RoomData | None:
    return await _try_lock_room_data.one(connection, room=room)


async def lock_writing_job(connection: Connection, *, job_id: UUID, worker_id: UUID, attempt: int) -> WritingJob | None:
    return await _lock_writing_job.one(connection, job_id=job_id, worker_id=worker_id, attempt=attempt)


async def insert(
    connection: Connection,
    *,
    id: UUID,
    room: int,
    action: str,
    label: str,
    author: UUID,
    job_id: UUID | None,
    machine: str | None,
    undo_of: UUID | None,
    length: int | None,
    step: int | None,
    bytes: int = 0,
) -> CommittedChange:
    made = await _insert.one(
        connection,
        id=id,
        room=room,
        action=action,
        label=label,
        author=author,
        job_id=job_id,
        machine=machine,
        undo_of=undo_of,
        length=length,
        step=step,
        bytes=bytes,
    )
    assert made is not None
    return made


async def history(connection: Connection, *, room: int, ids: Sequence[UUID]) -> list[SpliceRow]:
    return await _history.all(connection, room=room, ids=Uuids(ids))


async def rooms_to_expire(connection: Connection, *, kept: int, before: datetime, limit: int) -> list[str]:
    return await _rooms_to_expire.all(connection, kept=kept, before=before, limit=limit)


async def expire(connection: Connection, *, room: int, kept: int, before: datetime, limit: int) -> int:
    return await _expire.run(connection, room=room, kept=kept, before=before, limit=limit)


async def delete_expired(connection: Connection, *, made_before: UUID, before: datetime, limit: int) -> int:
    return await _delete_expired.run(connection, made_before=made_before, before=before, limit=limit)


async def delete_unused_origins(connection: Connection, *, made_before: UUID, limit: int) -> int:
    return await _delete_unused_origins.run(connection, made_before=made_before, limit=limit)


async def insert_splices(connection: Connection, change_id: UUID, made: Sequence[tuple[Splice, UUID | None]]) -> None:
    """Insert the splices of a change, each with the change that it undoes a part of, if it is an undo."""
    if len(made) == 1:
        (one, undoes), *_ = made
        await _insert_splice.run(
            connection,
            change_id=change_id,
            ordinal=0,
            start=one.start,
            removed=Longs(one.removed),
            added=Longs(one.added),
            undoes=undoes,
        )
        return
    async with connection.cursor().copy(_copy_splices.query) as copy:
        copy.set_types(["uuid", "int4", "int4", "int8[]", "int8[]", "uuid"])
        for ordinal, (one, undoes) in enumerate(made):
            await copy.write_row((change_id, ordinal, one.start, list(one.removed), list(one.added), undoes))
            if ordinal % _ROWS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)  # the driver does not pause while PostgreSQL takes the rows


async def extend(connection: Connection, *, id: UUID, room: int, label: str) -> CommittedChange:
    made = await _extend.one(connection, id=id, room=room, label=label)
    assert made is not None
    return made
