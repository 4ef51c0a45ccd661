"""Reads a request body in chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from workroom.domain.errors import BadInput


async def iter_body(request: Request) -> AsyncIterator[bytes]:
    """The chunks of the body. The middleware `body_limit` ends a body that is too large or too slow."""
    stream = request.stream()
    while True:
        try:
            chunk = await anext(stream, None)
        except ClientDisconnect:
            raise BadInput("The client disconnected during the upload.") from None
        if chunk is None:
            return
        if chunk:
            yield chunk
