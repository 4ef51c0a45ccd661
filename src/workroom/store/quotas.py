"""One function for each statement of `sql/quota`."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from workroom.store.paging import Listed, PageStatement
from workroom.store.statement import Connection, Statement, first


class AccountUsageRow(NamedTuple):
    name: str
    role: str
    rooms: int
    bytes: int
    jobs: int
    calls: int
    workers: int
    overrides: dict[str, int]


class RoomUsageRow(NamedTuple):
    name: str
    owner_id: UUID | None
    bytes: int
    frames: int
    jobs: int
    calls: int
    workers: int
    overrides: dict[str, int]


class RoomSpaceRow(NamedTuple):
    """The space that a room takes."""

    room: str
    owner: str | None
    bytes: int
    frames: int


_account_usage = Statement("quota/account_usage", AccountUsageRow._make)
_room_usage = Statement("quota/room_usage", RoomUsageRow._make)
_put = Statement[None]("quota/put", first)
_delete = Statement[None]("quota/delete", first)
_disk = PageStatement("quota/disk", RoomSpaceRow._make)
_recount_room = Statement[None]("quota/recount_room", first)


async def account_usage(connection: Connection, account_id: UUID, *, most_jobs: int) -> AccountUsageRow | None:
    return await _account_usage.one(connection, account_id=account_id, most_jobs=most_jobs)


async def room_usage(connection: Connection, room: str, *, most_jobs: int) -> RoomUsageRow | None:
    return await _room_usage.one(connection, room=room, most_jobs=most_jobs)


async def put(connection: Connection, *, account_id: UUID | None, room: str | None, name: str, value: int) -> None:
    await _put.run(connection, account_id=account_id, room=room, name=name, value=value)


async def delete(connection: Connection, *, account_id: UUID | None, room: str | None, name: str) -> None:
    await _delete.run(connection, account_id=account_id, room=room, name=name)


async def rooms_by_size(connection: Connection, *, limit: int, offset: int) -> Listed[RoomSpaceRow]:
    return await _disk.page(connection, limit=limit, offset=offset)


async def recount_room(connection: Connection, room: int) -> None:
    await _recount_room.run(connection, room=room)
