"""One function for each statement of `sql/thumbnail`."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workroom.store.statement import Connection, Statement, first


class ThumbnailRow(NamedTuple):
    """The picture of a room in lists."""

    media_type: str
    image: bytes
    updated_at: datetime


_put = Statement[bool]("thumbnail/put", first)
_get = Statement("thumbnail/get", ThumbnailRow._make)


async def put(connection: Connection, room: str, *, media_type: str, image: bytes) -> bool:
    return await _put.one(connection, room=room, media_type=media_type, image=image) is not None


async def get(connection: Connection, room: str) -> ThumbnailRow | None:
    return await _get.one(connection, room=room)
