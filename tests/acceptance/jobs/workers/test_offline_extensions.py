"""Extensions stay known when their last worker has left: real worker processes come and go."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.live import PROGRAM, ROOT, LiveServer, PlainWorker, Someone, eventually, plain_socket

SECONDS = 4.0
SOURCE = """
from workroom import Category, Extension

class Stretch(Extension):
    category = Category.MODIFIER
    {field}: float = 1.0

    def run(self, vis, **kwargs):
        return self.{field}
"""
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture(scope="module")
def brief_server() -> Generator[LiveServer]:
    """A server that keeps offline extensions for seconds."""
    live = LiveServer(WORKROOM_OFFLINE_EXTENSION_DAYS=str(SECONDS / 86_400)).start()
    yield live
    live.remove()


@pytest.fixture
def start(tmp_path: Path) -> Generator[Start]:
    """Starts `workroom worker` for a class Stretch with one field of this name."""
    started: list[subprocess.Popen[str]] = []

    def begin(owner: Someone, room: str, field: str = "factor") -> subprocess.Popen[str]:
        source = tmp_path / f"stretch_{field}.py"
        source.write_text(SOURCE.format(field=field))
        options = ["--room", room, "--url", owner.server.url, "--user", owner.name]
        command = [sys.executable, *PROGRAM, "worker", str(source), *options]
        started.append(subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
async def owner(server: LiveServer, name: str) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, f"owner-of-{name}")
    yield someone
    await someone.close()


async def _listed(someone: Someone, room: str) -> dict[str, Any] | None:
    items = (await someone.get(f"/api/rooms/{room}/extensions"))["items"]
    return next((one for one in items if one["name"] == "Stretch"), None)


async def _is(someone: Someone, room: str, state: str | None) -> dict[str, Any]:
    def fits(found: dict[str, Any] | None) -> bool:
        if state == "offline":  # the next sweep notes since when
            return found is not None and found["state"] == state and found["lastOfferedAt"] is not None
        return (found and found["state"]) == state

    return await eventually(lambda: _listed(someone, room), fits, 30, f"{state}")


async def _comes_and_goes(start: Start, someone: Someone, room: str) -> None:
    worker = start(someone, room)
    await _is(someone, room, "online")
    worker.terminate()
    await asyncio.to_thread(worker.wait, 20)


async def test_a_job_waits_for_the_next_worker_and_the_answer_says_who_offered_it_last(
    server: LiveServer, owner: Someone, name: str, start: Start
) -> None:
    room = await owner.makes_room(name)
    changes: asyncio.Queue[Any] = asyncio.Queue()
    socket = plain_socket()
    socket.on("extensions:changed", changes.put_nowait)
    await socket.connect(server.url, auth={"token": owner.token}, transports=["websocket"])
    try:
        assert (await socket.call("room:join", {"room": room}))["ok"]
        worker = start(owner, room)
        await _is(owner, room, "online")
        while not changes.empty():
            changes.get_nowait()
        worker.terminate()
        await asyncio.to_thread(worker.wait, 20)
        offline = await _is(owner, room, "offline")
        await asyncio.wait_for(changes.get(), 10)
        assert offline["lastOfferedBy"] == owner.name and offline["lastOfferedAt"] and offline["removable"]
        told = await owner.submits(room, "Stretch", {"factor": 2.5})
        assert (told["status"], told["waitingFor"]) == ("pending", "no_worker")
        assert told["waitingText"].startswith(f"Stretch is offline: last offered by {owner.name}, until 20")
        start(owner, room)
        assert (await owner.sees(told["jobId"], "completed", "failed", within=30))["result"] == 2.5
        assert (await _is(owner, room, "online"))["lastOfferedAt"] is None
    finally:
        await socket.disconnect()


async def test_it_goes_when_its_time_is_over_and_no_job_waits(
    brief_server: LiveServer, name: str, start: Start
) -> None:
    someone = await Someone.signs_in(brief_server, "ada")
    try:
        room = await someone.makes_room(name)
        await _comes_and_goes(start, someone, room)
        job = (await someone.submits(room, "Stretch"))["jobId"]
        await asyncio.sleep(SECONDS + 2)  # its time is over, and several sweeps have looked for what to remove
        assert (await _is(someone, room, "offline"))["pendingJobs"] == 1
        assert (await someone.http.delete(f"/api/jobs/{job}")).status_code == 200
        await _is(someone, room, None)
        refused = await someone.http.post(f"/api/rooms/{room}/extensions/modifiers/Stretch/submit", json={"data": {}})
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    finally:
        await someone.close()


async def test_its_owner_and_owners_of_the_room_remove_it_and_others_may_not(
    server: LiveServer, ada: Someone, owner: Someone, admin: Someone, name: str, workers: list[PlainWorker]
) -> None:
    room = await ada.makes_room(name)
    assert (await ada.http.patch(f"/api/rooms/{room}", json={"extensionsFrom": "guests"})).status_code == 200
    path = f"/api/rooms/{room}/extensions/modifiers/Stretch"
    other = await Someone.signs_in(server, f"other-{name}")
    try:
        for remover in (owner, ada, admin):
            worker = await PlainWorker.online(owner, room, "Stretch")
            workers.append(worker)
            busy = await remover.http.delete(path)
            assert (busy.status_code, busy.json()["code"]) == (409, "wrong_state"), "it has a worker"
            assert (await owner.http.delete(f"/api/workers/{worker.id}")).status_code == 204
            job = (await owner.submits(room, "Stretch"))["jobId"]
            assert (await other.http.delete(path)).status_code == 403
            listed = await _listed(other, room)
            assert listed is not None and not listed["removable"]
            gone = await remover.http.delete(path, params={"scope": "room"})
            assert gone.status_code == 204, gone.text
            assert await _listed(owner, room) is None
            assert (await owner.job(job))["status"] == "cancelled"
            assert (await remover.http.delete(path)).status_code == 404
    finally:
        await other.close()


async def test_another_schema_replaces_it_and_cancels_what_was_checked_against_the_former(
    owner: Someone, name: str, start: Start
) -> None:
    room = await owner.makes_room(name)
    await _comes_and_goes(start, owner, room)
    before = await _is(owner, room, "offline")
    job = (await owner.submits(room, "Stretch", {"factor": 2.0}))["jobId"]
    start(owner, room, "scale")
    after = await _is(owner, room, "online")
    assert after["schemaHash"] != before["schemaHash"] and list(after["schema"]["properties"]) == ["scale"]
    assert (await owner.job(job))["status"] == "cancelled"
    retried = await owner.http.post(f"/api/jobs/{job}/retry")
    assert (retried.status_code, retried.json()["code"]) == (422, "invalid_arguments"), "checked against the new one"
