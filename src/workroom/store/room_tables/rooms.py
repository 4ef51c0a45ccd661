"""One function for each statement of `sql/room`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Uuids
from workroom.store.paging import Listed, PageStatement
from workroom.store.queue_tables.extensions import Identity
from workroom.store.statement import Connection, Statement, first


class RoomRow(NamedTuple):
    """A room, with the rights of the requesting account."""

    name: str
    description: str
    visibility: str
    locked: bool
    owner_id: UUID | None
    owner: str | None
    created_at: datetime
    updated_at: datetime
    owned: bool  # by the requesting account
    member_rights: str | None  # of the requesting account
    extensions_from: str  # who may offer extensions while the room is public
    archived: bool


class ListedRoomRow(NamedTuple):
    """A room in a list, with what is in it."""

    room: RoomRow
    frames: int
    bytes: int
    changed_at: datetime  # of its last change, or of its own row
    atoms: int | None  # of its first frame
    thumbnail_at: datetime | None  # when its thumbnail was made


class RoomAccessRow(NamedTuple):
    """The requesting account and its access to a room."""

    account_id: UUID
    name: str
    role: str
    visibility: str | None  # none: the room does not exist
    locked: bool | None
    owned: bool | None
    member_rights: str | None
    extensions_from: str | None


class AccessSnapshot(NamedTuple):
    """Access that was cached a moment ago. The SQL fragment `access_unchanged` compares it with the current rows."""

    epoch: int
    role: str
    visibility: str
    locked: bool
    owned: bool | None
    member_rights: str | None


class MemberRow(NamedTuple):
    account_id: UUID
    name: str
    rights: str
    creator: bool
    added_at: datetime


_create = Statement[None]("room/create", first)
_duplicate = Statement[int]("room/duplicate", first)
_get = Statement("room/get", RoomRow._make)
_list = PageStatement("room/list", lambda row: ListedRoomRow(RoomRow._make(row[:12]), *row[12:17]))
_update = Statement[str]("room/update", first)
_load_access = Statement("room/load_access", RoomAccessRow._make, frequent=True)
_load_access_for_job = Statement("room/load_access_for_job", RoomAccessRow._make)
_readers = Statement[tuple[UUID, str]]("room/readers", lambda row: (row[0], row[1]))
_lock = Statement[str]("room/lock", first)
_lock_for_change = Statement[str]("room/lock_for_change", first)
_lock_shared = Statement[str]("room/lock_shared", first)
_lock_extensions = Statement("room/lock_extensions", Identity._make)
_unfinished_jobs = Statement[UUID]("room/unfinished_jobs", first)
_open_postings = Statement[UUID]("room/open_postings", first)
_delete_jobs = Statement[None]("room/delete_jobs", first)
_delete_postings = Statement[None]("room/delete_postings", first)
_delete = Statement[None]("room/delete", first)
_members = Statement("room/members", MemberRow._make)
_put_member = Statement[datetime]("room/put_member", first)
_remove_member = Statement[UUID]("room/remove_member", first)
_record_removal = Statement[None]("room/record_removal", first)
_forget_removal = Statement[None]("room/forget_removal", first)


async def create(
    connection: Connection,
    *,
    name: str,
    owner_id: UUID | None,
    description: str,
    visibility: str,
    extensions_from: str = "members",
) -> None:
    await _create.run(
        connection,
        name=name,
        owner_id=owner_id,
        description=description,
        visibility=visibility,
        extensions_from=extensions_from,
    )


async def duplicate(connection: Connection, *, source: str, name: str, owner_id: UUID) -> bool:
    return await _duplicate.one(connection, source=source, name=name, owner_id=owner_id) is not None


async def get(connection: Connection, name: str, *, account_id: UUID) -> RoomRow | None:
    return await _get.one(connection, name=name, account_id=account_id)


async def page(
    connection: Connection,
    *,
    account_id: UUID,
    all: bool,
    search: str,
    archived: bool | None,
    sort: str,
    limit: int,
    offset: int,
) -> Listed[ListedRoomRow]:
    return await _list.page(
        connection,
        account_id=account_id,
        all=all,
        search=search,
        archived=archived,
        sort=sort,
        limit=limit,
        offset=offset,
    )


async def update(
    connection: Connection,
    name: str,
    *,
    description: str | None,
    visibility: str | None,
    locked: bool | None,
    extensions_from: str | None,
    archived: bool | None,
) -> bool:
    row = await _update.one(
        connection,
        name=name,
        description=description,
        visibility=visibility,
        locked=locked,
        extensions_from=extensions_from,
        archived=archived,
    )
    return row is not None


async def load_access(
    connection: Connection, *, room: str, account_id: UUID, epoch: int | None, api_token: UUID | None
) -> RoomAccessRow | None:
    return await _load_access.one(connection, room=room, account_id=account_id, epoch=epoch, api_token=api_token)


async def readers(connection: Connection, pairs: Sequence[tuple[UUID, str]]) -> set[tuple[UUID, str]]:
    """Those of these accounts, each with a room, that may read it."""
    accounts = Uuids(account_id for account_id, _ in pairs)
    return set(await _readers.all(connection, accounts=accounts, rooms=[room for _, room in pairs]))


async def load_access_for_job(
    connection: Connection, *, room: str, job_id: UUID, worker_id: UUID, attempt: int
) -> RoomAccessRow | None:
    return await _load_access_for_job.one(connection, room=room, job_id=job_id, worker_id=worker_id, attempt=attempt)


async def lock(connection: Connection, name: str) -> bool:
    return await _lock.one(connection, name=name) is not None


async def lock_for_change(connection: Connection, name: str) -> bool:
    return await _lock_for_change.one(connection, name=name) is not None


async def lock_shared(connection: Connection, name: str) -> bool:
    return await _lock_shared.one(connection, name=name) is not None


async def lock_extensions(connection: Connection, name: str) -> list[Identity]:
    return await _lock_extensions.all(connection, name=name)


async def unfinished_jobs(connection: Connection, name: str) -> list[UUID]:
    return await _unfinished_jobs.all(connection, name=name)


async def open_postings(connection: Connection, name: str) -> list[UUID]:
    return await _open_postings.all(connection, name=name)


async def delete(connection: Connection, name: str) -> None:
    """Delete a room and everything in it. All its jobs must have ended."""
    await _delete_jobs.run(connection, name=name)
    await _delete_postings.run(connection, name=name)
    await _delete.run(connection, name=name)


async def members(connection: Connection, room: str) -> list[MemberRow]:
    return await _members.all(connection, room=room)


async def put_member(connection: Connection, *, room: str, account_id: UUID, rights: str) -> datetime | None:
    return await _put_member.one(connection, room=room, account_id=account_id, rights=rights)


async def remove_member(connection: Connection, *, room: str, account_id: UUID) -> bool:
    return await _remove_member.one(connection, room=room, account_id=account_id) is not None


async def record_removal(connection: Connection, *, room: str, account_id: UUID) -> None:
    await _record_removal.run(connection, room=room, account_id=account_id)


async def forget_removal(connection: Connection, *, room: str, account_id: UUID) -> None:
    await _forget_removal.run(connection, room=room, account_id=account_id)
