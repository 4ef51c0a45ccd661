"""A network that lets requests through, but no WebSocket: jobs are waited for all the same."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone

from workroom import AsyncRoom


@asynccontextmanager
async def proxy_without_websockets(server: LiveServer) -> AsyncGenerator[str]:
    """The URL of a proxy that refuses what Socket.IO sends."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(65_536)
        if b"/socket.io" in first.partition(b"\r\n")[0]:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", server.port)
        far_writer.write(first)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()

    listening = await asyncio.start_server(carry, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()


async def test_a_job_is_waited_for_where_no_websocket_passes(
    server: LiveServer, ada: Someone, room: str, caplog: pytest.LogCaptureFixture
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    async with proxy_without_websockets(server) as url, AsyncRoom(room, url, ada.name) as client:
        with caplog.at_level(logging.WARNING, "workroom"):
            handle = await client.run("modifiers/Relax", n=1)
            waiting = asyncio.create_task(handle.result(60))
            job = await worker.gets()
            assert (await worker.says(job, "running"))["ok"]
            while "the state is fetched every few seconds instead" not in caplog.text:
                assert not waiting.done()
                await asyncio.sleep(0.05)
        assert (await worker.says(job, "completed", result={"energy": -1.5}))["ok"]
        assert await waiting == {"energy": -1.5}
        # A second wait does not try for long again.
        async with asyncio.timeout(4):
            assert await handle.result() == {"energy": -1.5}
    await worker.leaves()
