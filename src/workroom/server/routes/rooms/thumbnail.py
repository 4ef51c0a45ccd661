"""The picture of a room in lists: set and get it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Request, status
from starlette.responses import Response

from workroom.actions.rooms import rooms
from workroom.domain.errors import TooLarge
from workroom.domain.rooms.thumbnail import LARGEST_THUMBNAIL
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import Context
from workroom.server.http.body_stream import iter_body
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router

router = make_router("/api/rooms/{room}/thumbnail", tag="rooms")

_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_IMAGES: dict[str, Any] = {"image/webp": _BINARY, "image/png": _BINARY}


@router.put(
    "",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Set the picture of a room in lists",
    responses=error_responses(403, 404, 408, 413, 429),
    openapi_extra={"requestBody": {"required": True, "content": _IMAGES}},
)
async def put(context: Context, access: Writer, request: Request) -> None:
    """The image is the body: a PNG or WebP of at most 10,240 bytes and 512 x 512 pixels, recognised by its content."""
    context.submission_limit.hit(str(access.principal.account_id))
    image = bytearray()
    async for chunk in iter_body(request):
        image += chunk
        if len(image) > LARGEST_THUMBNAIL:
            raise TooLarge(f"A thumbnail has at most {LARGEST_THUMBNAIL:,} bytes. Make the picture smaller.")
    await rooms.save_thumbnail(context.engine, access.room, bytes(image))


@router.get(
    "",
    summary="The picture of a room in lists",
    response_class=Response,
    responses={200: {"content": _IMAGES, "description": "The image."}, 304: {"description": "It has not changed."}}
    | error_responses(404, 409),
)
async def get(context: Context, access: Reader, if_none_match: Annotated[str | None, Header()] = None) -> Response:
    row = await rooms.load_thumbnail(context.engine, access.room)
    tag = f'"{row.updated_at.timestamp():.6f}"'
    # A browser asks each time whether it may still show its copy: the rights may have ended.
    headers = {"Cache-Control": "private, no-cache", "ETag": tag, "Content-Disposition": "inline"}
    if if_none_match == tag:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(row.image, media_type=row.media_type, headers=headers)
