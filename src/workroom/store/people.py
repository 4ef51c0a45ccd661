"""One function for each statement of `sql/account` and `sql/room`."""

from __future__ import annotations

from uuid import UUID

from workroom.store.statement import Connection, Statement, first

_create_account = Statement[None]("account/create", first)
_create_room = Statement[None]("room/create", first)


async def create_account(
    connection: Connection,
    *,
    id: UUID,
    name: str,
    role: str,
    password_hash: str | None,
) -> None:
    await _create_account.run(connection, id=id, name=name, role=role, password_hash=password_hash)


async def create_room(
    connection: Connection, *, name: str, owner_id: UUID | None, description: str, visibility: str
) -> None:
    await _create_room.run(connection, name=name, owner_id=owner_id, description=description, visibility=visibility)
