"""A connection that breaks while it is being made: the client notices at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from workroom.client.net.socket import Socket
from workroom.domain.errors import NotSignedIn, ServerUnreachable

OPEN = '0{"sid":"engine","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}'
CONNECTED = '40{"sid":"socket"}'
REFUSED = '44{"message":"The token has expired."}'
NOTICED_WITHIN = 5.0


@asynccontextmanager
async def server_that(
    answers: Callable[[web.WebSocketResponse], Awaitable[None]],
) -> AsyncGenerator[str]:
    """A server that opens the transport and then does what is asked; yields its URL."""

    async def handle(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(OPEN)
        await answers(socket)
        return socket

    app = web.Application()
    app.router.add_get("/socket.io/", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_a_connection_that_breaks_before_the_server_confirms_it_is_unreachable_at_once() -> None:
    async def breaks(socket: web.WebSocketResponse) -> None:
        await socket.receive()
        await socket.close()

    async with server_that(breaks) as url:
        socket = Socket(url, {})
        async with asyncio.timeout(NOTICED_WITHIN):
            with pytest.raises(ServerUnreachable):
                await socket.connect("token")
        assert socket.closed.is_set()
        await socket.close()


async def test_a_connection_that_breaks_right_after_it_was_confirmed_is_closed() -> None:
    async def confirms_and_breaks(socket: web.WebSocketResponse) -> None:
        await socket.receive()
        await socket.send_str(CONNECTED)
        await socket.close()

    async with server_that(confirms_and_breaks) as url:
        socket = Socket(url, {})
        async with asyncio.timeout(NOTICED_WITHIN):
            await socket.connect("token")
            await socket.closed.wait()
        with pytest.raises(ServerUnreachable):
            await socket.call("room:join", {})
        await socket.close()


async def test_a_refused_token_is_named() -> None:
    async def refuses(socket: web.WebSocketResponse) -> None:
        await socket.receive()
        await socket.send_str(REFUSED)
        await socket.receive()

    async with server_that(refuses) as url:
        socket = Socket(url, {})
        with pytest.raises(NotSignedIn, match="expired"):
            await socket.connect("token")
        await socket.close()


async def test_a_server_that_never_confirms_is_unreachable_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stays_silent(socket: web.WebSocketResponse) -> None:
        await socket.receive()
        await socket.receive()

    monkeypatch.setattr("workroom.client.net.socket._CONNECT_SECONDS", 0.2)
    async with server_that(stays_silent) as url:
        socket = Socket(url, {})
        with pytest.raises(ServerUnreachable):
            await socket.connect("token")
        await socket.close()
