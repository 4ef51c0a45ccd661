"""Requests of the client, answered by a transport in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from workroom.client.net.http import ApiClient


class FixedToken:
    async def token(self) -> str:
        return "a token"

    async def renewed(self, refused: str) -> str:
        return refused


class Body:
    """Keeps the body of a download."""

    def __init__(self) -> None:
        self.content = b""

    def begin(self, headers: httpx2.Headers) -> None:
        self.content = b""

    def feed(self, piece: bytes) -> None:
        self.content += piece

    def end(self) -> None: ...


async def test_the_query_of_a_path_is_sent_also_without_further_parameters() -> None:
    async def quoted(url: str) -> AsyncIterator[bytes]:
        yield f'"{url}"'.encode()

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=quoted(str(request.url)))

    async with httpx2.AsyncClient(base_url="http://server", transport=httpx2.MockTransport(answer)) as http:
        client = ApiClient("http://server", http, FixedToken())
        assert await client.get("/api/rooms?q=lab") == "http://server/api/rooms?q=lab"
        assert await client.get("/api/rooms", q="lab") == "http://server/api/rooms?q=lab"
        await client.download("/api/rooms/lab/files?format=xyz", {}, body := Body())
        assert body.content == b'"http://server/api/rooms/lab/files?format=xyz"'
