"""A server answers only for its own names: a page of another site cannot reach it by DNS rebinding."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import httpx2
import pytest
from tests.acceptance.live import LiveServer

from workroom.server.http.allowed_hosts import AllowedHosts
from workroom.server.http.error_handlers import problem


@pytest.fixture(scope="module")
def named() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_HOSTS="lab.example.org,*.wide.example").start()
    yield live
    live.remove()


@pytest.mark.parametrize(
    "path", ["/", "/rooms/x", "/api/openapi.json", "/healthz", "/socket.io/?EIO=4&transport=polling"]
)
async def test_a_foreign_host_is_refused_and_the_setting_is_named(server: LiveServer, path: str) -> None:
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        for host in ("evil.example", f"evil.example:{server.port}", "localhost.evil.example", "127.0.0.1.evil.example"):
            answer = await http.get(path, headers={"Host": host})
            assert (answer.status_code, answer.json()["code"]) == (421, "unknown_host"), host
            assert "`hosts` (WORKROOM_HOSTS)" in answer.json()["detail"]
        for host in (f"127.0.0.1:{server.port}", "localhost", "LOCALHOST:1", f"[::1]:{server.port}"):
            assert (await http.get(path, headers={"Host": host})).status_code < 400, host


async def _upgrade(server: LiveServer, host: str) -> int:
    """The status of a WebSocket handshake that names this host."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = [
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
        f"Host: {host}",
        f"Origin: http://{host}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    status = int((await reader.readline()).split()[1])
    writer.close()
    await writer.wait_closed()
    return status


async def test_a_websocket_of_a_foreign_host_is_refused(server: LiveServer) -> None:
    assert await _upgrade(server, "evil.example") == 421
    assert await _upgrade(server, f"127.0.0.1:{server.port}") == 101


async def test_names_of_the_setting_are_answered(named: LiveServer) -> None:
    async with httpx2.AsyncClient(base_url=named.url, trust_env=False) as http:
        for host, status in (
            ("lab.example.org", 200),
            ("Lab.Example.Org.:443", 200),
            ("a.wide.example", 200),
            ("wide.example", 421),
            ("notlab.example.org", 421),
        ):
            assert (await http.get("/healthz", headers={"Host": host})).status_code == status, host


@pytest.mark.parametrize(
    ("bound", "hosts", "header", "allowed"),
    [
        ("127.0.0.1", [], "10.0.0.1", False),
        ("10.0.0.1", [], "10.0.0.1:8686", True),
        ("10.0.0.1", [], "10.0.0.2", False),
        ("0.0.0.0", [], "10.0.0.2", True),
        ("::", [], "[2001:db8::1]:80", True),
        ("0.0.0.0", [], "evil.example", False),
        ("127.0.0.1", ["*"], "evil.example", True),
        ("127.0.0.1", [], "", False),
        ("127.0.0.1", [], "localhost:80:90", False),
        ("127.0.0.1", [], "localhost:evil", False),
    ],
)
def test_which_names_are_allowed(bound: str, hosts: list[str], header: str, allowed: bool) -> None:
    assert AllowedHosts(problem(200, "", ""), bound=bound, hosts=hosts).allows(header) is allowed
