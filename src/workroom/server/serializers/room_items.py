"""What is in a room, as messages of the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import Path

from workroom.actions.events import ItemsChanged, LockFreed, LockHeld
from workroom.actions.rooms.locks import Grant
from workroom.domain.errors import WorkroomError
from workroom.domain.rooms.items import Kind
from workroom.store.room_tables.change_history import ChangeRow, StepRow
from workroom.store.room_tables.items import ItemRow
from workroom.store.room_tables.locks import LockRow
from workroom.wire import geometries
from workroom.wire.locks import GrantedLock, Holder, LockInfo
from workroom.wire.room_items import Change, ChangeAuthor, FramesTouched, ItemName, ItemTouched, StepSet

ItemKey = Annotated[str, Path(min_length=1, max_length=200, description="The item's name.")]


def lock(row: LockRow) -> LockInfo:
    return LockInfo(**_lock(row))


def granted_lock(grant: Grant) -> GrantedLock:
    return GrantedLock(**_lock(grant.lock), token=grant.token, client=grant.lock.client)


def _lock(row: LockRow) -> dict[str, Any]:
    return {
        "target": row.target,
        "holder": Holder(id=row.holder, name=row.holder_name),
        "job_id": row.job_id,
        "message": row.message,
        "fence": row.fence,
        "ttl_seconds": row.ttl_seconds,
        "acquired_at": row.acquired_at,
        "expires_at": row.expires_at,
    }


def lock_event(event: LockHeld | LockFreed) -> tuple[str, dict[str, Any]]:
    """The room and the body of `lock:changed`. The body never contains the token."""
    if isinstance(event, LockHeld):
        return event.lock.room, lock(event.lock).model_dump(mode="json", by_alias=True)
    return event.room, {"target": event.target, "holder": None, "message": "", "expiresAt": None}


def step(row: StepRow) -> StepSet:
    return StepSet(step=row.step, step_revision=row.step_revision)


def values_of(rows: Iterable[ItemRow], kind: Kind) -> dict[str, Any]:
    return {row.key: row.value for row in rows if row.kind == kind}


def authors_of(rows: Iterable[ItemRow], kind: Kind) -> dict[str, str | None]:
    """By item, the name of the user who set it last."""
    return {row.key: row.updated_by_name for row in rows if row.kind == kind}


def item_name(row: ItemRow) -> ItemName:
    return ItemName(
        key=row.key,
        revision=row.revision,
        updated_by=row.updated_by_name,
        updated_at=row.updated_at.isoformat(),
    )


def geometry(value: dict[str, Any]) -> dict[str, Any]:
    """A geometry with all fields of its type, including fields that were added after it was stored."""
    try:
        return geometries.to_wire(geometries.parse_geometry(value["type"], value["data"]))
    except WorkroomError:
        return value


def change(row: ChangeRow) -> Change:
    return Change(
        id=row.id,
        revision=row.revision,
        act=row.act,
        label=row.label,
        author=ChangeAuthor(id=row.author, name=row.author_name),
        job_id=row.job_id,
        extension=row.extension,
        parameters=row.parameters,
        machine=row.machine,
        at=row.at,
        undo_of=row.undo_of,
        undone_by=row.undone_by,
        frames=None
        if row.start is None
        else FramesTouched(start=row.start, removed=row.removed, added=row.added, last_now=row.last_now),
        values=[ItemTouched.model_validate(item) for item in row.items],
        value_count=row.items_total,
    )


_EVENTS = {
    Kind.SELECTION: "selection:changed",
    Kind.SELECTION_GROUP: "selection:changed",
    Kind.FRAME_SELECTION: "frame_selection:changed",
    Kind.BOOKMARK: "bookmarks:changed",
    Kind.GEOMETRY: "geometries:changed",
    Kind.FIGURE: "figures:changed",
    Kind.METADATA: "metadata:changed",
}


def items_event(event: ItemsChanged) -> tuple[str, dict[str, Any]]:
    """The name and body of the socket event. The body has the value if one small item was set."""
    body: dict[str, Any] = {"revision": event.revision, "by": str(event.by), "keys": list(event.keys)}
    single = event.keys[0] if len(event.keys) == 1 else None
    value = event.values[single] if event.values is not None and single is not None else None
    match event.kind:
        case Kind.SELECTION:
            body |= {"name": single, "group": None, "indices": value}
        case Kind.SELECTION_GROUP:
            body |= {"name": None, "group": single, "indices": None}
        case Kind.FRAME_SELECTION:
            body |= {"indices": value}
        case _:
            body |= {"key": single}
    return _EVENTS[event.kind], body
