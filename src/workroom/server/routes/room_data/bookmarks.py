"""Bookmarks: labels of frames."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from workroom.actions.rooms import items
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.room_items import values_of
from workroom.wire.room_items import Bookmark, Bookmarks, ItemsWritten, RoomBookmarks

router = make_router("/api/rooms/{room}/bookmarks", tag="bookmarks")
WRITES = error_responses(403, 404, 409, 423)
FrameIndex = Annotated[int, Path(ge=0, le=999_999_999, description="The index of the frame, from 0.")]


@router.get("", summary="All bookmarks: by frame index, the label", responses=error_responses(404))
async def get_all(context: Context, access: Reader) -> RoomBookmarks:
    labels = values_of(await items.list_items(context.engine, access.room, Kind.BOOKMARK), Kind.BOOKMARK)
    return RoomBookmarks(bookmarks={index: labels[index] for index in sorted(labels, key=int)})


@router.put("", summary="Replace all bookmarks", responses=WRITES)
async def replace(context: Context, writer: WriterDep, body: Bookmarks) -> ItemsWritten:
    written = await items.replace(context.engine, writer.room, writer.context, Kind.BOOKMARK, body.bookmarks)
    return ItemsWritten.model_validate(written)


@router.patch("", summary="Set several bookmarks in one change", responses=WRITES)
async def put_some(context: Context, writer: WriterDep, body: Bookmarks) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.BOOKMARK, body.bookmarks)
    return ItemsWritten.model_validate(written)


@router.put("/{index}", summary="Bookmark a frame", responses=WRITES)
async def put(context: Context, writer: WriterDep, index: FrameIndex, body: Bookmark) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.BOOKMARK, {str(index): body.label})
    return ItemsWritten.model_validate(written)


@router.delete("/{index}", summary="Remove a bookmark", responses=WRITES)
async def remove(context: Context, writer: WriterDep, index: FrameIndex) -> ItemsWritten:
    written = await items.remove(context.engine, writer.room, writer.context, Kind.BOOKMARK, str(index))
    return ItemsWritten.model_validate(written)
