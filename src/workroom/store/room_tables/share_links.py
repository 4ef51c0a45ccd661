"""One function for each statement of `sql/share`."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.statement import Connection, Statement, first


class LinkRow(NamedTuple):
    id: UUID
    rights: str
    created_by: UUID | None
    created_at: datetime
    expires_at: datetime | None


class LinkUse(NamedTuple):
    """The use of a share link."""

    room: str
    changed: bool  # false: the user already had these rights
    refused: bool  # an owner removed the user after the link was created


_create = Statement("share/create", LinkRow._make)
_list = Statement("share/list", LinkRow._make)
_delete = Statement[UUID]("share/delete", first)
_delete_of_room = Statement[UUID]("share/delete_of_room", first)
_delete_of_creator = Statement[None]("share/delete_of_creator", first)
_use = Statement("share/use", LinkUse._make)
_delete_expired = Statement[None]("share/delete_expired", first)


async def create(
    connection: Connection,
    *,
    id: UUID,
    room: str,
    token_hash: str,
    rights: str,
    created_by: UUID,
    seconds: float | None,
) -> LinkRow:
    row = await _create.one(
        connection, id=id, room=room, token_hash=token_hash, rights=rights, created_by=created_by, seconds=seconds
    )
    assert row is not None
    return row


async def of_room(connection: Connection, room: str) -> list[LinkRow]:
    return await _list.all(connection, room=room)


async def delete(connection: Connection, *, id: UUID, room: str) -> bool:
    return await _delete.one(connection, id=id, room=room) is not None


async def delete_of_room(connection: Connection, room: str) -> int:
    return len(await _delete_of_room.all(connection, room=room))


async def delete_of_creator(connection: Connection, *, room: str, created_by: UUID) -> None:
    await _delete_of_creator.run(connection, room=room, created_by=created_by)


async def use(connection: Connection, *, token_hash: str, account_id: UUID) -> LinkUse | None:
    return await _use.one(connection, token_hash=token_hash, account_id=account_id)


async def delete_expired(connection: Connection, *, before: datetime, limit: int) -> int:
    return await _delete_expired.run(connection, before=before, limit=limit)
