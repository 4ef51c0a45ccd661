"""Who may offer extensions in a room, whose settings hold, and who removes workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually


@pytest.fixture
async def guest(server: LiveServer, ada: Someone) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, f"offering-to-{ada.name}")
    yield someone
    await someone.close()


@pytest.fixture
async def user(server: LiveServer, ada: Someone, admin: Someone) -> AsyncGenerator[Someone]:
    name = f"user-near-{ada.name}"
    made = await admin.http.post("/api/users", json={"name": name, "role": "user", "password": "p" * 12})
    assert made.status_code == 201, made.text
    someone = await Someone.signs_in(server, name, "p" * 12)
    yield someone
    await someone.close()


async def _opens(ada: Someone, room: str, to: str) -> None:
    answer = await ada.http.patch(f"/api/rooms/{room}", json={"extensionsFrom": to})
    assert answer.status_code == 200 and answer.json()["extensionsFrom"] == to, answer.text


async def test_the_owner_of_a_public_room_chooses_who_may_offer_extensions(
    ada: Someone, guest: Someone, user: Someone, admin: Someone, room: str
) -> None:
    assert (await ada.get(f"/api/rooms/{room}"))["extensionsFrom"] == "members"
    expected = {"members": (403, 403), "users": (403, 201), "guests": (201, 201)}
    for to, (guests, users) in expected.items():
        await _opens(ada, room, to)
        assert (await PlainWorker(guest).registers(room, "Relax")).status_code == guests, to
        assert (await PlainWorker(user).registers(room, "Relax")).status_code == users, to
        for someone in (ada, admin):
            assert (await PlainWorker(someone).registers(room, "Relax")).status_code == 201, to
    await _opens(ada, room, "members")
    refused = await PlainWorker(guest).registers(room, "Relax")
    assert "extensionsFrom" in refused.json()["detail"], refused.text
    added = await ada.http.put(f"/api/rooms/{room}/members/{guest.name}", json={"rights": "write"})
    assert added.status_code < 300, added.text
    assert (await PlainWorker(guest).registers(room, "Relax")).status_code == 201


async def test_a_function_worker_serves_a_room_under_the_same_rule(ada: Someone, guest: Someone, room: str) -> None:
    offer: dict[str, Any] = {"name": f"fn-{ada.name}", "category": "functions", "schema": {}, "function": True}
    body: dict[str, Any] = {"room": room, "extensions": [offer]}
    assert (await guest.http.post("/api/workers/register", json=body)).status_code == 403
    assert (await guest.http.post("/api/workers/register", json=body | {"room": None})).status_code == 201


async def test_a_stricter_choice_ends_the_workers_that_it_excludes(
    ada: Someone, guest: Someone, room: str, workers: list[PlainWorker]
) -> None:
    await _opens(ada, room, "guests")
    worker = await PlainWorker.online(guest, room, "Relax")
    workers.append(worker)
    await _opens(ada, room, "users")
    until = time.monotonic() + 1.0
    while worker.sio.connected:
        assert time.monotonic() < until, "its socket stays open"
        await asyncio.sleep(0.02)
    assert (await guest.get(f"/api/workers/{worker.id}"))["state"] == "gone"


async def test_a_worker_that_joins_anothers_extension_cannot_change_its_settings(
    ada: Someone, guest: Someone, room: str, workers: list[PlainWorker]
) -> None:
    await _opens(ada, room, "guests")
    workers.append(await PlainWorker.online(ada, room, "Relax", timeoutSeconds=3600, tries=2))
    attempts: dict[str, dict[str, Any]] = {
        "timeoutSeconds": {"timeoutSeconds": 0.001, "tries": 2},
        "tries": {"timeoutSeconds": 3600, "tries": 100},
        "onWorkerLost": {"timeoutSeconds": 3600, "tries": 2, "onWorkerLost": "requeue"},
        "breakerFailures": {"timeoutSeconds": 3600, "tries": 2, "breakerFailures": 0},
    }
    for name, changed in attempts.items():
        refused = await PlainWorker(guest).registers(room, "Relax", **changed)
        assert (refused.status_code, refused.json()["code"]) == (409, "settings_conflict"), refused.text
        assert refused.json()["settings"] == [name] and ada.name in refused.json()["detail"]
    items = (await ada.get(f"/api/rooms/{room}/extensions", category="modifiers"))["items"]
    (listed,) = (one for one in items if one["scope"] == "room")
    assert (listed["timeoutSeconds"], listed["tries"]) == (3600, 2)
    joined = await PlainWorker(guest).registers(room, "Relax", timeoutSeconds=3600, tries=2)
    assert joined.status_code == 201, "the same settings change nothing"
    own = await PlainWorker(ada).registers(room, "Relax", timeoutSeconds=60, tries=2)
    assert own.status_code == 201, "the first owner may"


async def test_the_owner_of_a_room_may_change_the_settings_of_its_extensions(
    ada: Someone, guest: Someone, room: str
) -> None:
    await _opens(ada, room, "guests")
    assert (await PlainWorker(guest).registers(room, "Relax", timeoutSeconds=5)).status_code == 201
    assert (await PlainWorker(ada).registers(room, "Relax", timeoutSeconds=50)).status_code == 201
    refused = await PlainWorker(guest).registers(room, "Relax", timeoutSeconds=0.1)
    assert refused.status_code == 201, "the guest registered it first, and stays its owner"


async def test_the_owner_of_a_room_removes_a_worker_from_it_for_good(
    server: LiveServer, ada: Someone, guest: Someone, room: str, workers: list[PlainWorker]
) -> None:
    await _opens(ada, room, "guests")
    worker = await PlainWorker.online(guest, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    stranger = await Someone.signs_in(server, f"not-{ada.name}")
    assert (await stranger.http.delete(f"/api/workers/{worker.id}")).status_code == 404
    await stranger.close()
    assert (await ada.http.delete(f"/api/workers/{worker.id}")).status_code == 204
    # Sooner than the lease of 3 s would end it.
    assert (await ada.sees(job_id, "failed", within=2.5))["error"]["reason"] == "worker_lost"

    async def connected() -> bool:
        return bool(worker.sio.connected)

    await eventually(connected, lambda still: not still, within=2.5)
    again = await worker.registers(room, "Relax", again=True)
    assert again.status_code == 403 and "removed" in again.json()["detail"], again.text


async def test_the_owner_of_a_room_cannot_remove_workers_that_serve_other_rooms_too(
    ada: Someone, admin: Someone, room: str, workers: list[PlainWorker]
) -> None:
    """A global worker of an admin may have been registered from any room."""
    worker = PlainWorker(admin)
    workers.append(worker)
    offer = {"name": f"Everywhere-{ada.name}", "category": "modifiers", "schema": {"type": "object"}, "public": True}
    told = (await admin.http.post("/api/workers/register", json={"room": room, "extensions": [offer]})).json()
    assert (await ada.http.delete(f"/api/workers/{told['workerId']}")).status_code == 404


async def test_built_in_names_are_reserved_before_the_pool_has_registered() -> None:
    """On a fresh data folder the pool takes seconds to register."""
    server = LiveServer.with_pool(1)
    try:
        server.start()
        ada = await Someone.signs_in(server, "ada")
        room = await ada.makes_room("early")
        listed = (await ada.get(f"/api/rooms/{room}/extensions"))["items"]
        refused = await PlainWorker(ada).registers(room, "BuiltInReturns", category="built-in")
        assert (refused.status_code, refused.json()["code"]) == (409, "name_reserved"), refused.text
        assert listed == [], "the pool had registered already: the test shows nothing"
        allowed = await PlainWorker(ada).registers(room, "Another", category="built-in")
        assert allowed.status_code == 201, allowed.text
        await ada.close()
    finally:
        server.remove()
