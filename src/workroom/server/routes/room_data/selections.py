"""Selections of atoms, groups of selections, and selected frames."""

from __future__ import annotations

from workroom.actions.rooms import items
from workroom.domain.rooms.items import FRAMES, Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.room_items import ItemKey, authors_of, values_of
from workroom.wire.room_items import (
    FrameSelection,
    Group,
    ItemsWritten,
    RoomSelectionGroups,
    RoomSelections,
    SelectedFrames,
    Selection,
    SelectionGroups,
    Selections,
)

router = make_router("/api/rooms/{room}", tag="selections")
WRITES = error_responses(403, 404, 409, 423)


@router.get("/selections", summary="All selections and groups", responses=error_responses(404))
async def get_all(context: Context, access: Reader) -> RoomSelections:
    rows = await items.list_items(context.engine, access.room, Kind.SELECTION, Kind.SELECTION_GROUP)
    return RoomSelections(
        selections=values_of(rows, Kind.SELECTION),
        groups=values_of(rows, Kind.SELECTION_GROUP),
        authors=authors_of(rows, Kind.SELECTION),
        group_authors=authors_of(rows, Kind.SELECTION_GROUP),
    )


@router.put("/selections", summary="Replace all selections", responses=WRITES)
async def replace(context: Context, writer: WriterDep, body: Selections) -> ItemsWritten:
    written = await items.replace(context.engine, writer.room, writer.context, Kind.SELECTION, body.selections)
    return ItemsWritten.model_validate(written)


@router.patch("/selections", summary="Set several selections in one change", responses=WRITES)
async def put_some(context: Context, writer: WriterDep, body: Selections) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.SELECTION, body.selections)
    return ItemsWritten.model_validate(written)


@router.put("/selections/{key}", summary="Set a selection", responses=WRITES)
async def put(context: Context, writer: WriterDep, key: ItemKey, body: Selection) -> ItemsWritten:
    """The selection `particles` holds atoms."""
    written = await items.put(context.engine, writer.room, writer.context, Kind.SELECTION, {key: body.indices})
    return ItemsWritten.model_validate(written)


@router.delete("/selections/{key}", summary="Remove a selection", responses=WRITES)
async def remove(context: Context, writer: WriterDep, key: ItemKey) -> ItemsWritten:
    return ItemsWritten.model_validate(
        await items.remove(context.engine, writer.room, writer.context, Kind.SELECTION, key)
    )


@router.get("/selection-groups", summary="Groups of selections", responses=error_responses(404))
async def groups(context: Context, access: Reader) -> RoomSelectionGroups:
    rows = await items.list_items(context.engine, access.room, Kind.SELECTION_GROUP)
    return RoomSelectionGroups(groups=values_of(rows, Kind.SELECTION_GROUP))


@router.put("/selection-groups", summary="Replace all groups", responses=WRITES)
async def replace_groups(context: Context, writer: WriterDep, body: SelectionGroups) -> ItemsWritten:
    written = await items.replace(context.engine, writer.room, writer.context, Kind.SELECTION_GROUP, body.groups)
    return ItemsWritten.model_validate(written)


@router.patch("/selection-groups", summary="Set several groups in one change", responses=WRITES)
async def put_some_groups(context: Context, writer: WriterDep, body: SelectionGroups) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.SELECTION_GROUP, body.groups)
    return ItemsWritten.model_validate(written)


@router.put("/selection-groups/{key}", summary="Set a group", responses=WRITES)
async def put_group(context: Context, writer: WriterDep, key: ItemKey, body: Group) -> ItemsWritten:
    """The body maps each selection of the group to its indices."""
    written = await items.put(context.engine, writer.room, writer.context, Kind.SELECTION_GROUP, {key: body})
    return ItemsWritten.model_validate(written)


@router.delete("/selection-groups/{key}", summary="Remove a group", responses=WRITES)
async def remove_group(context: Context, writer: WriterDep, key: ItemKey) -> ItemsWritten:
    return ItemsWritten.model_validate(
        await items.remove(context.engine, writer.room, writer.context, Kind.SELECTION_GROUP, key)
    )


@router.get("/frame-selection", summary="The selected frames", responses=error_responses(404))
async def frames(context: Context, access: Reader) -> SelectedFrames:
    rows = await items.list_items(context.engine, access.room, Kind.FRAME_SELECTION)
    return SelectedFrames(indices=rows[0].value if rows else None)


@router.put("/frame-selection", summary="Select frames", responses=WRITES)
async def put_frames(context: Context, writer: WriterDep, body: FrameSelection) -> ItemsWritten:
    values = {} if body.indices is None else {FRAMES: body.indices}
    written = await items.replace(context.engine, writer.room, writer.context, Kind.FRAME_SELECTION, values)
    return ItemsWritten.model_validate(written)
