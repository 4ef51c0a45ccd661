"""Opens connections to the server for a confined process, which may open no sockets itself."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from workroom.logs import get_logger

log = get_logger(__name__)

_CONNECT_SECONDS = 5.0
_REQUEST_BYTES = 64
_PORTS = {"http": 80, "https": 443}


class ConnectionBroker:
    """The worker's end of a socket to one process. Each request is answered with a connection to the server."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or "127.0.0.1"
        self._port = parts.port or _PORTS.get(parts.scheme, 80)
        # Packets: a request and its answer cannot be split.
        self._socket, self.child_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setblocking(False)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Answer from now on. The child has been started, so that this end of its socket is closed."""
        self.child_end.close()
        self._task = asyncio.create_task(self._serve(), name="connection broker")

    async def close(self) -> None:
        self.child_end.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._socket.close()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):  # the process has ended
            while await loop.sock_recv(self._socket, _REQUEST_BYTES):
                await self._answer(loop)

    async def _answer(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                connection = await self._connect(loop)
        except (OSError, TimeoutError) as error:
            log.debug("no connection to the server for a job process: %s", error)
            self._socket.send(str(error).encode()[:500] or b"the server does not answer")
            return
        with connection:
            socket.send_fds(self._socket, [b"+"], [connection.fileno()])

    async def _connect(self, loop: asyncio.AbstractEventLoop) -> socket.socket:
        """A connection to the first address of the server that answers."""
        failure: OSError = OSError(f"{self._host} has no address")
        addresses = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in addresses:
            connection = socket.socket(family, kind, protocol)
            try:
                connection.setblocking(False)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                await loop.sock_connect(connection, address)
                return connection
            except OSError as error:
                connection.close()
                failure = error
            except BaseException:
                connection.close()
                raise
        raise failure
