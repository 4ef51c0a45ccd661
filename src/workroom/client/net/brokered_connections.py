"""Connections to the server that the parent process opens, for a process that may open no sockets.

A confined job process asks on an inherited socket, and its parent sends back a socket that is connected to the server
already. The parent decides where the connection goes, so a job can reach the server and nothing else.
"""

from __future__ import annotations

import asyncio
import os
import socket
from concurrent.futures import ThreadPoolExecutor

import httpx2

_ANSWER_BYTES = 2_000
_ANSWER_SECONDS = 15.0

REQUEST = b"connect"


class Broker:
    """This process's end of the inherited socket."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self._socket = socket.socket(fileno=descriptor)
        self._socket.settimeout(_ANSWER_SECONDS)
        # One thread: one request at a time. The event loop's own executor would leave a thread that looks like a job's.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="workroom-broker")

    async def connect(self) -> socket.socket:
        """A new connection to the server. Raises OSError if the parent could not open one."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._connect)

    def _connect(self) -> socket.socket:
        self._socket.send(REQUEST)
        answer, descriptors, _, _ = socket.recv_fds(self._socket, _ANSWER_BYTES, 1)
        if not descriptors:
            raise OSError(answer.decode(errors="replace") or "the parent process has ended")
        os.set_inheritable(descriptors[0], False)
        connection = socket.socket(fileno=descriptors[0])
        connection.setblocking(False)
        return connection


_broker: Broker | None = None


def use(broker: Broker) -> None:
    """Let all clients of this process connect through this broker from now on."""
    global _broker  # noqa: PLW0603 - state of the process
    _broker = broker


def http_transport(limits: httpx2.Limits) -> httpx2.AsyncBaseTransport | None:
    """The transport of an HTTP client in a process with a broker; None in any other."""
    if _broker is None:
        return None
    from workroom.client.net.brokered_http import BrokeredTransport

    return BrokeredTransport(_broker, limits)


async def open_socket() -> socket.socket | None:
    """A connection for a WebSocket in a process with a broker; None in any other."""
    return None if _broker is None else await _broker.connect()
