"""A job's token reaches its room and its job; a function worker runs what its owner posted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually, plain_socket

CALL: dict[str, Any] = {}  # without arguments


@pytest.fixture
async def guest(server: LiveServer, ada: Someone) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, f"guest-of-{ada.name}")
    yield someone
    await someone.close()


def _with(token: str, server: LiveServer) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=server.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False)


async def _offers_function(owner: Someone, name: str, room: str | None = None) -> PlainWorker:
    worker = PlainWorker(owner)
    offer: dict[str, Any] = {"name": name, "category": "functions", "schema": {}, "function": True, "tries": 1}
    answer = await owner.http.post("/api/workers/register", json={"room": room, "extensions": [offer], "capacity": 4})
    assert answer.status_code == 201, answer.text
    told = answer.json()
    worker.id, worker.token, worker.incarnation = told["workerId"], told["workerToken"], told["incarnation"]
    return await worker.attaches()


async def _job_at(worker: PlainWorker, submitter: Someone, room: str, name: str) -> dict[str, Any]:
    await submitter.submits(room, name)
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    return job


async def _posted(http: httpx2.AsyncClient, function: str, **more: Any) -> str:
    answer = await http.post("/api/postings", json={"function": function, "jobs": [CALL]} | more)
    assert answer.status_code == 201, answer.text
    return answer.json()["postingId"]


async def test_a_function_worker_runs_no_call_that_a_job_on_another_owners_worker_posted(
    server: LiveServer, ada: Someone, guest: Someone, workers: list[PlainWorker]
) -> None:
    """Ada submits a job to the guest's extension; the guest's worker posts a call in her name with its token."""
    function = f"reach-{ada.name}"
    room = await guest.makes_room(f"{guest.name}-room")
    stranger = await PlainWorker.online(guest, room, "Bait")
    functions = await _offers_function(ada, function)
    workers += [stranger, functions]
    job = await _job_at(stranger, ada, room, "Bait")
    async with _with(job["jobToken"], server) as http:
        foreign = await _posted(http, function)
    own = await _posted(ada.http, function)
    assert (await functions.gets())["jobId"] == own
    waiting = await ada.get(f"/api/postings/{foreign}")
    assert (waiting["status"], waiting["completed"]) == ("executing", 0)
    await asyncio.sleep(0.7)  # longer than a sweep, which matches again what waits
    assert functions.assigned.empty()


async def test_a_function_worker_runs_the_calls_that_a_job_on_a_worker_of_its_owner_posted(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    function = f"follow-up-{ada.name}"
    first = await PlainWorker.online(ada, room, "Parent")
    functions = await _offers_function(ada, function)
    workers += [first, functions]
    job = await _job_at(first, ada, room, "Parent")
    async with _with(job["jobToken"], server) as http:
        posting = await _posted(http, function)
    assert (await functions.gets())["jobId"] == posting


async def test_a_job_posts_in_its_own_room_only(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    other = await ada.makes_room(f"{ada.name}-elsewhere", "private")
    worker = await PlainWorker.online(ada, room, "Poster")
    workers.append(worker)
    job = await _job_at(worker, ada, room, "Poster")
    async with _with(job["jobToken"], server) as http:
        posting = await _posted(http, f"any-{ada.name}")
        refused = await http.post("/api/postings", json={"function": f"any-{ada.name}", "room": other, "jobs": [CALL]})
    assert (await ada.get(f"/api/postings/{posting}"))["room"] == room
    assert refused.status_code == 403 and room in refused.json()["detail"], refused.text


async def test_a_job_lists_the_postings_of_its_room_and_its_own(
    server: LiveServer, ada: Someone, guest: Someone, workers: list[PlainWorker]
) -> None:
    function = f"listed-{ada.name}"
    private = await ada.makes_room(f"{ada.name}-private", "private")
    room = await guest.makes_room(f"{guest.name}-room")
    worker = await PlainWorker.online(guest, room, "Lister")
    workers.append(worker)
    job = await _job_at(worker, ada, room, "Lister")
    hidden = {await _posted(ada.http, function, room=private), await _posted(ada.http, function)}
    in_room = await _posted(guest.http, function, room=room)
    async with _with(job["jobToken"], server) as http:
        own = await _posted(http, function)
        for query in ("", "?mine=true", f"?room={private}", f"?function={function}"):
            answer = await http.get(f"/api/postings{query}")
            assert answer.status_code == 200, answer.text
            assert not hidden & {one["postingId"] for one in answer.json()["items"]}, query
        listed = (await http.get("/api/postings")).json()["items"]
        mine = (await http.get("/api/postings?mine=true")).json()["items"]
        for posting in hidden:
            assert (await http.get(f"/api/postings/{posting}")).status_code == 404
            assert (await http.post(f"/api/postings/{posting}/cancel")).status_code == 404
    assert {own, in_room} <= {one["postingId"] for one in listed}
    assert [one["postingId"] for one in mine] == [own]


async def test_a_former_submitter_hears_no_progress_of_postings_in_the_room(
    server: LiveServer, ada: Someone, guest: Someone
) -> None:
    private = await ada.makes_room(f"{ada.name}-heard", "private")
    answer = await ada.http.put(f"/api/rooms/{private}/members/{guest.name}", json={"rights": "write"})
    assert answer.status_code < 300, answer.text
    posting = await _posted(guest.http, f"heard-{ada.name}", room=private)
    sio, heard = await _listens(server, guest.token)
    inside, seen = await _listens(server, ada.token, private)
    assert (await ada.http.delete(f"/api/rooms/{private}/members/{guest.name}")).status_code == 204
    heard.clear()
    assert (await ada.http.post(f"/api/postings/{posting}/pause")).status_code == 200

    async def statuses() -> list[str]:
        return [body["status"] for body in seen if body["postingId"] == posting]

    await eventually(statuses, lambda told: "paused" in told)
    assert [body for body in heard if body["postingId"] == posting] == []
    await sio.disconnect()
    await inside.disconnect()


async def _listens(server: LiveServer, token: str, room: str | None = None) -> tuple[Any, list[dict[str, Any]]]:
    heard: list[dict[str, Any]] = []

    async def hears(body: dict[str, Any]) -> None:
        heard.append(body)

    client = plain_socket()
    client.on("posting:changed", hears)
    await client.connect(server.url, auth={"token": token}, transports=["websocket"])
    if room is not None:
        assert (await client.call("room:join", {"room": room}))["ok"]
    return client, heard
