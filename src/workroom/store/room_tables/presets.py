"""One function for each statement of `sql/preset`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.statement import Connection, Statement, first


class FormKey(NamedTuple):
    """A form: an extension in a room."""

    room: str
    category: str
    extension: str


class PresetRow(NamedTuple):
    name: str
    account_id: UUID | None
    author: str | None
    data: Any
    updated_at: datetime


_list = Statement("preset/list", PresetRow._make)
_put = Statement[bool]("preset/put", first)
_delete = Statement[bool]("preset/delete", first)


async def list_presets(connection: Connection, form: FormKey) -> list[PresetRow]:
    return await _list.all(connection, **form._asdict())


async def put(
    connection: Connection, form: FormKey, *, name: str, account_id: UUID, data: str, any_author: bool, most: int
) -> bool:
    saved = await _put.one(
        connection,
        **form._asdict(),
        name=name,
        account_id=account_id,
        data=data,
        any_author=any_author,
        most=most,
    )
    return saved is not None


async def delete(connection: Connection, form: FormKey, *, name: str, account_id: UUID, any_author: bool) -> bool:
    deleted = await _delete.one(connection, **form._asdict(), name=name, account_id=account_id, any_author=any_author)
    return deleted is not None
