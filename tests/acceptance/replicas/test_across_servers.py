"""What happens at one server is seen at the other: jobs, rooms, people, locks and the end of rights."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.acceptance.live import PlainWorker, Someone, Watcher, eventually, plain_socket
from tests.acceptance.replicas.conftest import Replicas
from tests.structures import bulk

from workroom import Room


async def test_a_job_submitted_at_one_server_runs_at_a_worker_of_the_other(ada: Someone, bob: Someone) -> None:
    room = await ada.makes_room("jobs-across")
    await _accepted(ada.http.patch(f"/api/rooms/{room}", json={"extensionsFrom": "guests"}))
    worker = await PlainWorker.online(bob, room, "Relax")
    near, far = await Watcher.joins(ada, room), await Watcher.joins(bob, room)
    job_id = (await ada.submits(room, "Relax", {"n": 3}))["jobId"]
    job = await worker.gets()
    assert (job["jobId"], job["data"]) == (job_id, {"n": 3})
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.sio.call("job:progress", {"jobId": job_id, "attempt": 1, "fraction": 0.5, "message": ""}))[
        "ok"
    ]
    for watcher in (near, far):
        moved = await watcher.until("job:state_changed", lambda body: body["status"] == "running")
        assert (moved["jobId"], moved["workerId"]) == (job_id, worker.id)
        assert (await watcher.until("job:progress", lambda body: body["jobId"] == job_id))["fraction"] == 0.5
    assert (await ada.http.delete(f"/api/jobs/{job_id}")).status_code == 200
    async with asyncio.timeout(10):
        assert (await worker.cancelled.get())["jobId"] == job_id
    assert (await worker.says(job, "cancelled"))["ok"]
    assert (await ada.sees(job_id, "cancelled"))["attempt"] == 1
    for n in range(20):
        await ada.submits(room, "Relax", {"n": n})
        await bob.submits(room, "Relax", {"n": n})
    for _ in range(40):
        await worker.runs(await worker.gets())
    assert worker.assigned.empty(), "each attempt is dispatched once"
    for someone in (near, far, worker):
        await someone.leaves()


async def test_a_person_is_followed_from_the_other_server(ada: Someone, bob: Someone) -> None:
    room = await ada.makes_room("camera-across")
    hers, his = await Watcher.joins(ada, room), await Watcher.joins(bob, room)
    await his.until("presence:changed", lambda body: body["total"] == 2)
    assert (await his.sio.call("camera:follow", {"room": room, "user": ada.id}))["ok"]
    assert (await hers.until("camera:followed", lambda _: True))["by"]["name"] == bob.name
    camera = {"target": [1, 2, 3], "turn": [0, 0, 0, 1], "distance": 20, "flat": False, "field": 32, "step": 0}
    assert (await hers.sio.call("camera:move", {"room": room} | camera))["ok"]
    assert await his.until("camera:moved", lambda _: True) == {"room": room, "user": ada.id} | camera
    for watcher in (hers, his):
        await watcher.leaves()


async def test_a_room_is_the_same_at_both_servers(replicas: Replicas, ada: Someone, bob: Someone) -> None:
    room = await ada.makes_room("room-across")
    near, far = await Watcher.joins(ada, room), await Watcher.joins(bob, room)
    both = {ada.name, bob.name}
    for watcher in (near, far):
        seen = await watcher.until("presence:changed", lambda body: body["total"] == 2)
        assert {person["name"] for person in seen["people"]} == both
    for someone in (ada, bob):
        people = (await someone.get(f"/api/rooms/{room}/presence"))["people"]
        assert {person["name"] for person in people} == both

    def write() -> None:
        with Room(room, replicas.first.url, ada.name) as vis:
            vis.append(bulk("Cu"))

    await asyncio.to_thread(write)
    assert (await far.until("frames:changed", lambda body: True, within=10))["length"] == 1
    await _accepted(ada.http.post(f"/api/rooms/{room}/chat", json={"text": "hello, far one"}))
    assert (await far.until("chat:message", lambda body: True))["text"] == "hello, far one"
    lock = await _accepted(ada.http.post(f"/api/rooms/{room}/locks/trajectory/acquire", json={"client": "tab"}))
    assert (await far.until("lock:changed", lambda body: True))["holder"]["name"] == ada.name
    assert lock["token"]
    refused = await bob.http.post(f"/api/rooms/{room}/locks/trajectory/acquire", json={"client": "other"})
    assert refused.status_code == 423
    await near.leaves()
    seen = await far.until("presence:changed", lambda body: body["total"] == 1, within=10)
    assert [person["name"] for person in seen["people"]] == [bob.name]
    await far.leaves()


async def test_rights_that_end_at_one_server_end_at_the_other(replicas: Replicas, name: str) -> None:
    admin = await Someone.admin(replicas.first)
    await _accepted(admin.http.post("/api/users", json={"name": f"carl-{name}", "role": "user", "password": "p" * 12}))
    carl = await Someone.signs_in(replicas.second, f"carl-{name}", "p" * 12)
    room = await admin.makes_room(f"private-{name}", "private")
    await _accepted(admin.http.put(f"/api/rooms/{room}/members/{carl.name}", json={"rights": "write"}))
    watcher = await Watcher.joins(carl, room)
    worker = await PlainWorker.online(carl, room, "Relax")
    await worker.is_seen("idle")
    assert (await admin.http.delete(f"/api/rooms/{room}/members/{carl.name}")).status_code == 204

    async def connected() -> bool:
        return bool(worker.sio.connected)

    await eventually(connected, lambda still: not still)
    await _accepted(admin.http.post(f"/api/rooms/{room}/chat", json={"text": "not for carl"}))
    again = await watcher.sio.call("room:join", {"room": room})
    assert (again["ok"], again["code"]) == (False, "not_found")
    assert not [body for event, body in watcher.heard if event == "chat:message"]
    assert (await admin.http.patch(f"/api/users/{carl.id}", json={"disabled": True})).status_code == 200

    async def signed_in() -> bool:
        return bool(watcher.sio.connected)

    await eventually(signed_in, lambda still: not still)
    assert (await carl.http.get("/api/rooms")).status_code == 401
    await watcher.leaves()
    await worker.leaves()
    await carl.close()
    await admin.close()


async def test_a_worker_that_moves_to_the_other_server_keeps_its_job(
    replicas: Replicas, ada: Someone, bob: Someone
) -> None:
    room = await ada.makes_room("moves-across")
    worker = await PlainWorker.online(ada, room, "Relax")
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    moved = PlainWorker(ada)
    moved.id, moved.token = worker.id, worker.token
    await moved.sio.connect(replicas.second.url, auth={"token": moved.token}, transports=["websocket"])
    again = await moved.gets()
    assert (again["jobId"], again["attempt"]) == (job_id, job["attempt"])

    async def connected() -> bool:
        return bool(worker.sio.connected)

    await eventually(connected, lambda still: not still)
    await moved.is_seen("busy", "idle")
    await moved.runs(again)
    assert (await ada.sees(job_id, "completed"))["attempt"] == 1
    second = (await ada.submits(room, "Relax"))["jobId"]
    job = await moved.gets()
    while job["jobId"] == job_id:  # the first may have been sent again
        job = await moved.gets()
    await moved.runs(job)
    await ada.sees(second, "completed")
    await moved.leaves()
    await worker.leaves()


async def test_a_lock_stays_with_a_client_that_moves_to_the_other_server(replicas: Replicas, ada: Someone) -> None:
    room = await ada.makes_room("lock-moves")
    sockets: list[Any] = []
    for server in (replicas.first, replicas.second):
        socket = plain_socket()
        await socket.connect(server.url, auth={"token": ada.token, "client": "tab"}, transports=["websocket"])
        assert (await socket.call("room:join", {"room": room, "client": "tab"}))["ok"]
        sockets.append(socket)
    lock = await _accepted(
        ada.http.post(f"/api/rooms/{room}/locks/trajectory/acquire", json={"client": "tab", "ttlSeconds": 60})
    )
    watcher = await Watcher.joins(ada, room)
    await sockets[0].disconnect()
    # Another lock that expires after the grace of 1.5 s and a sweep: what was to go has gone by then.
    await _accepted(ada.http.post(f"/api/rooms/{room}/locks/other/acquire", json={"client": "x", "ttlSeconds": 2.5}))
    await watcher.until("lock:changed", lambda body: body["target"] == "other" and body["holder"] is None, within=15)
    kept = await ada.http.post(f"/api/rooms/{room}/locks/trajectory/refresh", json={"token": lock["token"]})
    assert kept.status_code == 200, kept.text
    await sockets[1].disconnect()
    await watcher.leaves()


async def _accepted(request: Any) -> Any:
    answer = await request
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None
