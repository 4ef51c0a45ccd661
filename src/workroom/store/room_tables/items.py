"""One function for each statement of `sql/item`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Longs, Uuids
from workroom.store.statement import Connection, Statement, first


class ItemRow(NamedTuple):
    """An item of a room."""

    kind: str
    key: str
    value: Any  # none in a list of names
    revision: int
    updated_by: UUID | None
    updated_by_name: str | None
    updated_at: datetime


class ItemDiff(NamedTuple):
    """An item that a write would change."""

    key: str
    removed: bool
    new: bool
    items: int  # number of items of this kind in the room, before the write


class ItemUndo(NamedTuple):
    """An item that an undo would change."""

    kind: str
    key: str
    first_revision: int  # of the changes to undo
    removed: bool
    unchanged_since: bool  # the item has the value these changes gave it, and no other change lies between them


class ItemChange(NamedTuple):
    """What a change did to an item; the values are JSON texts."""

    kind: str
    key: str
    before: str | None  # none: there was no such item
    after: str | None  # none: the item was removed
    revision: int


class FrameMarks(NamedTuple):
    """An item that names frames."""

    kind: str
    key: str
    marks: Any  # the links of a figure, the frame selection; none for a bookmark, whose key is its mark
    points: list[int | None] | None  # of a figure: the number of points of the trace of each link, if it is known


class LaterChange(NamedTuple):
    id: UUID
    label: str
    author: str | None
    at: datetime


_list = Statement("item/list", ItemRow._make)
_names = Statement("item/names", ItemRow._make)
_get = Statement("item/get", ItemRow._make)
_diff = Statement("item/diff", ItemDiff._make)
_insert_change_values = Statement[None]("item/insert_change_values", first)
_put = Statement[None]("item/put", first)
_remove = Statement[None]("item/remove", first)
_mergeable_change = Statement[UUID]("item/mergeable_change", first)
_update_change_value = Statement[None]("item/update_change_value", first)
_undo_plan = Statement("item/undo_plan", ItemUndo._make)
_restore = Statement[None]("item/restore", first)
_change_values = Statement("item/change_values", ItemChange._make)
_frame_marks = Statement("item/frame_marks", FrameMarks._make)
_move_bookmarks = Statement[None]("item/move_bookmarks", first)
_settle_bookmarks = Statement[None]("item/settle_bookmarks", first)
_move_marks = Statement[None]("item/move_marks", first)
_later_changes = Statement("item/later_changes", LaterChange._make)


async def items(connection: Connection, room: str, kinds: Sequence[str]) -> list[ItemRow]:
    return await _list.all(connection, room=room, kinds=list(kinds))


async def names(connection: Connection, room: str, kind: str) -> list[ItemRow]:
    return await _names.all(connection, room=room, kind=kind)


async def get(connection: Connection, room: str, kind: str, key: str) -> ItemRow | None:
    return await _get.one(connection, room=room, kind=kind, key=key)


async def diff(
    connection: Connection, *, room: int, kind: str, values: str, keys: Sequence[str] | None
) -> list[ItemDiff]:
    return await _diff.all(connection, room=room, kind=kind, values=values, keys=None if keys is None else list(keys))


async def insert_change_values(
    connection: Connection, *, room: int, kind: str, change_id: UUID, values: str, keys: Sequence[str]
) -> None:
    await _insert_change_values.run(
        connection, room=room, kind=kind, change_id=change_id, values=values, keys=list(keys)
    )


async def put(
    connection: Connection, *, room: int, kind: str, values: str, keys: Sequence[str], revision: int, author: UUID
) -> None:
    await _put.run(connection, room=room, kind=kind, values=values, keys=list(keys), revision=revision, author=author)


async def remove(connection: Connection, *, room: int, kind: str, keys: Sequence[str]) -> None:
    await _remove.run(connection, room=room, kind=kind, keys=list(keys))


async def mergeable_change(
    connection: Connection, *, room: int, revision: int, author: UUID, kind: str, key: str, seconds: float
) -> UUID | None:
    return await _mergeable_change.one(
        connection, room=room, revision=revision, author=author, kind=kind, key=key, seconds=seconds
    )


async def update_change_value(connection: Connection, *, change_id: UUID, kind: str, key: str, value: str) -> None:
    await _update_change_value.run(connection, change_id=change_id, kind=kind, key=key, value=value)


async def change_values(connection: Connection, change_ids: Sequence[UUID]) -> list[ItemChange]:
    return await _change_values.all(connection, change_ids=Uuids(change_ids))


async def undo_plan(connection: Connection, *, room: int, made: Sequence[ItemChange]) -> list[ItemUndo]:
    return await _undo_plan.all(
        connection,
        room=room,
        kinds=[one.kind for one in made],
        keys=[one.key for one in made],
        befores=[one.before for one in made],
        afters=[one.after for one in made],
        revisions=Longs([one.revision for one in made]),
    )


async def restore(
    connection: Connection, *, room: int, made: Sequence[ItemChange], change_id: UUID, revision: int, author: UUID
) -> None:
    await _restore.run(
        connection,
        room=room,
        kinds=[one.kind for one in made],
        keys=[one.key for one in made],
        befores=[one.before for one in made],
        revisions=Longs([one.revision for one in made]),
        change_id=change_id,
        revision=revision,
        author=author,
    )


async def frame_marks(connection: Connection, room: int) -> list[FrameMarks]:
    return await _frame_marks.all(connection, room=room)


async def move_bookmarks(
    connection: Connection, *, room: int, keys: Sequence[str], new_keys: Sequence[str], revision: int
) -> None:
    """Give bookmarks new keys, which may be those of other bookmarks that move too."""
    await _move_bookmarks.run(connection, room=room, keys=list(keys), new_keys=list(new_keys), revision=revision)
    await _settle_bookmarks.run(connection, room=room)


async def move_marks(
    connection: Connection, *, room: int, marks: Sequence[tuple[str, str, str]], revision: int
) -> None:
    """Set the frame selection and the links of figures, each given as kind, key and JSON text."""
    kinds, keys, values = zip(*marks, strict=True)
    await _move_marks.run(
        connection, room=room, kinds=list(kinds), keys=list(keys), values=list(values), revision=revision
    )


async def later_changes(
    connection: Connection, *, room: int, revision: int, kind: str, key: str, change_ids: Sequence[UUID]
) -> list[LaterChange]:
    return await _later_changes.all(
        connection, room=room, revision=revision, kind=kind, key=key, change_ids=Uuids(change_ids)
    )
