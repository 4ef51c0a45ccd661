"""JSON without surprises, and bodies of bounded size.

The standard parser takes NaN and any depth; what cannot be stored, or would be stored as something else, is refused.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.domain.errors import TooLarge
from workroom.domain.limits import FIGURE_BYTES
from workroom.server.http.problems import problem

# The largest arguments, and some room for what is around them.
LARGEST_BODY = 1_200_000
# These read their bodies piece by piece, and bound them by themselves.
_STREAMED = frozenset({"/api/postings/stream"})
_LARGER = re.compile(r"/api/rooms/[^/]+/figures")
_LARGER_BODY = FIGURE_BYTES + 200_000
_MOST_THROWN_AWAY = 50_000_000
_LONGEST_THROWN_AWAY = 10.0  # seconds
# These are read as they arrive, so they may be as large as the operator allows.
_UPLOADS = re.compile(r"/api/rooms/[^/]+/(frames|files)")


class _StrictRequest(Request):
    async def json(self) -> Any:
        return orjson.loads(await self.body())


class StrictRoute(APIRoute):
    """A route whose bodies are parsed strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return strictly


def make_router(prefix: str = "", *, tag: str) -> APIRouter:
    """A router for one noun."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=StrictRoute)


class BodySizeLimit:
    """Refuses bodies that are too large, by their word or by their size, before anybody reads them whole."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY, upload: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest
        self._upload = upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        is_upload = scope["method"] == "POST" and _UPLOADS.fullmatch(scope["path"]) is not None
        largest = self._upload if is_upload else self._largest
        if scope["path"] in _STREAMED:
            await self._app(scope, receive, send)
            return
        largest = self._upload if is_upload else _LARGER_BODY if _LARGER.match(scope["path"]) else self._largest
        said = dict(scope["headers"]).get(b"content-length", b"0")
        if said.isdigit() and int(said) > largest:
            await self._refuse(scope, receive, send, largest)
            return
        taken = 0
        ended = False
        answered = False

        async def counting() -> Message:
            nonlocal taken, ended
            message = await receive()
            taken += len(message.get("body", b""))
            ended = message["type"] != "http.request" or not message.get("more_body")
            if taken > largest:
                # Whoever reads an upload piece by piece has things to undo, and answers as to any other error.
                raise TooLarge(_too_large(largest)) if is_upload else _TooLong
            return message

        async def noting(message: Message) -> None:
            nonlocal answered
            if is_upload and not ended and not answered and not await _drain(receive):
                message["headers"] = [*message.get("headers", []), (b"connection", b"close")]
            answered = True
            await send(message)

        try:
            await self._app(scope, counting, noting)
        except _TooLong:
            if not answered:
                await self._refuse(scope, receive, send, largest)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, largest: int) -> None:
        await _drain(receive)
        answer = problem(413, "too_large", _too_large(largest))
        answer.headers["Connection"] = "close"
        await answer(scope, receive, send)


def _too_large(largest: int) -> str:
    return f"The body is larger than {largest:,} bytes."


async def _drain(receive: Receive) -> bool:
    """Take the rest of a body, within reason: who is still sending when the line is cut never sees the answer.

    Whether that was all of it."""
    taken = 0
    try:
        async with asyncio.timeout(_LONGEST_THROWN_AWAY):
            while taken < _MOST_THROWN_AWAY:
                message = await receive()
                taken += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return True
    except TimeoutError:
        pass
    return False


class _TooLong(Exception):
    pass


class OrjsonSocketCodec:
    """The same for sockets; also quicker than the standard parser."""

    @staticmethod
    def dumps(value: Any, *_: Any, **__: Any) -> str:
        return orjson.dumps(value, default=str, option=orjson.OPT_UTC_Z).decode()

    @staticmethod
    def loads(text: str | bytes, *_: Any, **__: Any) -> Any:
        return orjson.loads(text)
