"""Reads a request body in chunks, with an idle timeout."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from workroom.domain.errors import BadInput

_IDLE_SECONDS = 60.0


async def iter_body(request: Request) -> AsyncIterator[bytes]:
    """The chunks of the body. The idle timeout ends a stalled upload, which holds a transaction or a file open."""
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(_IDLE_SECONDS):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise BadInput(f"The upload sent no data for {_IDLE_SECONDS:g} seconds.") from None
        except ClientDisconnect:
            raise BadInput("The client disconnected during the upload.") from None
        if chunk is None:
            return
        if chunk:
            yield chunk
