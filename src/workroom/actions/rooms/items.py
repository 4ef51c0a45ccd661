"""Items of a room: selections, bookmarks, geometries, figures and metadata. Each write is one change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import ItemsChanged
from workroom.actions.quotas.admission import StorageClaim
from workroom.actions.rooms.frame_marks import check_named, shown_keys, values_of_changes
from workroom.actions.rooms.write_transaction import (
    PendingChange,
    WriteContext,
    begin_write,
    commit_write,
    extend_last_change,
)
from workroom.domain.errors import BadInput, NotFound, UndoConflict
from workroom.domain.limits import ITEMS_PER_KIND
from workroom.domain.rooms.frame_marks import shown
from workroom.domain.rooms.items import Kind, item_key, label
from workroom.domain.rooms.undo_splices import Splice
from workroom.store.room_tables import items as item_table
from workroom.store.room_tables.items import ItemDiff, ItemRow, ItemUndo, LaterChange

# Writes to a dragged item are merged into one change if they follow each other within this time.
_MERGE_SECONDS = 2.0
# The event of a single item carries its value up to this size, so that clients need not fetch it.
_EVENT_VALUE_BYTES = 4_000


@dataclass(frozen=True, slots=True)
class ItemsWritten:
    """The result of a write; no change when the items already had these values."""

    change_id: UUID | None
    revision: int
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ItemWrite:
    kind: Kind
    values: Mapping[str, Any]
    encoded: str
    keys: tuple[str, ...] | None  # the items to write; none: all items of the kind


async def list_items(engine: Engine, room: str, *kinds: Kind) -> list[ItemRow]:
    """The items of these kinds."""
    async with engine.database.connection() as connection:
        rows = await item_table.items(connection, room, kinds)
    return [
        row._replace(value=shown(row.kind, row.value))
        for row in rows
        if row.kind != Kind.BOOKMARK or not row.key.startswith("-")
    ]


async def list_names(engine: Engine, room: str, kind: Kind) -> list[ItemRow]:
    """The items of a kind, without their values."""
    async with engine.database.connection() as connection:
        return await item_table.names(connection, room, kind)


async def get_item(engine: Engine, room: str, kind: Kind, key: str) -> ItemRow:
    async with engine.database.connection() as connection:
        row = await item_table.get(connection, room, kind, item_key(key))
    if row is None:
        raise _no_such_item(kind, key)
    return row._replace(value=shown(kind, row.value))


async def put(engine: Engine, room: str, writer: WriteContext, kind: Kind, values: Mapping[str, Any]) -> ItemsWritten:
    """Set items and keep the others of the kind."""
    return await _write(engine, room, writer, _ItemWrite(kind, values, _encode_values(kind, values), tuple(values)))


async def replace(
    engine: Engine, room: str, writer: WriteContext, kind: Kind, values: Mapping[str, Any]
) -> ItemsWritten:
    """Set items and remove the others of the kind."""
    return await _write(engine, room, writer, _ItemWrite(kind, values, _encode_values(kind, values), None))


async def remove(engine: Engine, room: str, writer: WriteContext, kind: Kind, key: str) -> ItemsWritten:
    """Remove an item; NotFound when there is none."""
    written = await _write(engine, room, writer, _ItemWrite(kind, {}, "{}", (item_key(key),)))
    if not written.keys:
        raise _no_such_item(kind, key)
    return written


async def undo_values(
    transaction: Transaction, draft: PendingChange, change_ids: Sequence[UUID], splices: Sequence[Splice]
) -> list[ItemUndo]:
    """Restore items to their values before these changes; UndoConflict if one was changed since.

    `splices` are those that this undo has applied to the trajectory.
    """
    connection, room = transaction.connection, draft.data.number
    made = await values_of_changes(transaction, draft, change_ids, splices)
    undos = await item_table.undo_plan(connection, room=room, made=made) if made else []
    for one in undos:
        if not one.unchanged_since:
            raise await _conflict(transaction, draft, one, change_ids)
    if not undos:
        return []
    revision = draft.data.revision + 1
    await item_table.restore(
        connection,
        room=room,
        made=made,
        change_id=draft.id,
        revision=revision,
        author=draft.writer.account_id,
    )
    for kind in sorted({one.kind for one in undos}):
        keys = shown_keys(Kind(kind), [one.key for one in undos if one.kind == kind])
        transaction.record(ItemsChanged(draft.room, Kind(kind), keys, revision, draft.writer.account_id))
    return undos


async def _write(engine: Engine, room: str, writer: WriteContext, write: _ItemWrite) -> ItemsWritten:
    claim = StorageClaim(engine, room)

    async def work(transaction: Transaction) -> ItemsWritten:
        nonlocal claim
        claim.release()  # a retried transaction claims anew
        claim = StorageClaim(engine, room)
        draft = await begin_write(transaction, room, writer, target=write.kind.target)
        await check_named(transaction, draft, write.kind, write.values)
        diffs = await item_table.diff(
            transaction.connection,
            room=draft.data.number,
            kind=write.kind,
            values=write.encoded,
            keys=write.keys,
        )
        if not diffs:
            return ItemsWritten(None, draft.data.revision, ())
        _check_count(write.kind, diffs)
        if write.values:  # removing items frees space, so it is allowed when the quota is used up
            await claim.add(transaction.connection, bytes=len(write.encoded))
        return await _apply(transaction, draft, write, diffs, claim.bytes)

    try:
        return await engine.transaction(work)
    except BaseException:
        claim.release()
        raise


async def _apply(
    transaction: Transaction, draft: PendingChange, write: _ItemWrite, diffs: Sequence[ItemDiff], added: int
) -> ItemsWritten:
    connection, room, kind = transaction.connection, draft.data.number, write.kind
    keys = [one.key for one in diffs]
    gone = [one.key for one in diffs if one.removed]
    text = label(kind, write.values, keys, gone)
    merged = await _merge_into_last(transaction, draft, write, diffs, text)
    if merged is None:
        change_id = draft.id
        revision = await commit_write(
            transaction, draft, act=f"{kind}.{'remove' if len(gone) == len(keys) else 'set'}", label=text, bytes=added
        )
        await item_table.insert_change_values(
            connection, room=room, kind=kind, change_id=change_id, values=write.encoded, keys=keys
        )
    else:
        change_id, revision = merged
    if len(gone) < len(keys):
        await item_table.put(
            connection,
            room=room,
            kind=kind,
            values=write.encoded,
            keys=keys,
            revision=revision,
            author=draft.writer.account_id,
        )
    if gone:
        await item_table.remove(connection, room=room, kind=kind, keys=gone)
    event_values = write.values if len(keys) == 1 and not gone and len(write.encoded) <= _EVENT_VALUE_BYTES else None
    transaction.record(
        ItemsChanged(draft.room, kind, shown_keys(kind, keys), revision, draft.writer.account_id, event_values)
    )
    return ItemsWritten(change_id, revision, shown_keys(kind, keys))


async def _merge_into_last(
    transaction: Transaction, draft: PendingChange, write: _ItemWrite, diffs: Sequence[ItemDiff], text: str
) -> tuple[UUID, int] | None:
    """Merge a further write of a drag into the last change. Returns that change and its new revision, or none.

    A write that expects a revision is a single edit of what its author has seen, not a part of a drag.
    """
    if not write.kind.is_dragged or draft.writer.job is not None or len(diffs) != 1 or diffs[0].removed:
        return None
    if draft.writer.revision is not None:
        return None
    key = diffs[0].key
    last = await item_table.mergeable_change(
        transaction.connection,
        room=draft.data.number,
        revision=draft.data.revision,
        author=draft.writer.account_id,
        kind=write.kind,
        key=key,
        seconds=_MERGE_SECONDS,
    )
    if last is None:
        return None
    value = encode(write.values[key], "The value").decode()
    await item_table.update_change_value(transaction.connection, change_id=last, kind=write.kind, key=key, value=value)
    return last, await extend_last_change(transaction, draft, last, act=f"{write.kind}.set", label=text)


async def _conflict(
    transaction: Transaction, draft: PendingChange, one: ItemUndo, change_ids: Sequence[UUID]
) -> UndoConflict:
    later = await item_table.later_changes(
        transaction.connection,
        room=draft.data.number,
        revision=one.first_revision,
        kind=one.kind,
        key=one.key,
        change_ids=change_ids,
    )
    name = "of a removed frame" if one.kind == Kind.BOOKMARK and one.key.startswith("-") else repr(one.key)
    return undo_conflict(f"The {one.kind.replace('_', ' ')} {name}", later)


def undo_conflict(what: str, later: Sequence[LaterChange]) -> UndoConflict:
    """The error for an undo that later changes prevent; it names them."""
    if not later:
        return UndoConflict(f"{what} is not as this change left it.", later=[])
    newest = later[0]
    return UndoConflict(
        f"{what} was changed since: {newest.author or 'former user'} {newest.label} at {newest.at:%Y-%m-%d %H:%M:%S}. "
        f"Undo that first.",
        later=[
            {"id": str(change.id), "label": change.label, "author": change.author, "at": change.at.isoformat()}
            for change in later
        ],
    )


def _encode_values(kind: Kind, values: Mapping[str, Any]) -> str:
    if len(values) > ITEMS_PER_KIND:
        raise _too_many()
    for key, value in values.items():
        check_size(encode(value, f"{kind} {item_key(key)!r}"), f"{kind} {key!r}", kind.max_bytes)
    return encode(dict(values), "The values").decode()


def _check_count(kind: Kind, diffs: Sequence[ItemDiff]) -> None:
    new = sum(one.new for one in diffs) - sum(one.removed for one in diffs)
    if new > 0 and diffs[0].items + new > ITEMS_PER_KIND:
        raise _too_many()


def _too_many() -> BadInput:
    return BadInput(f"A room has at most {ITEMS_PER_KIND:,} items of one kind. Remove some first.")


def _no_such_item(kind: Kind, key: str) -> NotFound:
    return NotFound(f"There is no {kind.replace('_', ' ')} {key!r} in this room.")
