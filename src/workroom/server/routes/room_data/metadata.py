"""Metadata: named JSON values of a room."""

from __future__ import annotations

from workroom.actions.rooms import items
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.room_items import ItemKey, values_of
from workroom.wire.room_items import ItemsWritten, Metadata, MetadataEntry, MetadataValue, RoomMetadata

router = make_router("/api/rooms/{room}/metadata", tag="metadata")
WRITES = error_responses(403, 404, 409, 423)


@router.get("", summary="All metadata of the room", responses=error_responses(404))
async def get_all(context: Context, access: Reader) -> RoomMetadata:
    rows = await items.list_items(context.engine, access.room, Kind.METADATA)
    return RoomMetadata(metadata=values_of(rows, Kind.METADATA))


@router.put("", summary="Replace all metadata", responses=WRITES)
async def replace(context: Context, writer: WriterDep, body: Metadata) -> ItemsWritten:
    written = await items.replace(context.engine, writer.room, writer.context, Kind.METADATA, body.metadata)
    return ItemsWritten.model_validate(written)


@router.patch("", summary="Set several values in one change", responses=WRITES)
async def put_some(context: Context, writer: WriterDep, body: Metadata) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.METADATA, body.metadata)
    return ItemsWritten.model_validate(written)


@router.get("/{key}", summary="One value", responses=error_responses(404))
async def get(context: Context, access: Reader, key: ItemKey) -> MetadataEntry:
    row = await items.get_item(context.engine, access.room, Kind.METADATA, key)
    return MetadataEntry(key=row.key, value=row.value)


@router.put("/{key}", summary="Set one value", responses=WRITES)
async def put(context: Context, writer: WriterDep, key: ItemKey, body: MetadataValue) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.METADATA, {key: body.value})
    return ItemsWritten.model_validate(written)


@router.delete("/{key}", summary="Remove one value", responses=WRITES)
async def remove(context: Context, writer: WriterDep, key: ItemKey) -> ItemsWritten:
    written = await items.remove(context.engine, writer.room, writer.context, Kind.METADATA, key)
    return ItemsWritten.model_validate(written)
