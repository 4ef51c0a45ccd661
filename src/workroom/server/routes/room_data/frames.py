"""Frames: read, written and deleted, streamed both ways."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Header, Query, Request
from starlette.responses import Response, StreamingResponse

from workroom.actions.rooms import frames
from workroom.domain.errors import BadInput
from workroom.domain.rooms.edits import Extend, Insert, Places, Replace, Span, Where
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.body_stream import iter_body
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.room_data.frame_requests import (
    FURTHEST,
    IN_BODY,
    check_encoding,
    parse_selection,
    split_leading_indices,
    stream_of,
)
from workroom.wire.frames import MEDIA_TYPE, framed
from workroom.wire.trajectories import Author, FrameChange, FrameKeyInfo, FrameMetadata, Written

router = make_router("/api/rooms/{room}/frames", tag="frames")

Position = Annotated[int | None, Query(ge=-FURTHEST, le=FURTHEST)]
Indices = Annotated[
    str | None, Query(description="Indices, and slices of them: `1,5,-1` or `0:100:2,500`.", examples=["0,-1"])
]
Step = Annotated[int | None, Query(ge=-FURTHEST, le=FURTHEST, description="Not 0.")]
Keys = Annotated[
    list[str] | None,
    Query(description="Only these keys of each frame, separated by commas.", examples=["arrays.positions,cell"]),
]
Revision = Annotated[int | None, Header(alias="Workroom-Revision", ge=0, le=2**62)]
_STREAM: dict[str, Any] = {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}


@router.get(
    "",
    summary="Frames, by indices or by a slice",
    response_class=Response,
    responses={200: {"content": _STREAM, "description": "A stream of frames."}, **error_responses(404, 409)},
)
async def read(
    context: Context,
    access: Reader,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
    keys: Keys = None,
) -> Response:
    """Without indices and slice all of them. `Workroom-Length` and `Workroom-Revision` say of which trajectory."""
    wanted = None if keys is None else {key for some in keys for key in some.split(",")}
    reading = await frames.read(context.engine, access.room, parse_selection(indices, start, stop, step), wanted)
    headers = {"Workroom-Length": str(reading.length), "Workroom-Revision": str(reading.revision)}
    if len(reading.sizes) == 1:
        content = b"".join([part async for some in reading.frames for frame in some for part in framed(frame)])
        return Response(content, headers=headers, media_type=MEDIA_TYPE)
    if wanted is None:
        headers["Content-Length"] = str(sum(8 + size + -size % 8 for size in reading.sizes))
    return StreamingResponse(stream_of(reading.frames), headers=headers, media_type=MEDIA_TYPE)


@router.get(
    "/metadata",
    summary="What a frame consists of, and who made it",
    responses=error_responses(404, 409),
    response_model_exclude_unset=True,
)
async def metadata(
    context: Context, access: Reader, index: Annotated[int, Query(ge=-FURTHEST, le=FURTHEST)] = 0
) -> FrameMetadata:
    data, position, found = await frames.describe(context.engine, access.room, index)
    author = None if found.author is None else Author(id=found.author, name=found.author_name or "")
    change = FrameChange.model_validate({**found._asdict(), "id": found.change_id, "author": author})
    keys = {key: FrameKeyInfo.model_validate(entry) for key, entry in found.keys.items()}
    return FrameMetadata(index=position, length=data.length, revision=data.revision, keys=keys, change=change)


@router.post(
    "",
    summary="Put frames in",
    responses=error_responses(403, 404, 409, 413, 423),
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": f"A stream of frames: {MEDIA_TYPE}, or by its general name.",
            "content": {"application/octet-stream": _STREAM[MEDIA_TYPE]},
        }
    },
)
async def write(
    context: Context,
    writing: WriterDep,
    request: Request,
    action: Literal["append", "extend", "insert", "replace", "arrange", "delete"] = "extend",
    index: Position = None,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
) -> Written:
    """`append` takes one frame, `extend` any number; `insert` puts them before `index`; `replace` in the place of
    `index` or `indices`, as many, or of a slice. All of the stream is written, or nothing. `arrange` and `delete` take
    no frames: they keep those named, in this order, or take them out. With `indices=body` the stream begins with a map
    that has them as an array, `indices`.
    """
    check_encoding(request)
    pieces = iter_body(request)
    there: Where = Span()
    if indices == IN_BODY:
        there, pieces = await split_leading_indices(pieces)
    elif index is not None and action == "replace":
        there = Places([index])
    else:
        there = parse_selection(indices, start, stop, step)
    if action in ("replace", "delete") and there == Span():
        raise BadInput(f"What to {action}? Give index=…, indices=…, or start=… and stop=…")
    engine, room, writer = context.engine, writing.room, writing.context
    match action:
        case "append":
            written = await frames.append(engine, room, writer, pieces)
        case "extend":
            written = await frames.write(engine, room, writer, Extend(), pieces)
        case "insert":
            if index is None:
                raise BadInput("Where to insert? Give index=…")
            written = await frames.write(engine, room, writer, Insert(index), pieces)
        case "replace":
            written = await frames.write(engine, room, writer, Replace(there), pieces)
        case "arrange":
            written = await frames.arrange(engine, room, writer, there)
        case "delete":
            written = await frames.delete(engine, room, writer, there)
    return Written.model_validate(written)


@router.delete("", summary="Take frames out", responses=error_responses(403, 404, 409, 423))
async def delete(
    context: Context,
    writing: WriterDep,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
    revision: Revision = None,
) -> Written:
    """If `Workroom-Revision` is sent, only while the room's data is still at that."""
    there = parse_selection(indices, start, stop, step)
    if there == Span():
        raise BadInput("What to delete? Give indices=… or start=… and stop=…; start=0 alone is everything.")
    written = await frames.delete(context.engine, writing.room, writing.context, there, revision=revision)
    return Written.model_validate(written)
