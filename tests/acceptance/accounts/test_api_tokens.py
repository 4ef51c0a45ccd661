"""API tokens: made once, limited by their scopes, and gone within a second after they were revoked."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute
from socketio.exceptions import ConnectionError as RefusedByServer
from tests.acceptance.accounts.test_rights_end import WITHIN
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, eventually, plain_socket
from tests.authorization import OPEN
from tests.workshop import Workshop

from workroom.actions.accounts import accounts, api_tokens
from workroom.domain.api_token_scopes import SCOPES, allows
from workroom.server.app import create_rest_app
from workroom.server.auth.api_tokens.scopes import scopes_of_route

Makes = Callable[..., Awaitable[Someone]]
_numbers = count(1)
PASSWORD = "p" * 12


@pytest.fixture
async def owner(server: LiveServer, admin: Someone) -> AsyncGenerator[Someone]:
    """A user with a password."""
    name = f"token-owner-{next(_numbers)}"
    made = await admin.http.post("/api/users", json={"name": name, "password": PASSWORD})
    assert made.status_code == 201, made.text
    someone = await Someone.signs_in(server, name, PASSWORD)
    yield someone
    await someone.close()


@pytest.fixture
async def program() -> AsyncGenerator[Makes]:
    """A program that acts for an account, with an API token of these scopes."""
    made: list[Someone] = []

    async def make(of: Someone, *scopes: str, name: str = "program", **more: Any) -> Someone:
        answer = await of.http.post("/api/users/me/tokens", json={"name": name, "scopes": scopes} | more)
        assert answer.status_code == 201, answer.text
        made.append(Someone(of.server, answer.json()["token"], {"id": of.id, "name": of.name}))
        return made[-1]

    yield make
    for one in made:
        await one.close()


async def _revoked(of: Someone, name: str = "program") -> float:
    """Revoke a token; the time by which it must be refused."""
    answer = await of.http.delete(f"/api/users/me/tokens/{name}")
    assert answer.status_code == 204, answer.text
    return time.monotonic() + WITHIN


async def test_a_token_is_shown_once_and_stored_as_a_hash(owner: Someone, program: Makes) -> None:
    made = await program(owner, "read")
    assert re.fullmatch(r"wr_[A-Za-z0-9_-]{43}", made.token)
    [listed] = (await owner.get("/api/users/me/tokens"))["items"]
    assert (listed["name"], listed["scopes"], listed["lastUsedAt"]) == ("program", ["read"], None)
    assert "token" not in listed and made.token.startswith(listed["hint"]) and len(listed["hint"]) < 10
    assert (await made.get("/api/users/me"))["name"] == owner.name
    [listed] = (await owner.get("/api/users/me/tokens"))["items"]
    assert listed["lastUsedAt"] is not None
    wrong: list[tuple[dict[str, Any], int]] = [
        ({"name": "program"}, 409),
        ({"name": "no good"}, 400),
        ({"name": "x", "scopes": []}, 422),
        ({"name": "x", "scopes": ["everything"]}, 422),
        ({"name": "x", "scopes": ["admin"]}, 403),
        ({"name": "x", "scopes": ["metrics"]}, 403),
        ({"name": "x", "expiresAt": "2020-01-01T00:00:00Z"}, 400),
        ({"name": "x", "expiresAt": "2040-01-01T00:00:00"}, 422),
    ]
    for body, status in wrong:
        refused = await owner.http.post("/api/users/me/tokens", json=body)
        assert refused.status_code == status, (body, refused.text)


async def test_a_guest_has_no_api_tokens(ada: Someone) -> None:
    assert (await ada.http.post("/api/users/me/tokens", json={"name": "x"})).status_code == 403


async def test_a_wrong_token_is_refused_and_audited(server: LiveServer, admin: Someone) -> None:
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        answer = await http.get("/api/users/me", headers={"Authorization": "Bearer wr_" + "x" * 43})
    assert answer.status_code == 401
    entries = (await admin.get("/api/admin/audit"))["items"]
    assert any(one["act"] == "login.failed" and one["detail"]["method"] == "token" for one in entries)


async def test_every_route_accepts_a_token_by_its_scopes_alone(admin: Someone, program: Makes) -> None:
    """Each route with each scope, as an admin who may do everything: 403 exactly where the scope is missing."""
    holders = {scope: await program(admin, scope, name=f"matrix-{scope}") for scope in SCOPES}
    routes = [
        (method, route.path)
        for route in create_rest_app().routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods or ())
        if (method, route.path) not in OPEN
    ]
    assert len(routes) > 120
    for method, path in routes:
        filled = re.sub(r"\{act\}", "nothing", path.replace("{room}", "no-such-room"))
        filled = re.sub(r"\{\w+\}", "01890000-0000-7000-8000-000000000000", filled)
        for scope, holder in holders.items():
            answer = await holder.http.request(method, filled, json={})
            refused = answer.status_code in (401, 403) and answer.json()["code"] != "admin_needed"
            allowed = allows([scope], scopes_of_route(method, path))
            # 401 is for routes of workers and jobs, which have tokens of their own.
            assert refused is not allowed or answer.status_code == 401, (method, path, scope, answer.text[:200])
    never = {(method, path) for method, path in routes if not scopes_of_route(method, path)}
    assert never == {
        ("POST", "/api/login/codes"),
        ("POST", "/api/login/renew"),
        ("POST", "/api/logout"),
        ("GET", "/api/users/me/tokens"),
        ("POST", "/api/users/me/tokens"),
        ("DELETE", "/api/users/me/tokens/{id}"),
    }
    for scope in SCOPES:
        await _revoked(admin, f"matrix-{scope}")


async def test_a_token_becomes_no_password(admin: Someone, program: Makes) -> None:
    holder = await program(admin, "admin", name="no-password")
    changed = {"password": "q" * 12, "oldPassword": "p" * 12}
    assert (await holder.http.patch(f"/api/users/{admin.id}", json=changed)).status_code == 403
    assert (await holder.http.post(f"/api/users/{admin.id}/reset")).status_code == 403
    assert (await holder.http.get("/api/admin/settings")).status_code == 200
    await _revoked(admin, "no-password")


async def test_without_the_scope_admin_a_token_of_an_admin_is_that_of_a_user(
    admin: Someone, owner: Someone, program: Makes
) -> None:
    private = await owner.makes_room(f"{owner.name}-private", "private")
    holder = await program(admin, "write", "worker", name="as-user")
    assert (await admin.http.get(f"/api/rooms/{private}")).status_code == 200
    assert (await holder.http.get(f"/api/rooms/{private}")).status_code == 404
    assert (await holder.get("/api/users/me"))["role"] == "admin", "the account is one"
    offer = {"name": "Everywhere", "category": "modifiers", "schema": {"type": "object"}, "public": True}
    body = {"room": None, "extensions": [offer]}
    refused = await holder.http.post("/api/workers/register", json=body)
    assert (refused.status_code, refused.json()["code"]) == (403, "admin_needed")
    await _revoked(admin, "as-user")


async def test_metrics_need_the_scope_and_an_admin(admin: Someone, program: Makes) -> None:
    holder = await program(admin, "metrics", name="prometheus")
    assert (await holder.http.get("/metrics")).status_code == 200
    assert (await holder.http.get("/api/rooms")).status_code == 403
    await _revoked(admin, "prometheus")
    assert (await holder.http.get("/metrics")).status_code == 401


async def test_sockets_accept_a_token_by_its_scopes(server: LiveServer, owner: Someone, program: Makes) -> None:
    room = await owner.makes_room(f"{owner.name}-sockets")
    reader = await Watcher.joins(await program(owner, "read", name="reader"), room)
    refused = await reader.sio.call("chat:send", {"room": room, "text": "no"})
    assert (refused["ok"], refused["code"]) == (False, "scope_needed")
    writer = await Watcher.joins(await program(owner, "write", name="writer"), room)
    assert (await writer.sio.call("chat:send", {"room": room, "text": "yes"}))["ok"]
    await reader.until("chat:message", lambda body: body["text"] == "yes")
    worker_alone = await program(owner, "worker", name="worker")
    with pytest.raises(RefusedByServer):
        await plain_socket().connect(server.url, auth={"token": worker_alone.token}, transports=["websocket"])
    await reader.leaves()
    await writer.leaves()


async def test_a_revoked_token_is_refused_and_its_sockets_and_workers_end(owner: Someone, program: Makes) -> None:
    room = await owner.makes_room(f"{owner.name}-revoked")
    holder = await program(owner, "write", "worker")
    watcher = await Watcher.joins(holder, room)
    other = await Watcher.joins(owner, room)
    worker = await PlainWorker.online(holder, room, "Melt")
    assert (await holder.http.get(f"/api/rooms/{room}")).status_code == 200
    deadline = await _revoked(owner)
    assert (await holder.http.get(f"/api/rooms/{room}")).status_code == 401

    async def connected() -> bool:
        return watcher.sio.connected or worker.sio.connected

    await eventually(connected, lambda still: not still, max(0.1, deadline - time.monotonic()))
    heartbeat = await owner.http.put(
        f"/api/workers/{worker.id}/heartbeat", headers={"Authorization": f"Bearer {worker.token}"}
    )
    assert heartbeat.status_code == 409
    assert other.sio.connected, "the login of the same person stays"
    await other.leaves()


async def test_a_sign_out_leaves_tokens_and_a_new_password_ends_them(
    server: LiveServer, owner: Someone, program: Makes
) -> None:
    room = await owner.makes_room(f"{owner.name}-signed-out")
    holder = await program(owner, "write")
    watcher = await Watcher.joins(holder, room)
    assert (await owner.http.post("/api/logout")).status_code == 204
    assert (await owner.http.get("/api/users/me")).status_code == 401
    assert (await holder.http.post(f"/api/rooms/{room}/chat", json={"text": "still here"})).status_code == 201
    await watcher.until("chat:message", lambda body: body["text"] == "still here")
    again = await Someone.signs_in(server, owner.name, PASSWORD)
    body = {"password": "q" * 12, "oldPassword": PASSWORD}
    assert (await again.http.patch(f"/api/users/{owner.id}", json=body)).status_code == 200
    assert (await holder.http.get(f"/api/rooms/{room}")).status_code == 401
    await eventually(_is_open(watcher), lambda still: not still, WITHIN)
    await again.close()


@pytest.mark.parametrize("act", ["disable", "delete", "reset"])
async def test_the_tokens_of_an_account_end_with_it(admin: Someone, owner: Someone, program: Makes, act: str) -> None:
    holder = await program(owner, "write")
    assert (await holder.http.get("/api/rooms")).status_code == 200
    url = f"/api/users/{owner.id}"
    match act:
        case "disable":
            answer = await admin.http.patch(url, json={"disabled": True})
            await admin.http.patch(url, json={"disabled": False})
        case "delete":
            answer = await admin.http.delete(url)
        case _:
            answer = await admin.http.post(f"{url}/reset")
    assert answer.status_code < 300, answer.text
    assert (await holder.http.get("/api/rooms")).status_code == 401


async def test_sockets_and_workers_end_with_the_expiry_of_their_token(owner: Someone, program: Makes) -> None:
    room = await owner.makes_room(f"{owner.name}-expires")
    until = datetime.now(UTC) + timedelta(seconds=2.5)
    holder = await program(owner, "write", "worker", expiresAt=until.isoformat())
    watcher = await Watcher.joins(holder, room)
    worker = await PlainWorker.online(holder, room, "Melt")
    await asyncio.sleep(max(0.0, (until - datetime.now(UTC)).total_seconds()))
    assert (await holder.http.get(f"/api/rooms/{room}")).status_code == 401
    await eventually(_is_open(watcher), lambda still: not still, WITHIN)
    await eventually(_is_open(worker), lambda still: not still, WITHIN + 1)  # a sweep, and the closing
    [listed] = (await owner.get("/api/users/me/tokens"))["items"]
    assert listed["expired"] is True


def _is_open(holder: Any) -> Callable[[], Awaitable[bool]]:
    async def connected() -> bool:
        return bool(holder.sio.connected)

    return connected


async def test_what_was_done_to_tokens_is_audited_without_them(admin: Someone, owner: Someone, program: Makes) -> None:
    made = await program(owner, "read", name="audited")
    await _revoked(owner, "audited")
    entries = [one for one in (await admin.get("/api/admin/audit"))["items"] if one["subject"] == owner.name]
    assert {one["act"] for one in entries} >= {"token.create", "token.revoke"}
    assert made.token not in str(entries)


async def test_an_account_has_at_most_so_many_tokens(workshop: Workshop) -> None:
    engine = workshop.engine
    owner = await accounts.create_account(engine, actor=None, name="many", role="user", password_hash="hash")
    for number in range(api_tokens.MOST_OF_ACCOUNT):
        await api_tokens.create_api_token(
            engine, account_id=owner.id, name=f"t{number}", scopes=["read"], expires_at=None
        )
    with pytest.raises(Exception, match="at most 50"):
        await api_tokens.create_api_token(engine, account_id=owner.id, name="more", scopes=["read"], expires_at=None)


EXTENSION = """
from workroom import Category, Extension

class Grow(Extension):
    category = Category.MODIFIER
    factor: float = 1.0

    def run(self, vis, **kwargs):
        return self.factor
"""


async def test_a_worker_with_a_token_outlives_logins_and_a_restart_of_the_server(tmp_path: Path) -> None:
    """The login that made the token lasts two seconds, and so do all others; the worker runs a job much later."""
    server = LiveServer(WORKROOM_TOKEN_SECONDS="2", WORKROOM_WORKER_TOKEN_SECONDS="3").start()
    file = tmp_path / "grow.py"
    file.write_text(EXTENSION)
    try:
        admin = await Someone.admin(server)
        room = await admin.makes_room("long-lived")
        body = {"name": "systemd", "scopes": ["worker"]}
        token = (await admin.http.post("/api/users/me/tokens", json=body)).json()["token"]
        own = await admin.http.post("/api/users/me/tokens", json={"name": "test", "scopes": ["admin"]})
        later = Someone(server, own.json()["token"], {"id": admin.id, "name": admin.name})
        expired = time.monotonic() + 4
        command = [sys.executable, "-m", "workroom.cli", "worker", str(file), "--room", room, "--url", server.url]
        environment = os.environ | {"WORKROOM_TOKEN": token}
        worker = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=environment)
        try:
            assert worker.stdout is not None
            assert b"offers modifiers/Grow" in await worker.stdout.readline()
            [before] = (await later.get("/api/workers"))["items"]
            await asyncio.sleep(max(0.0, expired - time.monotonic()))
            assert (await admin.http.get("/api/users/me")).status_code == 401
            server.stop()
            await asyncio.sleep(1)  # away for a while
            server.start()
            job = await later.submits(room, "Grow", {"factor": 3})
            done = await later.sees(job["jobId"], "completed", within=20)
            assert (done["result"], done["workerId"]) == (3, before["id"])
            again = await Someone.admin(server)
            assert (await again.http.delete("/api/users/me/tokens/systemd")).status_code == 204
            await again.close()
            assert (await later.get("/api/workers"))["items"] == []
        finally:
            if worker.returncode is None:
                worker.kill()
                await worker.communicate()
        await admin.close()
        await later.close()
    finally:
        server.remove()
