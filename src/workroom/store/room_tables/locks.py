"""One function for each statement of `sql/lock`."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.statement import Connection, Statement, first


class LockRow(NamedTuple):
    """A live lock."""

    room: str
    target: str
    holder: UUID
    holder_name: str
    client: str
    job_id: UUID | None
    attempt: int | None
    grant_id: UUID
    fence: int
    message: str
    ttl_seconds: float
    acquired_at: datetime
    expires_at: datetime


class LockOnTarget(NamedTuple):
    """A live lock on a target that is about to be written."""

    holder: str
    message: str
    expires_at: datetime
    ours: bool
    target: str


class LockAccess(NamedTuple):
    """A lock, with what decides whether its holder may still write in the room."""

    target: str
    admin: bool
    owned: bool
    public: bool
    member_rights: str | None


class DeletedLock(NamedTuple):
    room: str
    target: str


_find = Statement("lock/find", LockRow._make)
_list = Statement("lock/list", LockRow._make)
_on_targets = Statement("lock/on_targets", LockOnTarget._make)
_extend = Statement[None]("lock/extend", first)
_list_with_access = Statement("lock/list_with_access", LockAccess._make)
_delete = Statement[str]("lock/delete", first)
_delete_of_holder = Statement("lock/delete_of_holder", DeletedLock._make)
_acquire = Statement("lock/acquire", LockRow._make)
_refresh = Statement("lock/refresh", LockRow._make)
_release = Statement[str]("lock/release", first)
_mark_disconnected = Statement[None]("lock/mark_disconnected", first)
_mark_reconnected = Statement[None]("lock/mark_reconnected", first)
_rooms_with_expired = Statement[str]("lock/rooms_with_expired", first)
_delete_expired = Statement[str]("lock/delete_expired", first)


async def find(connection: Connection, *, room: str, target: str) -> LockRow | None:
    return await _find.one(connection, room=room, target=target)


async def of_room(connection: Connection, room: str) -> list[LockRow]:
    return await _list.all(connection, room=room)


async def on_targets(connection: Connection, *, room: str, targets: list[str], token_hash: str) -> list[LockOnTarget]:
    return await _on_targets.all(connection, room=room, targets=targets, token_hash=token_hash)


async def extend(connection: Connection, *, room: str, token_hash: str) -> None:
    """Move the end of the lock of a client that writes."""
    await _extend.run(connection, room=room, token_hash=token_hash)


async def acquire(
    connection: Connection,
    *,
    room: str,
    target: str,
    holder: UUID,
    client: str,
    job_id: UUID | None,
    attempt: int | None,
    grant_id: UUID,
    token_hash: str,
    message: str | None,
    ttl_seconds: float | None,
    default_seconds: float,
) -> LockRow | None:
    return await _acquire.one(
        connection,
        room=room,
        target=target,
        holder=holder,
        client=client,
        job_id=job_id,
        attempt=attempt,
        grant_id=grant_id,
        token_hash=token_hash,
        message=message,
        ttl_seconds=ttl_seconds,
        default_seconds=default_seconds,
    )


async def refresh(
    connection: Connection, *, room: str, target: str, token_hash: str, message: str | None, ttl_seconds: float | None
) -> LockRow | None:
    return await _refresh.one(
        connection, room=room, target=target, token_hash=token_hash, message=message, ttl_seconds=ttl_seconds
    )


async def release(connection: Connection, *, room: str, target: str, token_hash: str) -> bool:
    return await _release.one(connection, room=room, target=target, token_hash=token_hash) is not None


async def mark_disconnected(connection: Connection, *, holder: UUID, client: str) -> None:
    await _mark_disconnected.run(connection, holder=holder, client=client)


async def mark_reconnected(connection: Connection, *, holder: UUID, client: str) -> None:
    await _mark_reconnected.run(connection, holder=holder, client=client)


async def rooms_with_expired(connection: Connection, *, grace_seconds: float) -> list[str]:
    return await _rooms_with_expired.all(connection, grace_seconds=grace_seconds)


async def delete_expired(connection: Connection, room: str, *, grace_seconds: float) -> list[str]:
    return await _delete_expired.all(connection, room=room, grace_seconds=grace_seconds)


async def of_room_with_access(connection: Connection, room: str) -> list[LockAccess]:
    return await _list_with_access.all(connection, room=room)


async def delete(connection: Connection, *, room: str, targets: list[str]) -> list[str]:
    return await _delete.all(connection, room=room, targets=targets)


async def delete_of_holder(connection: Connection, holder: UUID) -> list[DeletedLock]:
    return await _delete_of_holder.all(connection, holder=holder)
