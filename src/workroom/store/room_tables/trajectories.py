"""One function for each statement of `sql/trajectory`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workroom.store.array_parameters import Integers, Longs
from workroom.store.room_tables.changes import RoomData
from workroom.store.statement import Connection, Statement, first


class FrameAt(NamedTuple):
    length: int
    revision: int
    body: bytes | None  # none: no frame at this index


class FrameSpan(NamedTuple):
    revision: int
    ids: list[int] | None
    sizes: list[int] | None


_state = Statement("trajectory/state", RoomData._make)
_frame_at = Statement("trajectory/frame_at", FrameAt._make)
_frame_ids = Statement[list[int]]("trajectory/frame_ids", first)
_read_span = Statement("trajectory/read_span", FrameSpan._make)
_read_positions = Statement("trajectory/read_positions", FrameSpan._make)
_overwrite = Statement[None]("trajectory/overwrite", first)
_append = Statement[None]("trajectory/append", first)
_atom_count = Statement[int]("trajectory/atom_count", first)
_truncate = Statement[None]("trajectory/truncate", first)


async def state(connection: Connection, room: str) -> RoomData | None:
    return await _state.one(connection, room=room)


async def frame_at(connection: Connection, room: str, index: int) -> FrameAt | None:
    return await _frame_at.one(connection, room=room, index=index)


async def frame_ids(connection: Connection, room: int, start: int, stop: int) -> list[int]:
    return await _frame_ids.one(connection, room=room, start=start, stop=stop) or []


async def read_span(connection: Connection, room: int, start: int, stop: int) -> FrameSpan | None:
    return await _read_span.one(connection, room=room, start=start, stop=stop)


async def read_positions(connection: Connection, room: int, positions: Sequence[int]) -> FrameSpan | None:
    return await _read_positions.one(connection, room=room, positions=Integers(positions))


async def overwrite(connection: Connection, room: int, start: int, ids: Sequence[int]) -> None:
    await _overwrite.run(connection, room=room, start=start, ids=Longs(ids))


async def append(connection: Connection, room: int, start: int, ids: Sequence[int]) -> None:
    await _append.run(connection, room=room, start=start, ids=Longs(ids))


async def truncate(connection: Connection, room: int, length: int) -> None:
    await _truncate.run(connection, room=room, length=length)


async def atom_count(connection: Connection, room: int, *, step: int, least: int) -> int:
    """The number of atoms of the frame at `step`; if it has fewer than `least`, that of the largest frame."""
    return await _atom_count.one(connection, room=room, step=step, least=least) or 0
