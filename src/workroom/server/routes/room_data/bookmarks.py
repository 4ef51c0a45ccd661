"""Bookmarks of frames, and what a room remembers about itself."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path

from workroom.actions.rooms import items
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.room_items import ItemKey, values_of
from workroom.wire.scene import Bookmark, Bookmarks, ItemsWritten, Metadata, MetadataValue

router = make_router("/api/rooms/{room}", tag="bookmarks and metadata")
WRITES = error_responses(403, 404, 409, 423)
FrameIndex = Annotated[int, Path(ge=0, le=999_999_999, description="Which frame, from 0.")]


@router.get("/bookmarks", summary="The bookmarks: for each frame its label", responses=error_responses(404))
async def bookmarks(context: Context, access: Reader) -> dict[str, Any]:
    rows = await items.list_items(context.engine, access.room, Kind.BOOKMARK)
    return {"bookmarks": dict(sorted(values_of(rows, Kind.BOOKMARK).items(), key=lambda one: int(one[0])))}


@router.put("/bookmarks", summary="Replace all bookmarks", responses=WRITES)
async def replace(context: Context, writer: WriterDep, body: Bookmarks) -> ItemsWritten:
    written = await items.replace(context.engine, writer.room, writer.context, Kind.BOOKMARK, body.bookmarks)
    return ItemsWritten.model_validate(written)


@router.patch("/bookmarks", summary="Set some bookmarks, in one change", responses=WRITES)
async def put_some(context: Context, writer: WriterDep, body: Bookmarks) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.BOOKMARK, body.bookmarks)
    return ItemsWritten.model_validate(written)


@router.put("/bookmarks/{index}", summary="Bookmark a frame", responses=WRITES)
async def put(context: Context, writer: WriterDep, index: FrameIndex, body: Bookmark) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.BOOKMARK, {str(index): body.label})
    return ItemsWritten.model_validate(written)


@router.delete("/bookmarks/{index}", summary="Remove a bookmark", responses=WRITES)
async def remove(context: Context, writer: WriterDep, index: FrameIndex) -> ItemsWritten:
    written = await items.remove(context.engine, writer.room, writer.context, Kind.BOOKMARK, str(index))
    return ItemsWritten.model_validate(written)


@router.get("/metadata", summary="What the room remembers about itself", responses=error_responses(404))
async def metadata(context: Context, access: Reader) -> dict[str, Any]:
    return {"metadata": values_of(await items.list_items(context.engine, access.room, Kind.METADATA), Kind.METADATA)}


@router.put("/metadata", summary="Replace all metadata", responses=WRITES)
async def replace_metadata(context: Context, writer: WriterDep, body: Metadata) -> ItemsWritten:
    written = await items.replace(context.engine, writer.room, writer.context, Kind.METADATA, body.metadata)
    return ItemsWritten.model_validate(written)


@router.patch("/metadata", summary="Set some metadata, in one change", responses=WRITES)
async def put_some_metadata(context: Context, writer: WriterDep, body: Metadata) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.METADATA, body.metadata)
    return ItemsWritten.model_validate(written)


@router.get("/metadata/{key}", summary="One value", responses=error_responses(404))
async def one(context: Context, access: Reader, key: ItemKey) -> dict[str, Any]:
    row = await items.get_item(context.engine, access.room, Kind.METADATA, key)
    return {"key": row.key, "value": row.value}


@router.put("/metadata/{key}", summary="Set one value", responses=WRITES)
async def put_metadata(context: Context, writer: WriterDep, key: ItemKey, body: MetadataValue) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.METADATA, {key: body.value})
    return ItemsWritten.model_validate(written)


@router.delete("/metadata/{key}", summary="Remove one value", responses=WRITES)
async def remove_metadata(context: Context, writer: WriterDep, key: ItemKey) -> ItemsWritten:
    return ItemsWritten.model_validate(
        await items.remove(context.engine, writer.room, writer.context, Kind.METADATA, key)
    )
