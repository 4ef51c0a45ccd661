"""Postings, schemas of extensions and API tokens that change at one server do so at the other."""

from __future__ import annotations

import time
from typing import Any

from tests.acceptance.live import PlainWorker, Someone, Watcher, eventually
from tests.acceptance.replicas.conftest import Replicas


async def test_a_posting_at_one_server_is_followed_at_the_other(replicas: Replicas, ada: Someone) -> None:
    there = await Someone.signs_in(replicas.second, ada.name)
    room = await ada.makes_room("posting-across")
    worker = await PlainWorker.online(there, room, "Relax")
    near, far = await Watcher.joins(ada, room), await Watcher.joins(there, room)
    made = await ada.http.post(
        f"/api/rooms/{room}/extensions/modifiers/Relax/sweep", json={"jobs": [{"n": n} for n in range(5)]}
    )
    posting = made.json()["postingId"]
    for some, done in ((2, 2), (3, 5)):
        for _ in range(some):
            await worker.runs(await worker.gets(within=10))
        for watcher in (near, far):
            told = await watcher.until("posting:changed", lambda body, done=done: body["completed"] == done, within=10)
            assert (told["postingId"], told["total"]) == (posting, 5)
    for watcher in (near, far):
        await watcher.until("posting:changed", lambda body: body["status"] == "completed", within=10)
    assert (await there.get(f"/api/postings/{posting}"))["completed"] == 5
    for one in (near, far, worker):
        await one.leaves()
    await there.close()


async def test_a_schema_that_changes_at_one_server_holds_at_the_other(replicas: Replicas, ada: Someone) -> None:
    there = await Someone.signs_in(replicas.second, ada.name)
    room = await ada.makes_room("schema-across")
    near, far = await Watcher.joins(ada, room), await Watcher.joins(there, room)
    first = await PlainWorker.online(ada, room, "Relax")
    for someone in (ada, there):  # both servers know the first schema
        await someone.submits(room, "Relax", {"n": 1})
        await first.runs(await first.gets())
    left = await ada.http.delete(f"/api/workers/{first.id}", headers={"Authorization": f"Bearer {first.token}"})
    assert left.status_code == 204, left.text
    await first.leaves()
    heard = [len(_changes(watcher)) for watcher in (near, far)]
    words = {"type": "object", "properties": {"n": {"type": "string"}}, "additionalProperties": False}
    second = await PlainWorker.online(there, room, "Relax", schema=words)

    async def told() -> list[int]:
        return [len(_changes(watcher)) for watcher in (near, far)]

    await eventually(told, lambda now: all(n > before for n, before in zip(now, heard, strict=True)))
    for someone in (ada, there):
        refused = await someone.http.post(
            f"/api/rooms/{room}/extensions/modifiers/Relax/submit", json={"data": {"n": 1}}
        )
        assert refused.status_code == 422, refused.text
        job_id = (await someone.submits(room, "Relax", {"n": "one"}))["jobId"]
        job = await second.gets()
        assert (job["jobId"], job["data"]) == (job_id, {"n": "one"})
        await second.runs(job)
        (listed,) = (await someone.get(f"/api/rooms/{room}/extensions", category="modifiers"))["items"]
        assert listed["schema"] == words
    for one in (near, far, second):
        await one.leaves()
    await there.close()


async def test_an_api_token_that_is_revoked_at_one_server_ends_at_the_other(replicas: Replicas, name: str) -> None:
    admin = await Someone.admin(replicas.first)
    password = "p" * 12
    user = {"name": f"owner-{name}", "role": "user", "password": password}
    assert (await admin.http.post("/api/users", json=user)).status_code == 201
    owner = await Someone.signs_in(replicas.first, user["name"], password)
    room = await owner.makes_room(f"token-{name}", "private")
    body = {"name": "program", "scopes": ["read", "write", "worker"]}
    made = await owner.http.post("/api/users/me/tokens", json=body)
    program = Someone(replicas.second, made.json()["token"], {"id": owner.id, "name": owner.name})
    worker = await PlainWorker.online(program, room, "Relax")
    watcher = await Watcher.joins(program, room)
    assert (await program.http.get(f"/api/rooms/{room}")).status_code == 200
    assert (await owner.http.delete("/api/users/me/tokens/program")).status_code == 204
    began = time.monotonic()

    async def is_over() -> tuple[Any, ...]:
        answer = await program.http.get(f"/api/rooms/{room}")
        return answer.status_code, worker.sio.connected, watcher.sio.connected

    await eventually(is_over, lambda seen: seen == (401, False, False), within=5)
    print(f"\na revoked token ended at the other server within {time.monotonic() - began:.2f} s")
    job = await owner.submits(room, "Relax", {"n": 1})
    assert job["status"] == "pending", "its worker has ended"
    for one in (watcher, worker):
        await one.leaves()
    for someone in (program, owner, admin):
        await someone.close()


def _changes(watcher: Watcher) -> list[dict[str, Any]]:
    return [body for name, body in watcher.heard if name == "extensions:changed"]
