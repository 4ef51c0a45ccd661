"""Answers tell strangers nothing about processes and folders, and are not stored on their way."""

from __future__ import annotations

import time
from typing import Any

from tests.acceptance.live import LiveServer, PlainWorker, Someone


async def test_only_its_owner_and_admins_see_the_process_of_a_worker(
    server: LiveServer, ada: Someone, room: str, admin: Someone
) -> None:
    worker = PlainWorker(ada)
    offer: dict[str, Any] = {"name": "Relax", "category": "modifiers", "schema": {}}
    info = {"host": "laptop", "name": "ada's", "python": "3.11", "pid": 4711, "folder": "/home/ada"}
    body: dict[str, Any] = {"room": room, "extensions": [offer], "info": info}
    answer = await ada.http.post("/api/workers/register", json=body)
    assert answer.status_code == 201, answer.text
    worker.id = answer.json()["workerId"]
    bob = await Someone.signs_in(server, f"bob-{time.time_ns()}")
    seen = {
        someone.name: (await someone.get(f"/api/rooms/{room}/workers"))["items"][0]["info"]
        for someone in (ada, admin, bob)
    }
    assert seen[ada.name] == seen[admin.name] == info
    assert seen[bob.name] == {"host": "laptop", "name": "ada's", "python": "3.11"}
    await bob.close()


async def test_answers_of_the_api_are_not_stored(ada: Someone, room: str) -> None:
    for path in ("/api/users/me", f"/api/rooms/{room}", f"/api/rooms/{room}/frames", "/api/rooms/nowhere", "/readyz"):
        answer = await ada.http.get(path)
        assert answer.headers["cache-control"] == "no-store", (path, answer.status_code)
    page = await ada.http.get("/")
    assert page.headers["cache-control"] != "no-store"
