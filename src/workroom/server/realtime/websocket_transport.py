"""The way of messages between the event loop and a web socket, shorter than the library's own.

The library starts a task and a timer for each message it waits for, and two for each that it sends. Here one task reads
and one writes, and a message that nothing is before is written at once, by whoever has it. Who begins by polling and
changes to a web socket later is left to the library.
"""

from __future__ import annotations

import asyncio
from typing import Any

import structlog
from engineio import packet
from engineio.async_drivers.asgi import WebSocket
from engineio.exceptions import EngineIOError

log = structlog.get_logger("workroom.sockets")

# The library has no types.
_WebSocket: Any = WebSocket
_Packet: Any = packet.Packet
_TIMEOUT_SLACK = 1.0  # seconds by which patience with a silent client may differ


class FastWebSocket(_WebSocket):
    """A web socket, made by the library for each that connects."""

    def __init__(self, handler: Any, server: Any) -> None:
        super().__init__(handler, server)  # pyright: ignore[reportUnknownMemberType]
        self._socket: Any = handler.__self__
        self._library_handler = handler
        self._server = server
        self._writing = False
        self.handler = self._serve

    def try_write(self, text: str) -> bool:
        """Write a message, unless others are before it or the client does not keep up; whether it was."""
        if self._writing or self._socket.closed or not self._socket.queue.empty():
            return False
        # The server's `send` waits until the socket takes more, then writes: nothing was written if it did not finish.
        sending = self.asgi_send({"type": "websocket.send", "bytes": None, "text": text})
        try:
            sending.send(None)
        except StopIteration:
            return True
        except Exception:
            return False  # it is closing; whoever writes next finds out
        sending.close()
        return False

    async def _serve(self, _: Any) -> None:
        socket = self._socket
        if socket.connected:
            await self._library_handler(self)
            return
        socket.connected = socket.upgraded = True
        socket.short_way = self
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        finally:
            socket.short_way = None
            socket.queue.put_nowait(None)
            await asyncio.gather(writer, return_exceptions=True)
            await socket.close(wait=False, abort=True, reason=self._server.reason.TRANSPORT_CLOSE)

    async def _read(self) -> None:
        """Until the client leaves, says what nobody understands, or is silent for so long that it must be gone."""
        loop = asyncio.get_running_loop()
        silence = self._server.ping_interval + self._server.ping_timeout
        until = loop.time() + silence
        try:
            async with asyncio.timeout_at(until) as patience:
                while True:
                    text = await self.wait()
                    if loop.time() + silence - until > _TIMEOUT_SLACK:
                        until = loop.time() + silence
                        patience.reschedule(until)
                    if len(text) > self._server.max_http_buffer_size:
                        return
                    await self._take(_Packet(encoded_packet=text))
        except OSError:
            return  # also when it was silent
        except (ValueError, LookupError, TypeError, AttributeError, EngineIOError) as error:
            log.info("a socket speaks nonsense and is closed", reason=repr(error)[:200])

    async def _take(self, message: Any) -> None:
        if message.packet_type == packet.MESSAGE:
            sid, said = self._socket.sid, message.data
            if not (isinstance(said, str) and self._server.heard_at_once(sid, said)):
                await self._server.handlers["message"](sid, said)
        else:
            await self._socket.receive(message)

    async def _write(self) -> None:
        """What the library, or somebody whose message had to wait, has put into the queue."""
        queue = self._socket.queue
        try:
            while (message := await queue.get()) is not None:
                queue.task_done()
                self._writing = True
                await self.send(message.encode())
                self._writing = False
            queue.task_done()
        finally:
            await self.close()
