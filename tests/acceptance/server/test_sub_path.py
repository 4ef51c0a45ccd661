"""A server behind a proxy that serves it below a path."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from tests.acceptance.live import LiveServer

from workroom import BadInput, Category, Extension, Room
from workroom.server.settings import load

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


@pytest.fixture(scope="module")
def rooted() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_ROOT_PATH=PREFIX.decode()).start()
    yield live
    live.remove()


@pytest.mark.parametrize("path", ["/", "/rooms/deep/inside"])
@pytest.mark.parametrize("kept", [True, False], ids=["the proxy keeps the path", "the proxy removes it"])
def test_a_page_of_the_app_names_its_files_below_the_path(rooted: LiveServer, path: str, kept: bool) -> None:
    prefix = PREFIX.decode()
    with httpx2.Client(base_url=rooted.url, trust_env=False, timeout=30) as http:
        page = http.get(f"{prefix if kept else ''}{path}")
        if page.status_code == 503:
            pytest.skip("the web app was not built: `make web`")
        assert f'name="workroom-root" content="{prefix}"' in page.text
        named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert len(named) > 2
        for address in named:
            assert address.startswith(f"{prefix}/"), address
            assert http.get(address if kept else address.removeprefix(prefix)).status_code == 200, address


def test_clients_and_workers_use_the_url_with_the_path(rooted: LiveServer, name: str) -> None:
    url = f"{rooted.url}{PREFIX.decode()}"
    with Room(name, url, "ada") as offering, Room(name, url, "bob") as room:
        offering.register_extension(Double)
        assert room.run("modifiers/Double", n=4).result(20) == 8


@pytest.mark.parametrize("wrong", ["workroom", "/workroom/", "/a//b", '/"onload="', "/a b"])
def test_a_path_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(BadInput, match="root_path"):
        load({"root_path": wrong}, Path("/nowhere"))
