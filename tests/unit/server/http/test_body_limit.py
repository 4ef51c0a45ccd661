"""Bodies that are too large are refused: by their word, by their size, and while they are still being sent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from workroom.domain.errors import TooLarge
from workroom.server.http.body_limit import BodyLimit

UPLOAD = "/api/rooms/lab/frames"


class Sender:
    """A client that sends pieces of 100 bytes, and what it is answered."""

    def __init__(self, pieces: int, length: int | None = None) -> None:
        self.left = pieces
        self.length = length
        self.status = 0
        self.headers: dict[bytes, bytes] = {}

    async def receive(self) -> Message:
        self.left -= 1
        return {"type": "http.request", "body": bytes(100), "more_body": self.left > 0}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])

    async def posts(self, path: str, app: Any) -> Sender:
        headers = [] if self.length is None else [(b"content-length", str(self.length).encode())]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        await BodyLimit(app, largest=1_000, upload=5_000)(scope, self.receive, self.send)
        return self


async def reads_all(scope: Scope, receive: Receive, send: Send) -> None:
    """As our routes do: an error of ours is answered."""
    status = 200
    try:
        while (await receive()).get("more_body"):
            pass
    except TooLarge as error:
        status = error.status
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body"})


async def takes_any_error_for_bad_input(scope: Scope, receive: Receive, send: Send) -> None:
    """As the framework does while it reads JSON."""
    try:
        while (await receive()).get("more_body"):
            pass
    except Exception:
        await send({"type": "http.response.start", "status": 400, "headers": []})
        await send({"type": "http.response.body"})


async def refuses_at_once(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 400, "headers": []})


@pytest.mark.parametrize(
    ("path", "pieces", "status"),
    [
        ("/api/rooms", 10, 200),
        ("/api/rooms", 11, 413),
        (UPLOAD, 50, 200),
        (UPLOAD, 51, 413),
        (f"{UPLOAD}/metadata", 11, 413),
    ],
)
async def test_a_body_may_be_as_large_as_its_kind(path: str, pieces: int, status: int) -> None:
    assert (await Sender(pieces).posts(path, reads_all)).status == status
    assert (await Sender(1, length=pieces * 100).posts(path, reads_all)).status == status


async def test_who_is_refused_in_the_middle_of_an_upload_is_heard_out_within_reason() -> None:
    patient = await Sender(1_000).posts(UPLOAD, refuses_at_once)
    assert (patient.status, patient.left) == (400, 0) and b"connection" not in patient.headers
    endless = await Sender(10**9).posts(UPLOAD, refuses_at_once)
    assert endless.status == 400 and endless.headers[b"connection"] == b"close"


class SlowSender(Sender):
    """It stops to send after some pieces."""

    async def receive(self) -> Message:
        if self.left == 1:
            await asyncio.Event().wait()
        return await super().receive()


@pytest.mark.parametrize("path", ["/api/rooms", UPLOAD])
@pytest.mark.parametrize("app", [reads_all, takes_any_error_for_bad_input])
async def test_a_body_that_stops_is_refused_with_408_at_once(path: str, app: Any) -> None:
    slow = SlowSender(5)
    scope: Scope = {"type": "http", "method": "POST", "path": path, "headers": []}
    await BodyLimit(app, least_rate=10_000, window=0.05)(scope, slow.receive, slow.send)
    assert slow.status == 408 and slow.headers[b"connection"] == b"close"


async def test_only_the_time_that_the_server_waits_for_the_body_counts() -> None:
    async def works_long(scope: Scope, receive: Receive, send: Send) -> None:
        more = True
        while more:
            more = (await receive()).get("more_body")
            await asyncio.sleep(0.03)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    sender = Sender(5)
    scope: Scope = {"type": "http", "method": "POST", "path": UPLOAD, "headers": []}
    await BodyLimit(works_long, upload=10_000, least_rate=100_000, window=0.05)(scope, sender.receive, sender.send)
    assert sender.status == 200
