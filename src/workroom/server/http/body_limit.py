"""ASGI middleware that limits the size of request bodies, and how slowly they may arrive."""

from __future__ import annotations

import asyncio
import re
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.domain.errors import TooLarge, TooSlow, WorkroomError
from workroom.domain.limits import FIGURE_BYTES
from workroom.server.http.error_handlers import problem

# The largest arguments of a job, and space for the fields around them.
LARGEST_BODY = 1_200_000
_LARGEST_FIGURE_BODY = FIGURE_BYTES + 200_000
_FIGURES = re.compile(r"/api/rooms/[^/]+/figures")
# These routes stream their bodies to disk or into the database. A setting limits them.
_UPLOADS = re.compile(r"/api/rooms/[^/]+/(frames|files|inputs)")
_INPUTS = re.compile(r"/api/rooms/[^/]+/inputs")
# These routes stream their bodies and enforce their own limit.
_SELF_LIMITED = frozenset({"/api/postings/stream"})
# The rest of a refused body is read and discarded up to these limits.
_MOST_DISCARDED_BYTES = 50_000_000
_LONGEST_DISCARD_SECONDS = 10.0
_UNLIMITED = 2**63
_JSON_WINDOW = 10.0  # seconds


class BodyLimit:
    """Answers 413 to a body that is larger than its route allows, and 408 to one that arrives too slowly.

    `least_rate` is in bytes per second. It is measured over `window` seconds in which the server waits for the client.
    An upload may come from a program that makes its frames one after the other, so it has a longer window than a JSON
    body, and a stream of calls, which holds no more than its connection, has none.
    """

    def __init__(
        self,
        app: ASGIApp,
        largest: int = LARGEST_BODY,
        upload: int = LARGEST_BODY,
        *,
        input_file: int = LARGEST_BODY,
        least_rate: float = 0.0,
        window: float = 60.0,
    ) -> None:
        self._app = app
        self._largest = largest
        self._upload = upload
        self._input_file = input_file
        self._least_rate = least_rate
        self._window = window

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        is_upload = scope["method"] == "POST" and _UPLOADS.fullmatch(scope["path"]) is not None
        largest = self._limit_of(scope["path"], is_upload=is_upload)
        headers = dict(scope["headers"])
        content_length = headers.get(b"content-length", b"0")
        if content_length.isdigit() and int(content_length) > largest:
            await _discard_body(receive)
            await _answer(scope, receive, send, TooLarge(_too_large(largest)))
            return
        if scope["method"] == "GET" and content_length == b"0" and b"transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        pace = self._pace(scope["path"], receive, is_upload=is_upload)
        received = 0
        body_ended = False
        response_started = False
        refusal: WorkroomError | None = None

        async def receive_counted() -> Message:
            nonlocal received, body_ended, refusal
            if refusal is not None:
                raise refusal
            try:
                message = await receive() if body_ended else await pace.receive()
            except TooSlow as error:
                refusal = error
                raise
            received += len(message.get("body", b""))
            body_ended = message["type"] != "http.request" or not message.get("more_body")
            if received > largest:
                refusal = TooLarge(_too_large(largest))
                raise refusal
            return message

        async def send_after_body(message: Message) -> None:
            nonlocal response_started
            if refusal is not None and not response_started:
                return  # the route may have answered another error; send the refusal instead
            if is_upload and not body_ended and not response_started and not await _discard_body(receive):
                message["headers"] = [*message.get("headers", []), (b"connection", b"close")]
            response_started = True
            await send(message)

        try:
            await self._app(scope, receive_counted, send_after_body)
        except Exception:
            if refusal is None or response_started:
                raise
        if refusal is not None and not response_started:
            if not body_ended and isinstance(refusal, TooLarge):
                await _discard_body(receive)
            await _answer(scope, receive, send, refusal)

    def _pace(self, path: str, receive: Receive, *, is_upload: bool) -> _Pace:
        if path in _SELF_LIMITED:
            return _Pace(receive, 0.0, self._window)
        return _Pace(receive, self._least_rate, self._window if is_upload else min(self._window, _JSON_WINDOW))

    def _limit_of(self, path: str, *, is_upload: bool) -> int:
        if path in _SELF_LIMITED:
            return _UNLIMITED
        if is_upload:
            return self._input_file if _INPUTS.fullmatch(path) else self._upload
        return _LARGEST_FIGURE_BODY if _FIGURES.match(path) else self._largest


class _Pace:
    """Receives a body, and raises TooSlow when too little of it arrives while the server waits."""

    def __init__(self, receive: Receive, least_rate: float, window: float) -> None:
        self._receive = receive
        self._least = least_rate * window
        self._window = window
        self._waited = 0.0
        self._received = 0

    async def receive(self) -> Message:
        if not self._least:
            return await self._receive()
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._window - self._waited):
                message = await self._receive()
        except TimeoutError:
            rate = self._least / self._window
            raise TooSlow(
                f"The body arrives too slowly: less than {rate:,.0f} bytes per second over {self._window:g} s."
            ) from None
        self._waited += time.monotonic() - started
        self._received += len(message.get("body", b""))
        if self._received >= self._least:
            self._waited, self._received = 0.0, 0
        return message


async def _answer(scope: Scope, receive: Receive, send: Send, error: WorkroomError) -> None:
    response = problem(error.status, error.code, error.message)
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
