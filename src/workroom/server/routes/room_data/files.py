"""Files: upload a file that a job opens, or download frames as a file."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import Query, Request, status
from starlette.responses import FileResponse, Response, StreamingResponse

from workroom.actions.extensions import resolve
from workroom.actions.jobs.checked_requests import SubmitRequest
from workroom.actions.jobs.options import JobOptions
from workroom.actions.rooms import frame_streams, items
from workroom.domain.errors import BadInput, Forbidden, NotFound, Unavailable
from workroom.domain.rooms.items import Kind
from workroom.domain.rooms.trajectory_edits import Span
from workroom.server.auth.access import Reader, RoomAccess, Writer
from workroom.server.context import Context, ServerContext
from workroom.server.files.converter import start_stream
from workroom.server.files.multipart import find_file, parse_boundary
from workroom.server.files.service import Files, FileService
from workroom.server.http.body_stream import iter_body
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.extensions import accepted
from workroom.server.routes.room_data.frame_requests import frame_stream
from workroom.server.serializers.room_items import values_of
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.wire.jobs import Accepted

router = make_router("/api/rooms/{room}/files", tag="files")

OPEN = ("files", "Open")
_MAX_POSITION = 2**31 - 1
_INDEX_LIST = re.compile(r"\d{1,10}(,\d{1,10})*")
_MEDIA_TYPES = {
    "extxyz": "chemical/x-xyz",
    "xyz": "chemical/x-xyz",
    "cif": "chemical/x-cif",
    "pdb": "chemical/x-pdb",
    "traj": "application/octet-stream",
    "h5md": "application/x-hdf5",
}
_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
Position = Annotated[int | None, Query(ge=-_MAX_POSITION, le=_MAX_POSITION)]


@router.post(
    "",
    status_code=status.HTTP_202_ACCEPTED,
    summary="Open a file in the room",
    responses=error_responses(403, 404, 408, 413, 429, 507),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": _BINARY, "multipart/form-data": {"schema": {"type": "object"}}},
        }
    },
)
async def upload(
    context: Context,
    files: Files,
    access: Writer,
    request: Request,
    name: Annotated[str | None, Query(max_length=200, description="The name of the file.")] = None,
    format: Annotated[str | None, Query(max_length=50, description="The format, if the name does not show it.")] = None,
) -> Accepted:
    """The file is the body, or the only file of a form. A job appends its frames to the trajectory: all, or none."""
    context.submission_limit.hit(str(access.principal.account_id))
    extension = await _find_open_extension(context, access.room)
    chunks = files.budget.counted(access.principal.account_id, iter_body(request))
    async with aclosing(chunks):
        upload_id, file_name = await _save(files, access.room, chunks, request, name)
    try:
        return await _submit(
            context, files, access, extension, {"upload": upload_id, "name": file_name, "format": format or None}
        )
    except BaseException:
        files.uploads.remove(access.room, upload_id)
        raise


async def _save(
    files: FileService, room: str, chunks: AsyncIterator[bytes], request: Request, name: str | None
) -> tuple[str, str]:
    """Store the file of a request, and return its id and its name."""
    if boundary := parse_boundary(request.headers.get("content-type", "")):
        found = await find_file(chunks, boundary)
        chunks, name = found.content, name or found.name
    file_name = (name or "upload").replace("\\", "/").rpartition("/")[2][:200] or "upload"
    return await files.uploads.save(room, chunks), file_name


@router.get(
    "",
    summary="Download frames as a file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": _BINARY}, "description": "The file."}}
    | error_responses(404, 409),
)
async def download(
    context: Context,
    files: Files,
    access: Reader,
    format: Literal["extxyz", "xyz", "cif", "pdb", "traj", "h5md"] = "extxyz",
    start: Position = None,
    stop: Position = None,
    step: Annotated[int | None, Query(ge=-_MAX_POSITION, le=_MAX_POSITION, description="Cannot be 0.")] = None,
    selection: Annotated[
        str | None,
        Query(
            max_length=1_000_000,
            description="Only these atoms: indices separated by commas, or the name of a selection of the room.",
        ),
    ] = None,
) -> Response:
    """Writes all frames, or a slice of them."""
    if step == 0:
        raise BadInput("The step of a slice cannot be 0.")
    atoms = None if selection is None else await _resolve_selection(context, access.room, selection)
    options = {"format": format, "selection": atoms}
    reading = await frame_streams.read(context.engine, access.room, Span(start, stop, step))
    if not reading.sizes:
        raise BadInput("The room has no frames to download.")
    content = await start_stream(files.converter.convert(options, frame_stream(reading.frames)))
    headers = {
        "Content-Disposition": f'attachment; filename="{access.room}.{format}"',
        "Workroom-Length": str(len(reading.sizes)),
        "Workroom-Revision": str(reading.revision),
    }
    return StreamingResponse(content, headers=headers, media_type=_MEDIA_TYPES[format])


@router.get(
    "/{upload}",
    summary="An uploaded file, for the job that opens it",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": _BINARY}, "description": "The file."}}
    | error_responses(403, 404, 409),
)
async def uploaded(files: Files, access: Reader, upload: str) -> Response:
    if access.job is None:
        raise Forbidden("Only a job in this room may fetch an upload.")
    return FileResponse(files.uploads.find(access.room, upload), media_type="application/octet-stream")


async def _find_open_extension(context: ServerContext, room: str) -> ExtensionRow:
    """The extension that opens files. It is looked up before the upload, and waited for while the pool starts."""

    async def find() -> ExtensionRow:
        return await resolve.find_extension(context.engine, room, *OPEN)

    try:
        if context.builtin_names is None:
            return await find()
        return await context.builtin_names.until_registered(*OPEN, find)
    except NotFound:
        if context.builtin_names is not None:
            raise NotFound("The pool of this server cannot open files. The server's log has the reason.") from None
        if context.settings.engine == "celery":
            raise Unavailable("No Celery worker has offered to open files yet. Start `workroom celery`.") from None
        raise NotFound("This server cannot open files, because it has no pool. Start it with --pool 1.") from None


async def _submit(
    context: ServerContext, files: Files, access: RoomAccess, extension: ExtensionRow, data: dict[str, Any]
) -> Accepted:
    options = JobOptions(submitter=access.principal.account_id, submitter_name=access.principal.name, room=access.room)
    submitted = await context.submit_batcher.submit(SubmitRequest(extension, data, options))
    files.remove_after_job(submitted.id, access.room, str(data["upload"]))
    return await accepted(context, submitted)


async def _resolve_selection(context: ServerContext, room: str, selection: str) -> list[int]:
    """Atom indices from a comma-separated list, or from the selection of that name."""
    if not _INDEX_LIST.fullmatch(selection):
        selections = values_of(await items.list_items(context.engine, room, Kind.SELECTION), Kind.SELECTION)
        if selection not in selections:
            raise NotFound(
                f"There is no selection {selection[:100]!r} in this room. Indices are separated by commas: 0,1,5."
            )
        return selections[selection]
    indices = [int(part) for part in selection.split(",")]
    if max(indices) > _MAX_POSITION:
        raise BadInput("An atom index is too large.")
    return indices
