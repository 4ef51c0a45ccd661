"""Frames: read, write and delete them as binary streams."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from starlette.responses import Response, StreamingResponse

from workroom.actions.rooms import frame_streams
from workroom.actions.rooms.edit_trajectory import TrajectoryWritten
from workroom.domain.errors import BadInput
from workroom.domain.rooms.rights import Rights
from workroom.domain.rooms.trajectory_edits import Extend, Insert, Places, Replace, Span, Where
from workroom.server.auth.access import Reader, authorize
from workroom.server.auth.bearer import VisitorToken
from workroom.server.auth.write_context import RoomWrite, WriterDep
from workroom.server.context import Context, ServerContext
from workroom.server.files.body_spool import BodySpool
from workroom.server.files.service import Files
from workroom.server.http.body_stream import iter_body
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.room_data.frame_requests import (
    IN_BODY,
    MAX_POSITION,
    check_encoding,
    frame_stream,
    parse_selection,
    split_leading_indices,
)
from workroom.wire.frames import MEDIA_TYPE, framed
from workroom.wire.trajectories import Author, FrameChange, FrameKeyInfo, FrameMetadata, Written

router = make_router("/api/rooms/{room}/frames", tag="frames")

Position = Annotated[int | None, Query(ge=-MAX_POSITION, le=MAX_POSITION)]
Indices = Annotated[
    str | None,
    Query(description="Indices and slices, separated by commas: `1,5,-1` or `0:100:2,500`.", examples=["0,-1"]),
]
Step = Annotated[int | None, Query(ge=-MAX_POSITION, le=MAX_POSITION, description="Cannot be 0.")]
Keys = Annotated[
    list[str] | None,
    Query(description="Only these keys of each frame, separated by commas.", examples=["arrays.positions,cell"]),
]
Action = Literal["append", "extend", "insert", "replace", "arrange", "delete"]
_AUTHORIZED_SECONDS = 0.5  # an upload that takes longer is authorised again before anything is written
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
    """Without indices and slice: all frames. `Workroom-Length` and `Workroom-Revision` describe the trajectory read."""
    key_filter = None if keys is None else {key for part in keys for key in part.split(",")}
    reading = await frame_streams.read(
        context.engine, access.room, parse_selection(indices, start, stop, step), key_filter
    )
    headers = {"Workroom-Length": str(reading.length), "Workroom-Revision": str(reading.revision)}
    if len(reading.sizes) == 1:
        content = b"".join([part async for batch in reading.frames for frame in batch for part in framed(frame)])
        return Response(content, headers=headers, media_type=MEDIA_TYPE)
    if key_filter is None:
        headers["Content-Length"] = str(sum(8 + size + -size % 8 for size in reading.sizes))
    return StreamingResponse(frame_stream(reading.frames), headers=headers, media_type=MEDIA_TYPE)


@router.get(
    "/metadata",
    summary="The keys of a frame, and the change that wrote it",
    responses=error_responses(404, 409),
    response_model_exclude_unset=True,
)
async def metadata(
    context: Context, access: Reader, index: Annotated[int, Query(ge=-MAX_POSITION, le=MAX_POSITION)] = 0
) -> FrameMetadata:
    data, position, found = await frame_streams.describe(context.engine, access.room, index)
    author = None if found.author is None else Author(id=found.author, name=found.author_name or "")
    change = FrameChange.model_validate({**found._asdict(), "id": found.change_id, "author": author})
    keys = {key: FrameKeyInfo.model_validate(entry) for key, entry in found.keys.items()}
    return FrameMetadata(index=position, length=data.length, revision=data.revision, keys=keys, change=change)


@router.post(
    "",
    summary="Write frames",
    responses=error_responses(403, 404, 408, 409, 413, 423, 429, 507),
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
    files: Files,
    writing: WriterDep,
    token: VisitorToken,
    request: Request,
    action: Action = "extend",
    index: Position = None,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
) -> Written:
    """`append` writes one frame, `extend` any number. `insert` writes before `index`. `replace` writes in place of
    `index`, of as many `indices`, or of a slice. The whole stream is written, or nothing. `arrange` and `delete` have
    no frames in the body: they keep the selected frames, in this order, or delete them. With `indices=body` the stream
    begins with a map that holds the array `indices`.
    """
    check_encoding(request)
    selected: Where | None = None  # None: the body begins with it
    if index is not None and action == "replace":
        selected = Places([index])
    elif indices != IN_BODY:
        selected = parse_selection(indices, start, stop, step)
        _check_selected(action, selected)
    if action == "insert" and index is None:
        raise BadInput("`insert` needs index=…")
    engine, room, writer = context.engine, writing.room, writing.context
    # The lock is checked before a large body as well, so that a long upload does not fail only at its end.
    body = files.received(
        writer.account_id, iter_body(request), lambda: frame_streams.check_writable(engine, room, writer)
    )
    began = time.monotonic()
    async with body as received:
        if time.monotonic() - began > _AUTHORIZED_SECONDS:
            await authorize(context, token, room, Rights.WRITE)
        return Written.model_validate(await _write(context, writing, action, index or 0, selected, received))


async def _write(
    context: ServerContext, writing: RoomWrite, action: Action, index: int, selected: Where | None, body: BodySpool
) -> TrajectoryWritten:
    engine, room, writer = context.engine, writing.room, writing.context
    pieces, size = body.pieces(), body.size
    if selected is None:
        selected, pieces = await split_leading_indices(pieces)
        _check_selected(action, selected)
    match action:
        case "append":
            return await frame_streams.append(engine, room, writer, pieces, size=size)
        case "extend":
            return await frame_streams.write(engine, room, writer, Extend(), pieces, size=size)
        case "insert":
            return await frame_streams.write(engine, room, writer, Insert(index), pieces, size=size)
        case "replace":
            return await frame_streams.write(engine, room, writer, Replace(selected), pieces, size=size)
        case "arrange":
            return await frame_streams.arrange(engine, room, writer, selected)
        case "delete":
            return await frame_streams.delete(engine, room, writer, selected)


def _check_selected(action: Action, selected: Where) -> None:
    if action in ("replace", "delete") and selected == Span():
        raise BadInput(f"`{action}` needs index=…, indices=…, or start=… and stop=…")


@router.delete("", summary="Delete frames", responses=error_responses(403, 404, 409, 423))
async def delete(
    context: Context,
    writing: WriterDep,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
) -> Written:
    selected = parse_selection(indices, start, stop, step)
    if selected == Span():
        raise BadInput("Give indices=…, or start=… and stop=…; start=0 alone deletes all frames.")
    written = await frame_streams.delete(context.engine, writing.room, writing.context, selected)
    return Written.model_validate(written)
