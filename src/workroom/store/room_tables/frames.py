"""One function for each statement of `sql/frame`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from workroom.store.array_parameters import Longs
from workroom.store.statement import Connection, Statement, first


class NewFrame(NamedTuple):
    """A frame to insert."""

    layout_id: int
    body: bytes | memoryview


class FrameDescription(NamedTuple):
    """The layout of a frame and the change that added it; the change is none once it is deleted."""

    keys: dict[str, Any]
    change_id: UUID
    act: str | None
    label: str | None
    author: UUID | None
    author_name: str | None
    job_id: UUID | None
    extension: str | None
    parameters: dict[str, Any] | None
    machine: str | None
    at: datetime | None


_upsert_layout = Statement[int]("frame/upsert_layout", first)
_reserve = Statement[list[int]]("frame/reserve", first)
_insert_one = Statement[int]("frame/insert_one", first)
_copy = Statement[None]("frame/copy", first)
_bodies = Statement[tuple[int, bytes]]("frame/bodies", tuple)
_orphan_room = Statement[None]("frame/orphan_room", first)
_take_orphans = Statement[int]("frame/take_orphans", first)
_allow_bitmaps = Statement[None]("frame/allow_bitmaps", first)
_still_needed = Statement[int]("frame/still_needed", first)
_delete = Statement[None]("frame/delete", first)
_describe = Statement("frame/describe", FrameDescription._make)

# All rows have the same binary layout, so one struct packs a row; the driver would pack each field.
_COPY_HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_END = b"\xff\xff"
_ROW = struct.Struct(">hiqiii16si")
_COPY_BYTES = 512 * 1024


async def upsert_layout(connection: Connection, *, digest: bytes, keys: dict[str, Any]) -> int:
    while (found := await _upsert_layout.one(connection, digest=digest, keys=Jsonb(keys))) is None:
        pass  # a concurrent transaction inserts it: the next try finds it
    return found


async def write(connection: Connection, change_id: UUID, frames: Sequence[NewFrame]) -> list[int]:
    """Insert frames. Returns their ids."""
    if len(frames) == 1:
        layout_id, body = frames[0]
        return [await _insert_one.one(connection, layout_id=layout_id, change_id=change_id, body=body) or 0]
    ids = await _reserve.one(connection, count=len(frames)) or []
    change = change_id.bytes
    async with connection.cursor().copy(_copy.query) as copy:
        pieces: list[bytes | memoryview] = [_COPY_HEADER]
        size = 0
        for frame_id, (layout_id, body) in zip(ids, frames, strict=True):
            pieces += _ROW.pack(4, 8, frame_id, 4, layout_id, 16, change, len(body)), body
            size += len(body)
            if size > _COPY_BYTES:
                await copy.write(b"".join(pieces))
                pieces.clear()
                size = 0
        pieces.append(_COPY_END)
        await copy.write(b"".join(pieces))
    return ids


async def bodies(connection: Connection, ids: Sequence[int]) -> dict[int, bytes]:
    return dict(await _bodies.all(connection, ids=Longs(ids)))


async def describe(connection: Connection, *, room: int, position: int) -> FrameDescription | None:
    return await _describe.one(connection, room=room, position=position)


async def orphan_room(connection: Connection, room: str) -> None:
    await _orphan_room.run(connection, room=room)


async def take_orphans(connection: Connection, *, limit: int) -> list[int]:
    return await _take_orphans.all(connection, limit=limit)


async def still_needed(connection: Connection, ids: Sequence[int]) -> set[int]:
    """Those of these frames that a change removed which can be undone. Must run inside a transaction."""
    await _allow_bitmaps.run(connection)
    return set(await _still_needed.all(connection, ids=Longs(ids)))


async def delete(connection: Connection, ids: Sequence[int]) -> int:
    return await _delete.run(connection, ids=Longs(ids))
