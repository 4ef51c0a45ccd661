"""One function for each statement of `sql/input_file`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Uuids
from workroom.store.statement import Connection, Statement, first


class InputFileRow(NamedTuple):
    id: UUID
    name: str
    size: int


_insert = Statement[None]("input_file/insert", first)
_insert_part = Statement[None]("input_file/insert_part", first)
_get = Statement("input_file/get", InputFileRow._make)
_part = Statement[bytes]("input_file/part", first)
_lock = Statement("input_file/lock", InputFileRow._make)
_link = Statement[None]("input_file/link", first)
_delete_unused = Statement[int]("input_file/delete_unused", first)


async def insert(connection: Connection, *, id: UUID, room: str, account_id: UUID, name: str, size: int) -> None:
    await _insert.run(connection, id=id, room=room, account_id=account_id, name=name, size=size)


async def insert_part(connection: Connection, *, file_id: UUID, ordinal: int, body: bytes) -> None:
    await _insert_part.run(connection, file_id=file_id, ordinal=ordinal, body=body)


async def get(connection: Connection, *, room: str, id: UUID) -> InputFileRow | None:
    return await _get.one(connection, room=room, id=id)


async def part(connection: Connection, *, file_id: UUID, ordinal: int) -> bytes | None:
    return await _part.one(connection, file_id=file_id, ordinal=ordinal)


async def lock(connection: Connection, *, room: str, ids: Sequence[UUID]) -> list[InputFileRow]:
    return await _lock.all(connection, room=room, ids=Uuids(ids))


async def link(connection: Connection, *, job_ids: Sequence[UUID], file_ids: Sequence[UUID]) -> None:
    """Both sequences have the same length: one pair of job and file each."""
    await _link.run(connection, job_ids=Uuids(job_ids), file_ids=Uuids(file_ids))


async def delete_unused(connection: Connection, *, seconds: float, limit: int) -> int:
    return await _delete_unused.one(connection, seconds=seconds, limit=limit) or 0
