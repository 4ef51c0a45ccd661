"""Locks by REST and by socket, against a live server."""

from __future__ import annotations

import time
from typing import Any

from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, eventually, plain_socket


async def acquires(someone: Someone, room: str, target: str = "trajectory", **options: Any) -> Any:
    return await someone.http.post(f"/api/rooms/{room}/locks/{target}/acquire", json=options)


async def bob_of(ada: Someone) -> Someone:
    return await Someone.signs_in(ada.server, f"bob-of-{ada.name}")


async def test_a_lock_is_granted_once_kept_and_given_back_and_everybody_hears_of_it(ada: Someone, room: str) -> None:
    bob = await bob_of(ada)
    watcher = await Watcher.joins(bob, room)
    first = (await acquires(ada, room, message="Uploading", client="one")).json()
    assert first["holder"] == {"id": ada.id, "name": ada.name}
    assert (first["message"], first["ttlSeconds"], first["jobId"]) == ("Uploading", 60, None)
    heard = await watcher.until("lock:changed", lambda body: body["message"] == "Uploading")
    assert (heard["room"], heard["target"], heard["holder"]["name"]) == (room, "trajectory", ada.name)
    assert "token" not in heard and first["token"] not in str(await bob.get(f"/api/rooms/{room}/locks"))

    again = (await acquires(ada, room, client="one")).json()
    assert (again["token"], again["fence"], again["message"]) == (first["token"], first["fence"], "Uploading")
    for someone, client in ((bob, "one"), (ada, "two"), (bob, None)):
        refused = await acquires(someone, room, **({"client": client} if client else {}))
        assert refused.status_code == 423
        told = refused.json()
        assert (told["code"], told["holder"], told["message"]) == ("locked", ada.name, "Uploading")

    at = f"/api/rooms/{room}/locks/trajectory"
    kept = await ada.http.post(f"{at}/refresh", json={"token": first["token"], "message": "Half of it"})
    assert kept.json()["message"] == "Half of it" and kept.json()["expiresAt"] > first["expiresAt"]
    assert (await bob.get(f"/api/rooms/{room}/locks"))["items"][0]["message"] == "Half of it"
    for verb in ("refresh", "release"):
        foreign = await bob.http.post(f"{at}/{verb}", json={"token": "guessed"})
        assert (foreign.status_code, foreign.json()["code"]) == (409, "lock_lost")
    assert (await ada.http.post(f"{at}/release", json={"token": first["token"]})).status_code == 204
    await watcher.until("lock:changed", lambda body: body["holder"] is None)
    assert (await ada.http.post(f"{at}/release", json={"token": first["token"]})).status_code == 409
    assert (await bob.get(f"/api/rooms/{room}/locks"))["items"] == []

    second = (await acquires(bob, room, client="one")).json()
    assert second["fence"] > first["fence"] and second["token"] != first["token"]
    await watcher.leaves()
    await bob.close()


async def test_a_lock_lasts_a_minute_and_five_at_most(ada: Someone, room: str) -> None:
    assert (await acquires(ada, room, client="x", ttlSeconds=300)).json()["ttlSeconds"] == 300
    for wrong in ({"ttlSeconds": 301}, {"ttlSeconds": 0}, {"message": "x" * 1001}, {"client": ""}, {"unknown": 1}):
        assert (await acquires(ada, room, "other", **wrong)).status_code == 422
    assert (await acquires(ada, room, "x" * 101)).status_code == 422
    assert (await acquires(ada, room, "frame_selection")).json()["target"] == "frame-selection"
    assert (await acquires(ada, room, "anything else")).json()["target"] == "anything else"


async def test_an_expired_lock_is_announced_and_free(ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    first = (await acquires(ada, room, client="one", ttlSeconds=0.3)).json()
    await watcher.until("lock:changed", lambda body: body["holder"] is None)
    lost = await ada.http.post(f"/api/rooms/{room}/locks/trajectory/refresh", json={"token": first["token"]})
    assert (lost.status_code, lost.json()["code"]) == (409, "lock_lost")
    assert (await acquires(ada, room, client="two")).json()["fence"] > first["fence"]
    await watcher.leaves()


async def test_locks_by_socket(ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    call = watcher.sio.call
    granted = await call("lock:acquire", {"room": room, "target": "figures", "message": "Drawing"})
    assert granted["ok"] and granted["token"] and granted["fence"]
    assert (await call("lock:acquire", {"room": room, "target": "figures"}))["token"] == granted["token"]
    refused = await (other := await Watcher.joins(ada, room)).sio.call(
        "lock:acquire", {"room": room, "target": "figures"}
    )
    assert (refused["ok"], refused["code"], refused["status"], refused["holder"]) == (False, "locked", 423, ada.name)
    named = {"room": room, "target": "figures", "token": granted["token"]}
    assert (await call("lock:refresh", named))["ok"]
    assert (await call("lock:msg", named | {"message": "Almost"}))["message"] == "Almost"
    await other.until("lock:changed", lambda body: body["message"] == "Almost")
    assert (await call("lock:release", named))["ok"]
    assert (await call("lock:release", named))["code"] == "lock_lost"
    await other.leaves()
    await watcher.leaves()


async def test_a_holder_that_disconnects_frees_its_lock_after_the_grace(ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    by_socket = await Watcher.joins(ada, room)
    assert (await by_socket.sio.call("lock:acquire", {"room": room, "target": "figures"}))["ok"]
    bound = plain_socket()
    await bound.connect(ada.server.url, auth={"token": ada.token, "client": "tab-1"}, transports=["websocket"])
    assert (await acquires(ada, room, client="tab-1")).status_code == 200
    await by_socket.leaves()
    await bound.disconnect()
    for target in ("figures", "trajectory"):
        await watcher.until("lock:changed", lambda body, t=target: body["target"] == t and body["holder"] is None)
    await watcher.leaves()


async def test_a_holder_that_comes_back_in_time_keeps_its_lock(ada: Someone, room: str) -> None:
    socket = plain_socket()
    await socket.connect(ada.server.url, auth={"token": ada.token}, transports=["websocket"])
    assert (await socket.call("room:join", {"room": room, "client": "tab-2"}))["ok"]
    lock = (await acquires(ada, room, client="tab-2", ttlSeconds=60)).json()
    for _ in range(10):
        again = plain_socket()
        left_at = time.monotonic()
        await socket.disconnect()
        await again.connect(ada.server.url, auth={"token": ada.token, "client": "tab-2"}, transports=["websocket"])
        socket = again
        if time.monotonic() - left_at < 1:  # in time, also on a machine that is busy
            break
        lock = (await acquires(ada, room, client="tab-2", ttlSeconds=60)).json()
    # Longer than the grace and a sweep: what was to go has gone by the time another lock has expired and is announced.
    watcher = await Watcher.joins(ada, room)
    assert (await acquires(ada, room, "other", ttlSeconds=2.5)).status_code == 200
    await watcher.until("lock:changed", lambda body: body["target"] == "other" and body["holder"] is None, within=8)
    kept = await ada.http.post(f"/api/rooms/{room}/locks/trajectory/refresh", json={"token": lock["token"]})
    assert kept.status_code == 200
    await socket.disconnect()
    await watcher.leaves()


async def test_a_jobs_lock_ends_with_its_attempt(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    await ada.submits(room, "Relax")
    job = await worker.gets()
    by_job = {"Authorization": f"Bearer {job['jobToken']}"}
    at = f"/api/rooms/{room}/locks/trajectory"
    granted = await ada.http.post(f"{at}/acquire", json={"client": "job"}, headers=by_job)
    assert granted.status_code == 200, granted.text
    assert (granted.json()["jobId"], granted.json()["holder"]["name"]) == (job["jobId"], ada.name)
    assert (await acquires(ada, room, client="job")).status_code == 423  # the same client's name, but not the job
    watcher = await Watcher.joins(ada, room)
    await worker.runs(job)
    assert (await acquires(ada, room, client="ada")).status_code == 200
    late = await ada.http.post(f"{at}/refresh", json={"token": granted.json()["token"]})
    assert (late.status_code, late.json()["code"]) == (409, "lock_lost")
    await watcher.leaves()


async def test_a_stranger_cannot_see_or_take_a_private_rooms_locks(server: LiveServer, ada: Someone) -> None:
    private = await ada.makes_room(f"{ada.name}-private", "private")
    stranger = await bob_of(ada)
    assert (await acquires(ada, private)).status_code == 200
    assert (await stranger.http.get(f"/api/rooms/{private}/locks")).status_code == 404
    assert (await acquires(stranger, private, "figures")).status_code == 404
    await stranger.close()


async def test_presence_tells_who_is_in_the_room(ada: Someone, room: str) -> None:
    bob = await bob_of(ada)
    watcher = await Watcher.joins(ada, room)
    second, third = await Watcher.joins(bob, room), await Watcher.joins(bob, room)
    everybody = [
        {"id": ada.id, "name": ada.name, "sockets": 1},
        {"id": bob.id, "name": bob.name, "sockets": 2},
    ]
    await watcher.until("presence:changed", lambda body: body == {"room": room, "people": everybody, "total": 2})
    assert (await bob.get(f"/api/rooms/{room}/presence"))["people"] == everybody
    await second.leaves()
    assert (await third.sio.call("room:leave", {"room": room}))["ok"]
    await watcher.until("presence:changed", lambda body: body["people"] == everybody[:1])
    seen = await eventually(lambda: bob.get(f"/api/rooms/{room}/presence"), lambda told: len(told["people"]) == 1)
    assert seen["people"] == everybody[:1]
    await third.leaves()
    await watcher.leaves()
    await bob.close()
