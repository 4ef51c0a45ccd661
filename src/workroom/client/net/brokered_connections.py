"""Connections to the server that the parent process opens, for a process that may open no sockets.

A confined job process asks on an inherited socket, and its parent sends back a socket that is connected to the server
already. The parent decides where the connection goes, so a job can reach the server and nothing else.
"""

from __future__ import annotations

import asyncio
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import aiohttp
import httpx2
from aiohttp.abc import AbstractResolver, ResolveResult

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

    def connect_now(self, _: object = None) -> socket.socket:
        """The same for a caller that cannot await. It may name an address, but the parent chooses the address."""
        return self._thread.submit(self._connect).result()

    def _connect(self) -> socket.socket:
        self._socket.send(REQUEST)
        answer, descriptors, _, _ = socket.recv_fds(self._socket, _ANSWER_BYTES, 1)
        if not descriptors:
            raise OSError(answer.decode(errors="replace") or "the parent process has ended")
        os.set_inheritable(descriptors[0], False)
        connection = _ConnectedSocket(fileno=descriptors[0])
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


def socket_connector(url: str) -> aiohttp.BaseConnector:
    """The connector of a WebSocket client. It trusts the same certificates as the HTTP client (SSL_CERT_FILE)."""
    trusted = httpx2.create_ssl_context() if url.startswith("https:") else True
    if _broker is None:
        return aiohttp.TCPConnector(ssl=trusted)
    return aiohttp.TCPConnector(ssl=trusted, resolver=_AnyAddress(), socket_factory=_broker.connect_now)


class _ConnectedSocket(socket.socket):
    """A socket that the parent has connected already. The WebSocket client connects each socket that it gets."""

    def connect(self, address: Any, /) -> None:
        """It is connected."""


class _AnyAddress(AbstractResolver):
    """Gives every host the same address: only the parent connects, and it knows the server's."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=port,
                family=socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        pass
