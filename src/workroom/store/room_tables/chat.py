"""One function for each statement of `sql/chat`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Uuids
from workroom.store.statement import Connection, Statement, first


class ChatRow(NamedTuple):
    id: UUID
    room: str
    author: UUID | None
    author_name: str | None
    job_id: UUID | None
    text: str
    created_at: datetime
    edited_at: datetime | None


_insert = Statement("chat/insert", ChatRow._make)
_edit = Statement("chat/edit", ChatRow._make)
_delete = Statement[UUID]("chat/delete", first)
_insert_failures = Statement("chat/insert_failures", ChatRow._make)
_list = Statement("chat/list", ChatRow._make)
_delete_notices = Statement[None]("chat/delete_notices", first)


async def insert(connection: Connection, *, id: UUID, room: str, author: UUID, text: str) -> ChatRow:
    row = await _insert.one(connection, id=id, room=room, author=author, text=text)
    assert row is not None
    return row


async def insert_failures(connection: Connection, *, ids: Sequence[UUID], job_ids: Sequence[UUID]) -> list[ChatRow]:
    return await _insert_failures.all(connection, ids=Uuids(ids), job_ids=Uuids(job_ids))


async def messages(connection: Connection, *, room: str, before: UUID | None, limit: int) -> list[ChatRow]:
    return await _list.all(connection, room=room, before=before, limit=limit)


async def edit(connection: Connection, *, id: UUID, room: str, author: UUID, text: str) -> ChatRow | None:
    return await _edit.one(connection, id=id, room=room, author=author, text=text)


async def delete(connection: Connection, *, id: UUID, room: str, author: UUID, any_author: bool) -> bool:
    return await _delete.one(connection, id=id, room=room, author=author, any_author=any_author) is not None


async def delete_notices(connection: Connection, *, made_before: UUID, limit: int) -> int:
    return await _delete_notices.run(connection, made_before=made_before, limit=limit)
