"""The log has a line for each sign-in and, if wanted, for each request; never a secret."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Generator

import httpx2
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, QUICK, ROOT, LiveServer, Someone


@pytest.fixture(scope="module")
def logged() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_REQUEST_LOG="info").start()
    yield live
    live.remove()


def _lines(server: LiveServer, event: str) -> list[dict[str, str]]:
    """The fields of the lines of an event, as text."""
    lines = [line for line in server.log().splitlines() if f"] {event} " in line]
    return [dict(re.findall(r"(\w+)=('[^']*'|\S+)", line)) for line in lines]


async def test_each_request_has_one_line_without_secrets(logged: LiveServer) -> None:
    admin = await Someone.admin(logged)
    await admin.makes_room("logged")
    made = await admin.http.post("/api/users/me/tokens", json={"name": "log", "scopes": ["read"]})
    token = made.json()["token"]
    async with httpx2.AsyncClient(base_url=logged.url, trust_env=False) as http:
        assert (await http.get("/api/rooms/logged", headers={"Authorization": f"Bearer {token}"})).status_code == 200
        await http.get(f"/api/rooms/nowhere?token={token}")
        await http.get("/healthz")
        await http.get("/metrics", headers={"Authorization": f"Bearer {QUICK['WORKROOM_METRICS_TOKEN']}"})
        await http.get(f"/no/such/page/{token}")
    await admin.close()
    lines = _lines(logged, "request")
    [room, nowhere] = [line for line in lines if line["route"] == "/api/rooms/{room}"]
    assert (room["method"], room["status"], room["account"]) == ("GET", "200", admin.id)
    assert float(room["ms"]) >= 0 and room["address"] == "127.0.0.1" and room["replica"]
    assert (nowhere["status"], nowhere["account"]) == ("401", "None")
    assert not [line for line in lines if line["route"] in ("/healthz", "/metrics")]
    for secret in (admin.token, token, ADMIN_PASSWORD):
        assert secret not in logged.log()


async def test_requests_are_not_logged_unless_wanted(server: LiveServer, admin: Someone) -> None:
    await admin.get("/api/rooms")
    assert "/api/rooms" not in server.log()


async def test_sign_ins_are_logged_with_their_address_and_counted(logged: LiveServer) -> None:
    async with httpx2.AsyncClient(base_url=logged.url, trust_env=False) as http:
        wrong = await http.post("/api/login", json={"user": "admin", "password": "a wrong guess"})
        assert wrong.status_code == 401
        await http.get("/api/rooms", headers={"Authorization": "Bearer wr_" + "w" * 43})
        guest = await http.post("/api/login", json={"user": "logged-guest"})
        headers = {"Authorization": f"Bearer {guest.json()['token']}"}
        assert (await http.post("/api/logout", headers=headers)).status_code == 204
        metrics = {"Authorization": f"Bearer {QUICK['WORKROOM_METRICS_TOKEN']}"}
        page = (await http.get("/metrics", headers=metrics)).text
    failed = _lines(logged, "sign-in failed")
    assert {(line["user"], line["method"]) for line in failed} >= {("admin", "password"), ("'(API token)'", "token")}
    assert {line["address"] for line in failed} == {"127.0.0.1"}
    assert ("logged-guest", "guest") in {(line["user"], line["method"]) for line in _lines(logged, "signed in")}
    assert "logged-guest" in {line["user"] for line in _lines(logged, "signed out")}
    for method, outcome in (("password", "failed"), ("token", "failed"), ("guest", "ok")):
        found = re.search(rf'workroom_sign_ins_total{{method="{method}",outcome="{outcome}",.*}} (\S+)', page)
        assert found is not None and float(found[1]) >= 1
    assert re.search(r'workroom_request_seconds_count{method="POST",.*route="/api/login",.*status="4xx"}', page)
    assert re.search(r"workroom_data_disk_free_bytes{.*} \d", page)


_FAILS = """
import asyncio
from unittest.mock import AsyncMock
from workroom import logs
from workroom.server.auth import sign_in_record
logs.configure("info", "json")
sign_in_record.record_failed_sign_in = AsyncMock()
sign_in_record.record_sign_in("ada", address="10.0.0.1", method="password")
for name in ("admin", '", "method": "x", "address": "10.0.0.9", "event": "sign-in failed'):
    asyncio.run(sign_in_record.record_failure(None, name=name, address="10.0.0.2", method="password"))
"""


def test_the_filter_of_the_page_finds_the_address_and_nothing_that_a_name_pretends() -> None:
    page = (ROOT / "docs/howto/monitoring.md").read_text()
    rule = re.search(r"failregex = (.*)", page)
    assert rule is not None
    pattern = re.compile(rule[1].replace("<HOST>", r"(?P<host>[0-9.]+)"))
    ran = subprocess.run([sys.executable, "-c", _FAILS], capture_output=True, text=True, check=True)
    found = [match and match["host"] for line in ran.stderr.splitlines() for match in [pattern.search(line)]]
    assert found == [None, "10.0.0.2", "10.0.0.2"]
