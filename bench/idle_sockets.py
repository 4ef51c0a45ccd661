"""`python -m bench.idle_sockets URL TOKEN COUNT [ROOM]`: COUNT WebSocket connections that only answer pings.

With ROOM each joins it, and receives its events.

They offer compression as a browser does. They are written on bare sockets because a client library would need more
memory for each than the server that is measured. Prints `ready` once all are connected.
"""

from __future__ import annotations

import asyncio
import base64
import os
import resource
import sys
import zlib
from urllib.parse import urlsplit

import orjson

_AT_ONCE = 50


class Socket(asyncio.Protocol):
    def __init__(self, token: str, room: str | None) -> None:
        self._join = None if room is None else "420" + orjson.dumps(["room:join", {"room": room}]).decode()
        self._hello = "40" + orjson.dumps({"token": token}).decode()
        self._received = b""
        self._upgraded = False
        self._inflate = zlib.decompressobj(wbits=-15)
        self.connected: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._upgraded:
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return
            assert b" 101 " in head.partition(b"\r\n")[0], head
            self._upgraded, self._received = True, rest
        while (text := self._next()) is not None:
            if text.startswith("0"):
                self._send(self._hello)
            elif text.startswith("40") and self._join is not None:
                self._send(self._join)
            elif text.startswith(("40", "430")) and not self.connected.done():
                self.connected.set_result(None)
            elif text == "2":
                self._send("3")

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.connected.done():
            self.connected.set_exception(exc or ConnectionError("the server closed the socket"))

    def _next(self) -> str | None:
        """The next message, or None until all of it has arrived."""
        if len(self._received) < 2:
            return None
        start, length = 2, self._received[1]
        if length == 126:
            start, length = 4, int.from_bytes(self._received[2:4], "big")
        if length == 127 or len(self._received) < start + length:
            return None
        compressed = self._received[0] & 0x40
        body = self._received[start : start + length]
        self._received = self._received[start + length :]
        return (self._inflate.decompress(body + b"\x00\x00\xff\xff") if compressed else body).decode()

    def _send(self, text: str) -> None:
        """In one frame, with a mask of zeros."""
        body = text.encode()
        length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
        self._transport.write(b"\x81" + length + bytes(4) + body)


async def main(url: str, token: str, count: int, room: str | None = None) -> None:
    loop = asyncio.get_running_loop()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    address = urlsplit(url)
    assert address.hostname and address.port
    host, port = address.hostname, address.port
    limit = asyncio.Semaphore(_AT_ONCE)

    async def connect() -> Socket:
        async with limit:
            _, socket = await loop.create_connection(lambda: Socket(token, room), host, port)
            await socket.connected
            return socket

    sockets = await asyncio.gather(*(connect() for _ in range(count)))
    print("ready", flush=True)
    await asyncio.Event().wait()
    del sockets


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:]))
