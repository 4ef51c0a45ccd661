"""Files: uploaded and opened by a job, or made of a room's frames and downloaded."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Query, Request, status
from starlette.responses import FileResponse, Response, StreamingResponse

from workroom.actions.extensions import resolve
from workroom.actions.jobs import requests
from workroom.actions.jobs.options import JobOptions
from workroom.actions.rooms import frames, items
from workroom.domain.errors import BadInput, Forbidden, NotFound, Unavailable
from workroom.domain.rooms.edits import Span
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader, RoomAccess, Writer
from workroom.server.context import Context, ServerContext
from workroom.server.files.converter import begun
from workroom.server.files.multipart import boundary_of, file_in
from workroom.server.files.service import Files
from workroom.server.http.body_stream import iter_body
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.extensions import accepted
from workroom.server.serializers.room_items import values_of
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.wire.frames import framed
from workroom.wire.jobs import Accepted

router = make_router("/api/rooms/{room}/files", tag="files")

OPEN = ("files", "Open")
_FURTHEST = 2**31 - 1
_POOL_SECONDS = 20.0
_NUMBERS = re.compile(r"\d{1,10}(,\d{1,10})*")
_TYPES = {
    "extxyz": "chemical/x-xyz",
    "xyz": "chemical/x-xyz",
    "cif": "chemical/x-cif",
    "pdb": "chemical/x-pdb",
    "traj": "application/octet-stream",
    "h5md": "application/x-hdf5",
}
_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
Position = Annotated[int | None, Query(ge=-_FURTHEST, le=_FURTHEST)]


@router.post(
    "",
    status_code=status.HTTP_202_ACCEPTED,
    summary="Open a file in the room",
    responses=error_responses(403, 404, 413, 429),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": _BINARY, "multipart/form-data": {"schema": {"type": "object"}}},
        }
    },
)
async def upload(
    context: Context,
    desk: Files,
    access: Writer,
    request: Request,
    name: Annotated[str | None, Query(max_length=200, description="What the file is called.")] = None,
    format: Annotated[str | None, Query(max_length=50, description="Its format, where the name does not tell.")] = None,
) -> Accepted:
    """The file is the body, or the one file of a form. A job reads its frames and adds them to the trajectory, all or
    none."""
    context.submission_limit.hit(str(access.principal.account_id))
    extension = await _opener(context, access.room)
    pieces = iter_body(request)
    if boundary := boundary_of(request.headers.get("content-type", "")):
        found = await file_in(pieces, boundary)
        pieces, name = found.content, name or found.name
    called = (name or "upload").replace("\\", "/").rpartition("/")[2][:200] or "upload"
    kept = await desk.spool.keep(access.room, pieces)
    try:
        return await _submit(
            context, desk, access, extension, {"upload": kept, "name": called, "format": format or None}
        )
    except BaseException:
        desk.spool.remove(access.room, kept)
        raise


@router.get(
    "",
    summary="Download frames as a file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": _BINARY}, "description": "The file."}}
    | error_responses(404, 409),
)
async def download(
    context: Context,
    desk: Files,
    access: Reader,
    format: Literal["extxyz", "xyz", "cif", "pdb", "traj", "h5md"] = "extxyz",
    start: Position = None,
    stop: Position = None,
    step: Annotated[int | None, Query(ge=-_FURTHEST, le=_FURTHEST, description="Not 0.")] = None,
    selection: Annotated[
        str | None,
        Query(
            max_length=1_000_000,
            description="Only these atoms: their numbers, with commas between, or the name of a selection of the room.",
        ),
    ] = None,
) -> Response:
    """All frames, or a slice of them."""
    if step == 0:
        raise BadInput("A slice's step is not 0.")
    chosen = None if selection is None else await _selected(context, access.room, selection)
    order = {"format": format, "selection": chosen}
    reading = await frames.read(context.engine, access.room, Span(start, stop, step))
    if not reading.sizes:
        raise BadInput("There are no frames to download here.")
    content = await begun(desk.converter.file(order, _framed(reading.frames)))
    headers = {
        "Content-Disposition": f'attachment; filename="{access.room}.{format}"',
        "Workroom-Length": str(len(reading.sizes)),
        "Workroom-Revision": str(reading.revision),
    }
    return StreamingResponse(content, headers=headers, media_type=_TYPES[format])


@router.get(
    "/{upload}",
    summary="An uploaded file, for the job that opens it",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": _BINARY}, "description": "The file."}}
    | error_responses(403, 404, 409),
)
async def uploaded(desk: Files, access: Reader, upload: str) -> Response:
    if access.job is None:
        raise Forbidden("Only a job in this room may fetch an upload.")
    return FileResponse(desk.spool.find(access.room, upload), media_type="application/octet-stream")


async def _opener(context: ServerContext, room: str) -> ExtensionRow:
    """Who opens files, asked for before anything is taken in. A pool that has just been started may take a while."""
    give_up_at = time.monotonic() + (_POOL_SECONDS if context.settings.pool else 0)
    while True:
        try:
            return await resolve.find_extension(context.engine, room, *OPEN)
        except NotFound:
            if time.monotonic() >= give_up_at:
                break
        await asyncio.sleep(0.2)
    if context.settings.pool:
        raise Unavailable("The server's pool, which opens files, is not there yet. Try again in a moment.")
    raise NotFound("Nobody can open files here: the server has no pool. Start it with --pool 1.")


async def _submit(
    context: ServerContext, desk: Files, access: RoomAccess, extension: ExtensionRow, data: dict[str, Any]
) -> Accepted:
    options = JobOptions(submitter=access.principal.account_id, submitter_name=access.principal.name, room=access.room)
    asked = await requests.prepare_job(context.engine, extension, data, options)
    assert asked is not None  # only settings are not queued
    submitted = await context.submit_batcher.submit(asked)
    desk.opened_by(submitted.id, access.room, str(data["upload"]))
    return await accepted(context, submitted)


async def _framed(batches: AsyncIterator[list[bytes]]) -> AsyncIterator[bytes]:
    async for batch in batches:
        yield b"".join([part for frame in batch for part in framed(frame)])


async def _selected(context: ServerContext, room: str, selection: str) -> list[int]:
    """The atoms meant by numbers with commas between, or by the name of a selection."""
    if not _NUMBERS.fullmatch(selection):
        named = values_of(await items.list_items(context.engine, room, Kind.SELECTION), Kind.SELECTION)
        if selection not in named:
            raise NotFound(f"There is no selection {selection[:100]!r} in this room. Numbers go with commas: 0,1,5.")
        return named[selection]
    numbers = [int(part) for part in selection.split(",")]
    if max(numbers) > _FURTHEST:
        raise BadInput("No structure has so many atoms.")
    return numbers
