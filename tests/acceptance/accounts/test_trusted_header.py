"""Sign-in by a header of a proxy: only the proxies of the settings are believed."""

from __future__ import annotations

from collections.abc import Generator

import httpx2
import pytest
from tests.acceptance.live import LiveServer

PROXY = "127.0.0.2"


@pytest.fixture(scope="module")
def server() -> Generator[LiveServer]:
    """The machine itself is a proxy for addresses, and another one authenticates people."""
    live = LiveServer(
        WORKROOM_HEADER_USER="X-Forwarded-User",
        WORKROOM_HEADER_GROUPS="X-Forwarded-Groups",
        WORKROOM_HEADER_PROXIES=PROXY,
        WORKROOM_ADMIN_GROUPS="admins",
        WORKROOM_PROXIES="127.0.0.1",
    ).start()
    yield live
    live.remove()


def _from(server: LiveServer, address: str) -> httpx2.Client:
    transport = httpx2.HTTPTransport(local_address=address)
    return httpx2.Client(base_url=server.url, transport=transport, trust_env=False)


def test_a_proxy_signs_people_in(server: LiveServer) -> None:
    with _from(server, PROXY) as proxy:
        headers = {"X-Forwarded-User": "petra", "X-Forwarded-Groups": "lab, admins"}
        assert proxy.get("/api/login/methods", headers=headers).json()["proxyUser"] == "petra"
        first = proxy.post("/api/login/header", headers=headers)
        assert first.status_code == 200, first.text
        assert first.json()["user"]["role"] == "admin" and first.json()["user"]["name"] == "petra"
        again = proxy.post("/api/login/header", headers={"X-Forwarded-User": "petra"}).json()
        assert again["user"] == first.json()["user"] | {"role": "user"}
        me = proxy.get("/api/users/me", headers={"Authorization": f"Bearer {again['token']}"})
        assert me.json()["id"] == again["user"]["id"]
        admin = proxy.post("/api/login/header", headers={"X-Forwarded-User": "admin"}).json()
        assert admin["user"]["name"] == "admin-2" and admin["user"]["role"] == "user"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-User": "admin"},
        {"X-Forwarded-User": "admin", "X-Forwarded-For": PROXY},
        {"X-Forwarded-User": "admin", "X-Forwarded-For": f"{PROXY}, {PROXY}", "X-Real-IP": PROXY},
        {"X-Forwarded-User": "admin", "Forwarded": f"for={PROXY}"},
    ],
)
def test_the_header_of_another_peer_is_ignored(server: LiveServer, headers: dict[str, str]) -> None:
    for address in ("127.0.0.1", "127.0.0.3"):
        with _from(server, address) as client:
            assert client.get("/api/login/methods", headers=headers).json()["proxyUser"] is None
            answer = client.post("/api/login/header", headers=headers)
            assert answer.status_code == 401, answer.text
            assert client.get("/api/users/me", headers=headers).status_code == 401


def test_a_header_that_the_proxy_did_not_replace_is_ignored(server: LiveServer) -> None:
    with _from(server, PROXY) as proxy:
        twice = [("X-Forwarded-User", "petra"), ("X-Forwarded-User", "admin")]
        assert proxy.post("/api/login/header", headers=twice).status_code == 401
        for value in ("", "x" * 300):
            assert proxy.post("/api/login/header", headers={"X-Forwarded-User": value}).status_code == 401
        assert proxy.post("/api/login/header").status_code == 401
