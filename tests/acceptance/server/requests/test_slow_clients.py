"""Clients that send or read too slowly lose their place; others do not wait for them."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import numpy as np
import pytest
from tests.acceptance.live import LiveServer, Someone, eventually

from workroom.wire.frames import MEDIA_TYPE, encode, framed

UNFINISHED_BYTES = 40_000_000
_ESTABLISHED = 1  # the state in TCP_INFO


@pytest.fixture(scope="module")
def server() -> Generator[LiveServer]:
    live = LiveServer(
        WORKROOM_UNREAD_SECONDS="3",
        WORKROOM_UPLOAD_RATE_SECONDS="8",
        WORKROOM_UNFINISHED_UPLOAD_BYTES=str(UNFINISHED_BYTES),
    ).start()
    yield live
    live.remove()


@pytest.fixture
async def ada(server: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, f"ada-{time.time_ns()}")
    someone.http.timeout = 100
    yield someone
    await someone.close()


@pytest.fixture
async def room(ada: Someone) -> str:
    return await ada.makes_room(f"lab-{time.time_ns()}")


@dataclass
class Stalled:
    """A connection that has sent a part of a request, or reads none of its response."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def status(self, within: float = 30.0) -> int:
        async with asyncio.timeout(within):
            return int((await self.reader.readline()).split()[1])

    async def is_closed(self) -> bool:
        """Whether the server has closed the connection; to read would change what it sees."""
        connection = self.writer.transport.get_extra_info("socket")
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != _ESTABLISHED


@asynccontextmanager
async def stalled(
    someone: Someone, method: str, path: str, body: bytes = b"", announced: int = 0, media: str = ""
) -> AsyncGenerator[Stalled]:
    """Send a request whose body announces more bytes than it has."""
    host, port = someone.server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=2_000)
    writer.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    headers = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {someone.token}"]
    if announced:
        headers += [f"Content-Length: {announced}", f"Content-Type: {media}"]
    writer.write("\r\n".join(headers).encode() + b"\r\n\r\n" + body)
    try:
        await writer.drain()
        yield Stalled(reader, writer)
    finally:
        writer.transport.abort()


def stream(count: int, atoms: int = 100) -> bytes:
    frame = encode({"arrays.numbers": np.ones(atoms, int), "arrays.positions": np.random.rand(atoms, 3)})
    return b"".join(framed(frame)) * count


def memory(server: LiveServer) -> int:
    lines = (server.proc / "status").read_text().splitlines()
    return next(int(line.split()[1]) * 1_000 for line in lines if line.startswith("VmRSS"))


async def test_a_slow_body_is_ended_with_408(ada: Someone, room: str) -> None:
    """All at once, because each takes some seconds."""
    requests = [
        (f"/api/rooms/{room}/frames", MEDIA_TYPE, stream(1)),
        (f"/api/rooms/{room}/frames", MEDIA_TYPE, stream(1_000)),
        ("/api/rooms", "application/json", b'{"name": '),
    ]
    async with AsyncExitStack() as stack:
        slow = [
            await stack.enter_async_context(stalled(ada, "POST", path, body, len(body) + 100_000, media))
            for path, media, body in requests
        ]
        assert [await one.status() for one in slow] == [408] * len(requests)
        for one in slow:
            assert b'"code":"too_slow"' in await asyncio.wait_for(one.reader.read(), 5)
    assert (await ada.http.get(f"/api/rooms/{room}/frames")).headers["workroom-length"] == "0"


async def test_slow_uploads_do_not_keep_others_from_uploading(ada: Someone, room: str) -> None:
    path = f"/api/rooms/{room}/frames"
    part = stream(1_000)  # more than is taken for a small body
    async with AsyncExitStack() as stack:
        for _ in range(8):
            await stack.enter_async_context(stalled(ada, "POST", path, part, 2 * len(part), MEDIA_TYPE))
        async with asyncio.timeout(8):
            answer = await ada.http.post(path, content=part, headers={"Content-Type": MEDIA_TYPE})
    assert answer.status_code == 200 and answer.json()["length"] == 1_000, answer.text


async def test_unfinished_frames_are_not_held_in_memory_and_are_counted(
    server: LiveServer, ada: Someone, room: str
) -> None:
    """Ten connections of five accounts each announce a frame of 100 MB, and send 18 MB of it."""
    path = f"/api/rooms/{room}/frames"
    body = struct.pack("<Q", 100_000_000) + bytes(18_000_000)
    before = memory(server)
    people = [ada] + [await Someone.signs_in(server, f"bob-{number}-{time.time_ns()}") for number in range(4)]
    async with AsyncExitStack() as stack:
        held = [
            await stack.enter_async_context(stalled(one, "POST", path, body, 100_000_008, MEDIA_TYPE))
            for one in people * 2
        ]
        assert memory(server) - before < 100_000_000, f"{(memory(server) - before) / 1e6:.0f} MB"
        # One more of the same account is more than its budget. The refused body is read to its end first.
        async with stalled(ada, "POST", path, body, len(body), MEDIA_TYPE) as more:
            assert await more.status() == 429
            told = await asyncio.wait_for(more.reader.readuntil(b"}"), 5)
            assert b'"limit":"unfinished_upload_bytes"' in told, told
        del held
    await eventually_accepts(ada, path)
    for one in people[1:]:
        await one.close()


async def eventually_accepts(someone: Someone, path: str) -> None:
    """The bytes of uploads that ended are given back."""

    async def upload() -> int:
        answer = await someone.http.post(path, content=stream(10_000), headers={"Content-Type": MEDIA_TYPE})
        return answer.status_code

    await eventually(upload, lambda status: status == 200, wanted="an upload that is accepted")


async def test_unread_downloads_do_not_keep_others_from_downloading_and_are_closed(ada: Someone, room: str) -> None:
    path = f"/api/rooms/{room}/frames"
    content = stream(300, atoms=1_000)
    assert (await ada.http.post(path, content=content, headers={"Content-Type": MEDIA_TYPE})).status_code == 200
    download = f"/api/rooms/{room}/files?format=traj"
    async with AsyncExitStack() as stack:
        unread = [await stack.enter_async_context(stalled(ada, "GET", path)) for path in (download, path)]
        async with asyncio.timeout(100):
            answer = await ada.http.get(f"/api/rooms/{room}/files", params={"format": "xyz", "stop": 3})
        assert answer.status_code == 200 and answer.text.count("\n") == 3 * 1_002
        # The server closes the connections: nothing else does, because the clients read nothing.
        for one in unread:
            await eventually(one.is_closed, bool, 60, "a closed connection")
