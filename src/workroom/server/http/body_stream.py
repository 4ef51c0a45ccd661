"""Bodies that are taken as they arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from workroom.domain.errors import BadInput

_SILENCE_SECONDS = 60.0


async def iter_body(request: Request) -> AsyncIterator[bytes]:
    """The body, piece by piece. Whoever falls silent does not keep a transaction or a file open for ever."""
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(_SILENCE_SECONDS):
                piece = await anext(stream, None)
        except TimeoutError:
            raise BadInput(f"The upload has been silent for {_SILENCE_SECONDS:g} seconds.") from None
        except ClientDisconnect:
            raise BadInput("The upload broke off.") from None
        if piece is None:
            return
        if piece:
            yield piece
