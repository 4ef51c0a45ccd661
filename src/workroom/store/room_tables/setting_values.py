"""One function for each statement of `sql/setting`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.store.statement import Connection, Statement, first

_put = Statement[None]("setting/put", first)
_get = Statement[Any]("setting/get", first)


async def put(connection: Connection, *, room: str, account_id: UUID, name: str, data: str) -> None:
    await _put.run(connection, room=room, account_id=account_id, name=name, data=data)


async def get(connection: Connection, *, room: str, account_id: UUID, name: str) -> Any:
    return await _get.one(connection, room=room, account_id=account_id, name=name)
