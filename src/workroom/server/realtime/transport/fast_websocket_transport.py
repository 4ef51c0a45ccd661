"""A faster WebSocket transport for python-socketio, switched on by `WORKROOM_TRANSPORT=fast`.

This is the only module that uses internals of a third-party library. The library starts a task and a timer for each
message that it waits for, and puts each message that it sends into a queue. Here one task reads a WebSocket, one task
writes what the library queued, and an emitted event is written directly when nothing is queued before it. Handshake,
packets, pings, acknowledgements, rooms, event handlers and long polling stay the library's.

`support` imports this module only with versions of the libraries that it was tested with. With other versions, or with
`WORKROOM_TRANSPORT=library`, the server uses python-socketio through its public interface only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

from engineio import packet as engineio_packet
from engineio.async_drivers.asgi import WebSocket
from socketio import AsyncManager
from socketio.packet import EVENT, Packet

from workroom.logs import get_logger
from workroom.server.realtime.transport.support import PACKET_ERRORS

log = get_logger(__name__)

_TIMEOUT_SLACK = 1.0  # seconds; the idle timeout is rescheduled at most this often

# The libraries have no type annotations.
_WebSocket: Any = WebSocket
_AsyncManager: Any = AsyncManager
_EngineIoPacket: Any = engineio_packet.Packet


class TextPacket(Packet):
    """A Socket.IO packet without attachments. Workroom sends no bytes, so no message is searched for them."""

    uses_binary_events = False


class FastClientManager(_AsyncManager):
    """A client manager whose local delivery writes to the sockets directly. `emit` never suspends.

    A pub/sub manager delivers to local sockets through the `emit` of the class after it in the method resolution order:
    `class Manager(AsyncRedisManager, FastClientManager)` crosses processes and keeps the direct write.
    """

    def __init__(self) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self.websockets: dict[str, FastWebSocket] = {}  # by Engine.IO session, while open

    async def emit(self, event: str, data: Any, namespace: str, room: Any = None, **options: Any) -> None:
        """Send an event to the sockets in a room, or in any of several rooms."""
        if options.get("callback") or options.get("skip_sid"):
            await super().emit(event, data, namespace, room=room, **options)  # pyright: ignore[reportUnknownMemberType]
            return
        sessions = [session for _, session in self.get_participants(namespace, options.get("to") or room)]
        if not sessions:
            return
        packet = self.server.packet_class(EVENT, namespace=namespace, data=[event, data])
        message = _EngineIoPacket(engineio_packet.MESSAGE, packet.encode())
        text: str = message.encode()
        for session in sessions:
            socket = self.server.eio.sockets.get(session)
            if socket is None or socket.closed:
                continue
            websocket = self.websockets.get(session)
            if websocket is None or not websocket.try_write(text):
                socket.queue.put_nowait(message)


def install(server: Any) -> None:
    """Let a `socketio.AsyncServer` that has a `FastClientManager` serve its WebSockets with `FastWebSocket`."""
    driver = partial(FastWebSocket, server.manager.websockets)
    server.eio._async = {**server.eio._async, "websocket": driver}


def run_without_suspending(coroutine: Coroutine[Any, Any, None]) -> bool:
    """Run a coroutine up to its end or its first wait. Returns whether it has ended; otherwise it is closed."""
    try:
        coroutine.send(None)
    except StopIteration:
        return True
    coroutine.close()
    return False


class FastWebSocket(_WebSocket):
    """One WebSocket connection. The library creates it through the driver that `install` sets."""

    def __init__(self, websockets: dict[str, FastWebSocket], handler: Any, server: Any) -> None:
        super().__init__(handler, server)  # pyright: ignore[reportUnknownMemberType]
        self._websockets = websockets
        self._socket: Any = handler.__self__
        self._library_handler = handler
        self._server = server
        self._writing = False
        self.handler = self._serve

    def try_write(self, text: str) -> bool:
        """Write a message, unless others are queued before it or the client reads too slowly. Returns whether it did.

        The ASGI server's `send` waits until the socket accepts more and then writes without another wait. So a `send`
        that suspends has not written anything, and the message can be queued instead.
        """
        if self._writing or self._socket.closed or not self._socket.queue.empty():
            return False
        try:
            return run_without_suspending(self.asgi_send({"type": "websocket.send", "bytes": None, "text": text}))
        except Exception:
            return False  # the connection is closing; the writer task finds out

    async def _serve(self, _: Any) -> None:
        socket = self._socket
        if socket.connected:
            # The client started with long polling and upgrades: the library's own handler knows that handshake.
            await self._library_handler(self)
            return
        socket.connected = socket.upgraded = True
        self._websockets[socket.sid] = self
        writer = asyncio.create_task(self._write_queued(), name="websocket writer")
        try:
            await self._read()
        finally:
            del self._websockets[socket.sid]
            socket.queue.put_nowait(None)
            await asyncio.gather(writer, return_exceptions=True)
            await socket.close(wait=False, abort=True, reason=self._server.reason.TRANSPORT_CLOSE)

    async def _read(self) -> None:
        """Read until the client disconnects, sends an invalid packet, or is silent for longer than the ping timeout."""
        loop = asyncio.get_running_loop()
        longest_silence = self._server.ping_interval + self._server.ping_timeout
        deadline = loop.time() + longest_silence
        try:
            async with asyncio.timeout_at(deadline) as timeout:
                while True:
                    text = await self.wait()
                    if loop.time() + longest_silence - deadline > _TIMEOUT_SLACK:
                        deadline = loop.time() + longest_silence
                        timeout.reschedule(deadline)
                    if len(text) > self._server.max_http_buffer_size:
                        return
                    await self._receive(_EngineIoPacket(encoded_packet=text))
        except OSError:
            return  # disconnected; TimeoutError is an OSError too
        except PACKET_ERRORS as error:
            log.info("socket closed: invalid packet", session=self._socket.sid, reason=repr(error)[:200])

    async def _receive(self, packet: Any) -> None:
        if packet.packet_type == engineio_packet.MESSAGE:
            # Socket.IO's own handler: it decodes the packet and calls the handler registered with `on`.
            await self._server.handlers["message"](self._socket.sid, packet.data)
        else:
            await self._socket.receive(packet)

    async def _write_queued(self) -> None:
        """Write what the library queued, and events that could not be written directly."""
        queue = self._socket.queue
        try:
            while (packet := await queue.get()) is not None:
                queue.task_done()
                self._writing = True
                await self.send(packet.encode())
                self._writing = False
            queue.task_done()
        finally:
            await self.close()
