"""Files for the fields of extensions: upload one, and download it again in a job or a browser."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import Query, Request, status
from starlette.responses import Response, StreamingResponse

from workroom.actions.forms import input_files
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import Context
from workroom.server.files.service import Files
from workroom.server.http.body_stream import iter_body
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.wire.jobs import InputFile

router = make_router("/api/rooms/{room}/inputs", tag="files")

_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    summary="Upload a file for a field of an extension",
    responses=error_responses(403, 404, 408, 413, 429, 507),
    openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": _BINARY}}},
)
async def upload(
    context: Context,
    files: Files,
    access: Writer,
    request: Request,
    name: Annotated[str, Query(min_length=1, max_length=200, description="The name of the file.")],
) -> InputFile:
    """The file is the body. The answer is the value of the field; the file is kept as long as a job has it."""
    context.submission_limit.hit(str(access.principal.account_id))
    async with files.received(access.principal.account_id, iter_body(request), _nothing) as body:
        row = await input_files.store(
            context.engine,
            access.room,
            access.principal.account_id,
            name,
            body.size,
            body.pieces(),
            largest=context.settings.input_bytes,
        )
    return InputFile(file=row.id, name=row.name, size=row.size)


@router.get(
    "/{file}",
    summary="Download a file of a job",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": _BINARY}, "description": "The file."}}
    | error_responses(404, 409),
)
async def download(context: Context, access: Reader, file: UUID) -> Response:
    row = await input_files.find(context.engine, access.room, file)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(row.name, safe='')}",
        "Content-Length": str(row.size),
    }
    content = input_files.read(context.engine, row.id)
    return StreamingResponse(content, headers=headers, media_type="application/octet-stream")


async def _nothing() -> None:
    """A large upload needs no further check: nothing in the room is locked for it."""
