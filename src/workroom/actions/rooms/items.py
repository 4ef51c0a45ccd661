"""What a room shows: items of several kinds, set, replaced and removed in the same way; each write is a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import ItemsChanged
from workroom.actions.rooms.write_transaction import (
    PendingChange,
    WriteContext,
    begin_write,
    commit_write,
    extend_last_change,
)
from workroom.domain.errors import BadInput, NotFound, UndoConflict
from workroom.domain.limits import ITEMS_PER_KIND
from workroom.domain.rooms.items import Kind, item_key, label
from workroom.store.room_tables import items as item_table
from workroom.store.room_tables.items import ItemDiff, ItemRow, ItemUndo, LaterChange

# A person who drags makes one change, unless they stop for longer than this.
_MERGE_SECONDS = 2.0
# Small values travel with the event, so that nobody has to fetch them.
_EVENT_VALUE_BYTES = 4_000


@dataclass(frozen=True, slots=True)
class ItemsWritten:
    """What a write has done; no change when everything was so already."""

    change_id: UUID | None
    revision: int
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ItemWrite:
    kind: Kind
    values: Mapping[str, Any]
    encoded: str
    keys: tuple[str, ...] | None  # what may be touched; none: every item of the kind


async def list_items(engine: Engine, room: str, *kinds: Kind) -> list[ItemRow]:
    """The items of these kinds."""
    async with engine.database.connection() as connection:
        return await item_table.items(connection, room, kinds)


async def list_names(engine: Engine, room: str, kind: Kind) -> list[ItemRow]:
    """The items of a kind, without their values."""
    async with engine.database.connection() as connection:
        return await item_table.names(connection, room, kind)


async def get_item(engine: Engine, room: str, kind: Kind, key: str) -> ItemRow:
    async with engine.database.connection() as connection:
        row = await item_table.get(connection, room, kind, item_key(key))
    if row is None:
        raise _no_such_item(kind, key)
    return row


async def put(engine: Engine, room: str, writer: WriteContext, kind: Kind, values: Mapping[str, Any]) -> ItemsWritten:
    """Set items; others stay."""
    return await _write(engine, room, writer, _ItemWrite(kind, values, _encode_values(kind, values), tuple(values)))


async def replace(
    engine: Engine, room: str, writer: WriteContext, kind: Kind, values: Mapping[str, Any]
) -> ItemsWritten:
    """Set items; others of this kind go."""
    return await _write(engine, room, writer, _ItemWrite(kind, values, _encode_values(kind, values), None))


async def remove(engine: Engine, room: str, writer: WriteContext, kind: Kind, key: str) -> ItemsWritten:
    """Remove an item; NotFound when there is none."""
    written = await _write(engine, room, writer, _ItemWrite(kind, {}, "{}", (item_key(key),)))
    if not written.keys:
        raise _no_such_item(kind, key)
    return written


async def undo_values(transaction: Transaction, draft: PendingChange, change_ids: Sequence[UUID]) -> list[ItemUndo]:
    """Put items back to what they were before these changes; Overlap when somebody has changed one since."""
    connection, room = transaction.connection, draft.data.number
    reversals = await item_table.undo_plan(connection, room=room, change_ids=change_ids)
    for one in reversals:
        if not one.unchanged_since:
            raise await _conflict(transaction, draft, one, change_ids)
    if not reversals:
        return []
    revision = draft.data.revision + 1
    await item_table.restore(
        connection,
        room=room,
        change_ids=change_ids,
        change_id=draft.id,
        revision=revision,
        author=draft.writer.account_id,
    )
    for kind in sorted({one.kind for one in reversals}):
        keys = tuple(one.key for one in reversals if one.kind == kind)
        transaction.record(ItemsChanged(draft.room, Kind(kind), keys, revision, draft.writer.account_id))
    return reversals


async def _write(engine: Engine, room: str, writer: WriteContext, write: _ItemWrite) -> ItemsWritten:
    async def work(transaction: Transaction) -> ItemsWritten:
        draft = await begin_write(transaction, room, writer, target=write.kind.target)
        touched = await item_table.diff(
            transaction.connection,
            room=draft.data.number,
            kind=write.kind,
            values=write.encoded,
            keys=write.keys,
        )
        if not touched:
            return ItemsWritten(None, draft.data.revision, ())
        _check_count(write.kind, touched)
        return await _apply(transaction, draft, write, touched)

    return await engine.transaction(work)


async def _apply(
    transaction: Transaction, draft: PendingChange, write: _ItemWrite, touched: Sequence[ItemDiff]
) -> ItemsWritten:
    connection, room, kind = transaction.connection, draft.data.number, write.kind
    keys = [one.key for one in touched]
    gone = [one.key for one in touched if one.removed]
    words = label(kind, write.values, keys, gone)
    grown = await _merge_into_last(transaction, draft, write, touched, words)
    if grown is None:
        change_id = draft.id
        revision = await commit_write(
            transaction, draft, act=f"{kind}.{'remove' if len(gone) == len(keys) else 'set'}", label=words
        )
        await item_table.insert_change_values(
            connection, room=room, kind=kind, change_id=change_id, values=write.encoded, keys=keys
        )
    else:
        change_id, revision = grown
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
    told = write.values if len(keys) == 1 and not gone and len(write.encoded) <= _EVENT_VALUE_BYTES else None
    transaction.record(ItemsChanged(draft.room, kind, tuple(keys), revision, draft.writer.account_id, told))
    return ItemsWritten(change_id, revision, tuple(keys))


async def _merge_into_last(
    transaction: Transaction, draft: PendingChange, write: _ItemWrite, touched: Sequence[ItemDiff], words: str
) -> tuple[UUID, int] | None:
    """The last change, if this write is but its next moment, and the revision it ends with now."""
    if not write.kind.is_dragged or draft.writer.job is not None or len(touched) != 1 or touched[0].removed:
        return None
    key = touched[0].key
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
    return last, await extend_last_change(transaction, draft, last, act=f"{write.kind}.set", label=words)


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
    return undo_conflict(f"The {one.kind.replace('_', ' ')} {one.key!r}", later)


def undo_conflict(what: str, later: Sequence[LaterChange]) -> UndoConflict:
    """Why something cannot be undone: who did what to it since."""
    if not later:
        return UndoConflict(f"{what} is not as this change left it.", later=[])
    newest = later[0]
    return UndoConflict(
        f"{what} was changed since: {newest.author or 'somebody'} {newest.label} at {newest.at:%Y-%m-%d %H:%M:%S}. "
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


def _check_count(kind: Kind, touched: Sequence[ItemDiff]) -> None:
    new = sum(one.new for one in touched) - sum(one.removed for one in touched)
    if new > 0 and touched[0].items + new > ITEMS_PER_KIND:
        raise _too_many()


def _too_many() -> BadInput:
    return BadInput(f"A room has at most {ITEMS_PER_KIND:,} items of one kind. Remove some first.")


def _no_such_item(kind: Kind, key: str) -> NotFound:
    return NotFound(f"There is no {kind.replace('_', ' ')} {key!r} in this room.")
