"""One function for each statement of `sql/lock`."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.statement import Connection, Statement, first


class LockRow(NamedTuple):
    """A lock that counts."""

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


_find = Statement("lock/find", LockRow._make)
_list = Statement("lock/list", LockRow._make)
_take = Statement("lock/take", LockRow._make)
_keep = Statement("lock/keep", LockRow._make)
_release = Statement[str]("lock/release", first)
_leave = Statement[None]("lock/leave", first)
_come_back = Statement[None]("lock/come_back", first)
_sweepable = Statement[str]("lock/sweepable", first)
_sweep = Statement[str]("lock/sweep", first)


async def find(connection: Connection, *, room: str, target: str) -> LockRow | None:
    return await _find.one(connection, room=room, target=target)


async def of_room(connection: Connection, room: str) -> list[LockRow]:
    return await _list.all(connection, room=room)


async def take(
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
    usual_seconds: float,
) -> LockRow | None:
    return await _take.one(
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
        usual_seconds=usual_seconds,
    )


async def keep(
    connection: Connection, *, room: str, target: str, token_hash: str, message: str | None, ttl_seconds: float | None
) -> LockRow | None:
    return await _keep.one(
        connection, room=room, target=target, token_hash=token_hash, message=message, ttl_seconds=ttl_seconds
    )


async def release(connection: Connection, *, room: str, target: str, token_hash: str) -> bool:
    return await _release.one(connection, room=room, target=target, token_hash=token_hash) is not None


async def leave(connection: Connection, *, holder: UUID, client: str) -> None:
    await _leave.run(connection, holder=holder, client=client)


async def come_back(connection: Connection, *, holder: UUID, client: str) -> None:
    await _come_back.run(connection, holder=holder, client=client)


async def sweepable(connection: Connection, *, grace_seconds: float) -> list[str]:
    return await _sweepable.all(connection, grace_seconds=grace_seconds)


async def sweep(connection: Connection, room: str, *, grace_seconds: float) -> list[str]:
    return await _sweep.all(connection, room=room, grace_seconds=grace_seconds)
