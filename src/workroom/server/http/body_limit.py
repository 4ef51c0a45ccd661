"""ASGI middleware that limits the size of request bodies."""

from __future__ import annotations

import asyncio
import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.domain.errors import TooLarge
from workroom.domain.limits import FIGURE_BYTES
from workroom.server.http.error_handlers import problem

# The largest arguments of a job, and space for the fields around them.
LARGEST_BODY = 1_200_000
_LARGEST_FIGURE_BODY = FIGURE_BYTES + 200_000
_FIGURES = re.compile(r"/api/rooms/[^/]+/figures")
# These routes stream their bodies to disk or into the database. A setting limits them.
_UPLOADS = re.compile(r"/api/rooms/[^/]+/(frames|files)")
# These routes stream their bodies and enforce their own limit.
_SELF_LIMITED = frozenset({"/api/postings/stream"})
# The rest of a refused body is read and discarded up to these limits.
_MOST_DISCARDED_BYTES = 50_000_000
_LONGEST_DISCARD_SECONDS = 10.0


class BodySizeLimit:
    """Answers 413 when `Content-Length`, or the bytes received so far, exceed the limit of the route."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY, upload: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest
        self._upload = upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/") or scope["path"] in _SELF_LIMITED:
            await self._app(scope, receive, send)
            return
        is_upload = scope["method"] == "POST" and _UPLOADS.fullmatch(scope["path"]) is not None
        largest = self._limit_of(scope["path"], is_upload=is_upload)
        content_length = dict(scope["headers"]).get(b"content-length", b"0")
        if content_length.isdigit() and int(content_length) > largest:
            await _refuse(scope, receive, send, largest)
            return
        received = 0
        body_ended = False
        response_started = False

        async def receive_counted() -> Message:
            nonlocal received, body_ended
            message = await receive()
            received += len(message.get("body", b""))
            body_ended = message["type"] != "http.request" or not message.get("more_body")
            if received > largest:
                # An upload route rolls back what it has written and answers this error like any other.
                raise TooLarge(_too_large(largest)) if is_upload else _BodyTooLarge
            return message

        async def send_after_body(message: Message) -> None:
            nonlocal response_started
            if is_upload and not body_ended and not response_started and not await _discard_body(receive):
                message["headers"] = [*message.get("headers", []), (b"connection", b"close")]
            response_started = True
            await send(message)

        try:
            await self._app(scope, receive_counted, send_after_body)
        except _BodyTooLarge:
            if not response_started:
                await _refuse(scope, receive, send, largest)

    def _limit_of(self, path: str, *, is_upload: bool) -> int:
        if is_upload:
            return self._upload
        return _LARGEST_FIGURE_BODY if _FIGURES.match(path) else self._largest


async def _refuse(scope: Scope, receive: Receive, send: Send, largest: int) -> None:
    await _discard_body(receive)
    response = problem(413, "too_large", _too_large(largest))
    response.headers["Connection"] = "close"
    await response(scope, receive, send)


def _too_large(largest: int) -> str:
    return f"The body is larger than {largest:,} bytes."


async def _discard_body(receive: Receive) -> bool:
    """Read the rest of the body, and return whether it ended within the limits.

    A client that is still sending when the connection closes never reads the response.
    """
    discarded = 0
    try:
        async with asyncio.timeout(_LONGEST_DISCARD_SECONDS):
            while discarded < _MOST_DISCARDED_BYTES:
                message = await receive()
                discarded += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return True
    except TimeoutError:
        pass
    return False


class _BodyTooLarge(Exception):
    pass
