"""One function for each statement of `sql/trajectory`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workroom.store.arrays import Integers, Longs
from workroom.store.room_tables.changes import RoomData
from workroom.store.statement import Connection, Statement, first


class FrameAt(NamedTuple):
    length: int
    revision: int
    body: bytes | None  # none: there is no frame at this index


class FramesThere(NamedTuple):
    revision: int
    ids: list[int] | None
    sizes: list[int] | None


_state = Statement("trajectory/state", RoomData._make)
_one = Statement("trajectory/one", FrameAt._make)
_span = Statement[list[int]]("trajectory/span", first)
_read_span = Statement("trajectory/read_span", FramesThere._make)
_read_places = Statement("trajectory/read_places", FramesThere._make)
_set = Statement[None]("trajectory/set", first)
_grow = Statement[None]("trajectory/grow", first)
_shrink = Statement[None]("trajectory/shrink", first)


async def state(connection: Connection, room: str) -> RoomData | None:
    return await _state.one(connection, room=room)


async def one(connection: Connection, room: str, index: int) -> FrameAt | None:
    return await _one.one(connection, room=room, index=index)


async def span(connection: Connection, room: int, start: int, stop: int) -> list[int]:
    return await _span.one(connection, room=room, start=start, stop=stop) or []


async def read_span(connection: Connection, room: int, start: int, stop: int) -> FramesThere | None:
    return await _read_span.one(connection, room=room, start=start, stop=stop)


async def read_places(connection: Connection, room: int, positions: Sequence[int]) -> FramesThere | None:
    return await _read_places.one(connection, room=room, positions=Integers(positions))


async def put(connection: Connection, room: int, start: int, ids: Sequence[int]) -> None:
    await _set.run(connection, room=room, start=start, ids=Longs(ids))


async def grow(connection: Connection, room: int, start: int, ids: Sequence[int]) -> None:
    await _grow.run(connection, room=room, start=start, ids=Longs(ids))


async def shrink(connection: Connection, room: int, length: int) -> None:
    await _shrink.run(connection, room=room, length=length)
