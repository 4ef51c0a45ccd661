"""A server behind a proxy that serves it below a path."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Generator
from contextlib import suppress

import pytest
from tests.acceptance.live import LiveServer

from workroom import Category, Extension, Room

PREFIX = b"/wr"


class Double(Extension):
    category = Category.MODIFIER
    n: int = 1

    def run(self, vis: Room, **kwargs: object) -> int:
        return 2 * self.n


class _Proxy(socketserver.BaseRequestHandler):
    """Copies bytes both ways; at the start of a request the prefix is removed from its path."""

    port = 0

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            back = threading.Thread(target=self._copy, args=(server, self.request, False))
            back.start()
            self._copy(self.request, server, True)
            back.join()

    def _copy(self, source: socket.socket, target: socket.socket, strip: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(65_536):
                target.sendall(chunk.replace(b" " + PREFIX + b"/", b" /", 1) if strip else chunk)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def proxied(server: LiveServer) -> Generator[str]:
    """The URL of the server below the path of a proxy."""
    handler = type("Proxy", (_Proxy,), {"port": server.port})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{proxy.server_address[1]}{PREFIX.decode()}"
        proxy.shutdown()
        thread.join()


def test_requests_sockets_and_workers_work_below_a_path(proxied: str, name: str) -> None:
    with Room(name, proxied, "ada") as offering, Room(name, proxied, "bob") as room:
        offering.register_extension(Double)
        assert room.run("modifiers/Double", n=21).result(20) == 42
