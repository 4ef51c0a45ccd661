"""Admins change the concurrency and the priority of a queue, and close its breakers."""

from __future__ import annotations

from typing import Any

from tests.acceptance.live import PlainWorker, Someone


async def _queue(admin: Someone, room: str) -> dict[str, Any]:
    (queue,) = [one for one in (await admin.get("/api/admin/queues", limit=500))["items"] if one["room"] == room]
    return queue


async def test_what_an_admin_sets_outlasts_the_registration_of_workers(
    ada: Someone, admin: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax", capacity=2, concurrency=1)
    workers.append(worker)
    for n in range(3):
        await ada.submits(room, "Relax", {"n": n})
    await worker.gets()
    assert worker.assigned.empty(), "it takes one job at once"
    name = {"room": room, "category": "modifiers", "name": "Relax"}
    assert (await ada.http.put("/api/admin/queues", json=name | {"priority": 1})).status_code == 403
    assert (await admin.http.put("/api/admin/queues", json=name)).status_code == 400
    assert (await admin.http.put("/api/admin/queues", json=name | {"priority": 11})).status_code == 422
    changed = await admin.http.put("/api/admin/queues", json=name | {"concurrency": 2, "priority": 9})
    assert (changed.status_code, changed.json()["concurrency"], changed.json()["adjusted"]) == (200, 2, True)
    await worker.gets()  # the second one, at once

    other = PlainWorker(ada)
    assert (await other.registers(room, "Relax", concurrency=1)).status_code == 201
    queue = await _queue(admin, room)
    assert (queue["concurrency"], queue["priority"], queue["adjusted"]) == (2, 9, True)
    submitted = await ada.submits(room, "Relax", {"n": 9})
    assert (await ada.job(submitted["jobId"]))["priority"] == 9

    given_back = await admin.http.put("/api/admin/queues", json=name | {"asRegistered": True})
    assert given_back.json()["adjusted"] is False
    assert (await PlainWorker(ada).registers(room, "Relax", concurrency=1)).status_code == 201
    queue = await _queue(admin, room)
    assert (queue["concurrency"], queue["priority"]) == (1, 5)


async def test_a_closed_breaker_lets_the_worker_take_jobs_at_once(
    ada: Someone, admin: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax", breakerFailures=1, breakerSeconds=3600)
    workers.append(worker)
    await ada.submits(room, "Relax", {"n": 1})
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error="no"))["ok"]
    waits = await ada.submits(room, "Relax", {"n": 2})
    assert waits["waitingFor"] == "breaker_open"
    assert (await _queue(admin, room))["breakersOpen"] == 1
    name = {"room": room, "category": "modifiers", "name": "Relax"}
    assert (await ada.http.post("/api/admin/queues/breakers", json=name)).status_code == 403
    closed = await admin.http.post("/api/admin/queues/breakers", json=name)
    assert (closed.status_code, closed.json()) == (200, {"workers": 1})
    assert (await worker.gets())["jobId"] == waits["jobId"]
    assert (await admin.http.post("/api/admin/queues/breakers", json=name)).json() == {"workers": 0}
    acts = [one["act"] for one in (await admin.get("/api/admin/audit"))["items"] if room in str(one["detail"])]
    assert acts == ["queue.close_breakers"]
