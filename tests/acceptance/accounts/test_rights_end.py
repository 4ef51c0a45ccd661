"""Rights end when they end: within a second, for requests, open sockets, workers, job tokens and retries."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any
from uuid import UUID

import httpx2
import numpy as np
import pytest
from socketio.exceptions import ConnectionError as RefusedByServer
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, eventually, plain_socket

from workroom.server.auth.tokens import JobToken, PersonToken, TokenIssuer, WorkerToken
from workroom.wire.frames import encode, framed

# In every run the machine has other work to do; the campaign holds the server to one second.
WITHIN = 1.0 if os.environ.get("WORKROOM_TEST_QUIET") else 2.0
CALL: dict[str, Any] = {}  # without arguments
REFUSED = {401, 403, 404, 409}
_numbers = count(1)


@dataclass
class Scene:
    """A room of ada's in which bob reads, listens, runs a worker and has jobs."""

    server: LiveServer
    admin: Someone
    ada: Someone
    bob: Someone
    room: str
    worker: PlainWorker  # bob's
    job: dict[str, Any]  # of ada's, running at bob's worker
    done: str  # a job of bob's that has ended
    posting: str  # of bob's in the room, waiting
    watcher: Watcher  # bob's socket in the room
    job_watcher: Watcher  # a socket in the room that connected with the job's token

    @classmethod
    async def laid(cls, server: LiveServer, visibility: str) -> Scene:
        number = next(_numbers)
        admin = await Someone.admin(server)
        made = await admin.http.post("/api/users", json={"name": f"bob-{number}", "role": "user", "password": "p" * 12})
        assert made.status_code == 201, made.text
        ada = await Someone.signs_in(server, f"rights-ada-{number}")
        bob = await Someone.signs_in(server, f"bob-{number}", "p" * 12)
        room = await ada.makes_room(f"rights-{number}", visibility)
        if visibility == "private":
            await _accepted(ada.http.put(f"/api/rooms/{room}/members/{bob.name}", json={"rights": "write"}))
        else:
            await ada.http.patch(f"/api/rooms/{room}", json={"extensionsFrom": "guests"})
        worker = await PlainWorker.online(bob, room, "Melt", capacity=2)
        done = (await bob.submits(room, "Melt"))["jobId"]
        await worker.runs(await worker.gets())
        await ada.submits(room, "Melt")
        job = await worker.gets()
        assert (await worker.says(job, "running"))["ok"]
        posted = await bob.http.post("/api/postings", json={"function": "rights_nowhere", "room": room, "jobs": [CALL]})
        assert posted.status_code == 201, posted.text
        watcher = await Watcher.joins(bob, room)
        job_watcher = await _watches(server, job["jobToken"], room)
        posting = posted.json()["postingId"]
        return cls(server, admin, ada, bob, room, worker, job, done, posting, watcher, job_watcher)

    async def ends(self) -> None:
        await self.worker.leaves()
        for socket in (self.watcher.sio, self.job_watcher.sio):
            if socket.connected:
                await socket.disconnect()
        for someone in (self.admin, self.ada, self.bob):
            await someone.close()


async def _accepted(request: Awaitable[httpx2.Response]) -> None:
    answer = await request
    assert answer.status_code < 300, answer.text


async def _watches(server: LiveServer, token: str, room: str) -> Watcher:
    watcher = Watcher()
    await watcher.sio.connect(server.url, auth={"token": token}, transports=["websocket"])
    answer = await watcher.sio.call("room:join", {"room": room})
    assert answer["ok"], answer
    return watcher


async def _put_out(scene: Scene) -> None:
    await _accepted(scene.ada.http.delete(f"/api/rooms/{scene.room}/members/{scene.bob.name}"))


async def _lowered(scene: Scene) -> None:
    """To a reader, who may neither run jobs nor offer extensions, but still listen."""
    url = f"/api/rooms/{scene.room}/members/{scene.bob.name}"
    await _accepted(scene.ada.http.put(url, json={"rights": "read"}))


async def _made_private(scene: Scene) -> None:
    await _accepted(scene.ada.http.patch(f"/api/rooms/{scene.room}", json={"visibility": "private"}))


async def _disabled(scene: Scene) -> None:
    await _accepted(scene.admin.http.patch(f"/api/users/{scene.bob.id}", json={"disabled": True}))


async def _reset(scene: Scene) -> None:
    await _accepted(scene.admin.http.post(f"/api/users/{scene.bob.id}/reset"))


async def _new_password(scene: Scene) -> None:
    body = {"password": "q" * 12, "oldPassword": "p" * 12}
    await _accepted(scene.bob.http.patch(f"/api/users/{scene.bob.id}", json=body))


WAYS: dict[str, tuple[str, Callable[[Scene], Awaitable[None]]]] = {
    "put out": ("private", _put_out),
    "made private": ("public", _made_private),
    "disabled": ("private", _disabled),
    "reset": ("private", _reset),
    "new password": ("private", _new_password),
}


@pytest.fixture
async def scenes(server: LiveServer) -> AsyncGenerator[Callable[[str], Awaitable[Scene]]]:
    laid: list[Scene] = []

    async def lay(visibility: str) -> Scene:
        laid.append(await Scene.laid(server, visibility))
        return laid[-1]

    yield lay
    for scene in laid:
        await scene.ends()


async def _is_refused(deadline: float, ask: Callable[[], Awaitable[httpx2.Response]]) -> int:
    """The status with which the request is refused, at the latest at the deadline."""
    while True:
        answer = await ask()
        if answer.status_code in REFUSED:
            return answer.status_code
        assert time.monotonic() < deadline, f"{answer.request.method} {answer.request.url.path}: {answer.status_code}"
        await asyncio.sleep(0.02)


async def _until_closed(socket: Any, deadline: float) -> None:
    """Until the socket is closed, at most until the deadline."""

    async def connected() -> bool:
        return bool(socket.connected)

    with contextlib.suppress(AssertionError):
        await eventually(connected, lambda still: not still, max(0.0, deadline - time.monotonic()))


async def _hears_no_more(scene: Scene, watcher: Watcher, deadline: float) -> None:
    """What is said after the deadline reaches ada, and not this socket."""
    await _until_closed(watcher.sio, deadline)
    inside = await Watcher.joins(scene.ada, scene.room)
    text = f"a secret {time.monotonic()}"
    await _accepted(scene.ada.http.post(f"/api/rooms/{scene.room}/chat", json={"text": text}))
    await inside.until("chat:message", lambda body: body["text"] == text)
    if watcher.sio.connected:
        # An answer arrives after everything that was sent to this socket before.
        await watcher.sio.call("room:leave", {"room": "nowhere"})
    assert text not in [body.get("text") for _, body in watcher.heard]
    await inside.leaves()


async def _gets_no_more_jobs(scene: Scene, deadline: float) -> None:
    """A worker of ada's gets all further jobs."""
    await asyncio.sleep(max(0.0, deadline - time.monotonic()))
    own = await PlainWorker.online(scene.ada, scene.room, "Melt", capacity=6)
    try:
        await own.is_seen("idle")
        sent = {(await scene.ada.submits(scene.room, "Melt"))["jobId"] for _ in range(6)}
        got = {(await own.gets())["jobId"] for _ in range(6)}
    finally:
        await own.leaves()
    assert got == sent
    assert scene.worker.assigned.empty()


async def _job_token_is_refused(scene: Scene, token: str, deadline: float) -> None:
    async with httpx2.AsyncClient(
        base_url=scene.server.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False
    ) as http:
        requests: list[tuple[str, str, dict[str, Any] | None]] = [
            ("GET", f"/api/rooms/{scene.room}", None),
            ("GET", f"/api/rooms/{scene.room}/chat", None),
            ("POST", f"/api/rooms/{scene.room}/chat", {"text": "from a job"}),
            ("PUT", f"/api/rooms/{scene.room}/step", {"step": 0}),
            ("POST", "/api/postings", {"function": "rights_nowhere", "jobs": [CALL]}),
            ("GET", "/api/postings", None),
        ]
        for method, path, body in requests:
            await _is_refused(deadline, partial(http.request, method, path, json=body))


async def _bob_is_refused(scene: Scene, deadline: float) -> None:
    http = scene.bob.http
    for method, path in (
        ("GET", f"/api/rooms/{scene.room}"),
        ("GET", f"/api/rooms/{scene.room}/jobs"),
        ("GET", f"/api/jobs/{scene.done}"),
        ("GET", f"/api/jobs/{scene.done}/logs"),
        ("DELETE", f"/api/jobs/{scene.done}"),
        ("POST", f"/api/jobs/{scene.done}/retry"),
        ("GET", f"/api/postings/{scene.posting}"),
        ("GET", f"/api/postings/{scene.posting}/jobs"),
        ("GET", f"/api/postings/{scene.posting}/results"),
        ("POST", f"/api/postings/{scene.posting}/pause"),
        ("POST", f"/api/postings/{scene.posting}/resume"),
        ("POST", f"/api/postings/{scene.posting}/failures/retry"),
        ("POST", f"/api/postings/{scene.posting}/cancel"),
    ):
        status = await _is_refused(deadline, partial(http.request, method, path))
        assert status in (401, 404), (method, path, status)
    for path, key in (("/api/postings", "postingId"), (f"/api/users/{scene.bob.id}/jobs", "jobId")):
        listed = await http.get(path)
        if listed.status_code == 200:
            assert not {scene.posting, scene.done} & {one[key] for one in listed.json()["items"]}
    offer = {"name": "Melt", "category": "modifiers", "schema": {"type": "object"}}
    again = {"room": scene.room, "extensions": [offer], "workerId": scene.worker.id}
    assert (await http.post("/api/workers/register", json=again)).status_code in (401, 403, 404)


@pytest.mark.parametrize("way", WAYS)
async def test_a_person_who_lost_the_rights_is_refused_everywhere(
    scenes: Callable[[str], Awaitable[Scene]], way: str
) -> None:
    visibility, end = WAYS[way]
    scene = await scenes(visibility)
    lock = f"/api/rooms/{scene.room}/locks"
    await _accepted(scene.bob.http.post(f"{lock}/trajectory/acquire", json={"client": "bob", "ttlSeconds": 300}))
    await end(scene)
    deadline = time.monotonic() + WITHIN
    assert (await scene.ada.get(lock))["items"] == [], "ada need not wait for the lock to expire"
    await _bob_is_refused(scene, deadline)
    await _job_token_is_refused(scene, scene.job["jobToken"], deadline)
    await _hears_no_more(scene, scene.watcher, deadline)
    await _hears_no_more(scene, scene.job_watcher, deadline)
    lost = await scene.ada.sees(scene.job["jobId"], "failed", within=max(0.1, deadline + 1 - time.monotonic()))
    assert lost["error"]["reason"] == "worker_lost"
    heartbeat = await scene.bob.http.put(
        f"/api/workers/{scene.worker.id}/heartbeat", headers={"Authorization": f"Bearer {scene.worker.token}"}
    )
    assert heartbeat.status_code in REFUSED
    seen = await scene.bob.http.get(
        f"/api/jobs/{scene.done}", headers={"Authorization": f"Bearer {scene.worker.token}"}
    )
    assert seen.status_code in REFUSED, "the worker's token reads no job of the room"
    await _gets_no_more_jobs(scene, deadline)


async def test_a_removed_member_cannot_come_back_by_a_link_from_before(
    scenes: Callable[[str], Awaitable[Scene]],
) -> None:
    scene = await scenes("private")
    links = f"/api/rooms/{scene.room}/links"
    before = (await scene.ada.http.post(links, json={"rights": "write"})).json()["link"]
    url = f"/api/rooms/{scene.room}/members/{scene.bob.name}"
    await _accepted(scene.ada.http.put(url, json={"rights": "own"}))
    of_bob = (await scene.bob.http.post(links, json={"rights": "write"})).json()["link"]
    await _put_out(scene)
    refused = await scene.bob.http.post("/api/join", json={"link": before})
    assert refused.status_code == 403 and "new link" in refused.json()["detail"], refused.text
    carol = await Someone.signs_in(scene.server, f"carol-{scene.bob.name}")
    try:
        assert (await carol.http.post("/api/join", json={"link": of_bob})).status_code == 404, (
            "links of bob are deleted"
        )
        assert (await carol.http.post("/api/join", json={"link": before})).status_code == 200
    finally:
        await carol.close()
    after = (await scene.ada.http.post(links, json={"rights": "read"})).json()["link"]
    assert (await scene.bob.http.post("/api/join", json={"link": after})).status_code == 200


async def test_an_upload_that_is_under_way_is_refused_at_its_end(scenes: Callable[[str], Awaitable[Scene]]) -> None:
    scene = await scenes("private")
    frame = b"".join(framed(encode({"arrays.numbers": np.ones(3, int), "arrays.positions": np.zeros((3, 3))})))
    sent, put_out = asyncio.Event(), asyncio.Event()

    async def body() -> AsyncGenerator[bytes]:
        yield frame
        sent.set()
        await put_out.wait()
        yield frame

    upload = asyncio.create_task(scene.bob.http.post(f"/api/rooms/{scene.room}/frames", content=body()))
    await sent.wait()
    await _put_out(scene)
    await asyncio.sleep(0.6)  # an upload shorter than this is authorised only when it begins
    put_out.set()
    assert (await upload).status_code == 404
    assert (await scene.ada.get(f"/api/rooms/{scene.room}/state"))["length"] == 0


async def test_a_member_lowered_to_a_reader_runs_no_more_jobs(scenes: Callable[[str], Awaitable[Scene]]) -> None:
    scene = await scenes("private")
    await _lowered(scene)
    deadline = time.monotonic() + WITHIN
    await _job_token_is_refused(scene, scene.job["jobToken"], deadline)
    for path in (f"/api/jobs/{scene.done}/retry", f"/api/postings/{scene.posting}/resume"):
        assert (await scene.bob.http.post(path)).status_code == 403
    assert (await scene.bob.http.get(f"/api/jobs/{scene.done}")).status_code == 200
    await _gets_no_more_jobs(scene, deadline)


async def test_sockets_workers_and_job_tokens_end_with_the_expiry_of_their_token(
    scenes: Callable[[str], Awaitable[Scene]],
) -> None:
    scene = await scenes("private")
    issuer = TokenIssuer((scene.server.data / "secret-key").read_text().strip())
    job_token = JobToken(UUID(scene.job["jobId"]), UUID(scene.worker.id), scene.job["attempt"], scene.room)
    until = time.time() + 2  # `exp` is in whole seconds
    person = issuer.issue(PersonToken(UUID(scene.bob.id), 0), 2)
    short = {"worker": issuer.issue(WorkerToken(UUID(scene.worker.id), scene.worker.incarnation), 2)}
    short["job"] = issuer.issue(job_token, 2)
    person_watcher = await _watches(scene.server, person, scene.room)
    job_watcher = await _watches(scene.server, short["job"], scene.room)
    scene.worker.silent = True
    await scene.worker.reconnects(short["worker"])
    await asyncio.sleep(max(0.0, until - time.time()))
    deadline = time.monotonic() + WITHIN
    async with httpx2.AsyncClient(
        base_url=scene.server.url, headers={"Authorization": f"Bearer {person}"}, trust_env=False
    ) as http:
        for method, path in (("GET", f"/api/rooms/{scene.room}"), ("POST", f"/api/jobs/{scene.done}/retry")):
            assert await _is_refused(deadline, partial(http.request, method, path)) == 401
    await _job_token_is_refused(scene, short["job"], deadline)
    await _hears_no_more(scene, person_watcher, deadline)
    await _hears_no_more(scene, job_watcher, deadline)
    assert not person_watcher.sio.connected and not job_watcher.sio.connected
    while scene.worker.sio.connected and time.monotonic() < deadline:  # noqa: ASYNC110 - the client tells nobody
        await asyncio.sleep(0.02)
    assert not scene.worker.sio.connected
    await _gets_no_more_jobs(scene, deadline)


async def test_a_worker_that_sends_heartbeats_keeps_its_socket_past_the_expiry_of_its_first_token(
    scenes: Callable[[str], Awaitable[Scene]],
) -> None:
    scene = await scenes("private")
    issuer = TokenIssuer((scene.server.data / "secret-key").read_text().strip())
    scene.worker.silent = True
    expires = time.time() + 2.0
    await scene.worker.reconnects(issuer.issue(WorkerToken(UUID(scene.worker.id), scene.worker.incarnation), 2))
    while time.time() < expires + WITHIN:
        headers = {"Authorization": f"Bearer {scene.worker.token}"}
        answer = await scene.bob.http.put(f"/api/workers/{scene.worker.id}/heartbeat", headers=headers)
        assert answer.status_code == 200, answer.text
        scene.worker.token = answer.json()["workerToken"]
        assert scene.worker.sio.connected
        await asyncio.sleep(0.1)


async def test_everything_of_a_job_ends_with_the_job(scenes: Callable[[str], Awaitable[Scene]]) -> None:
    scene = await scenes("private")
    assert (await scene.worker.says(scene.job, "completed"))["ok"]
    deadline = time.monotonic() + WITHIN
    await _job_token_is_refused(scene, scene.job["jobToken"], deadline)
    await _hears_no_more(scene, scene.job_watcher, deadline)
    assert not scene.job_watcher.sio.connected
    assert (await scene.worker.says(scene.job, "failed", error={"type": "E", "message": "m"}))["ok"] is False
    retried = await scene.bob.http.post(
        f"/api/jobs/{scene.job['jobId']}/retry", headers={"Authorization": f"Bearer {scene.job['jobToken']}"}
    )
    assert retried.status_code in REFUSED
    client = plain_socket()
    with pytest.raises(RefusedByServer):
        await client.connect(scene.server.url, auth={"token": scene.job["jobToken"]}, transports=["websocket"])


async def test_a_job_whose_submitter_was_put_out_cannot_read_the_room(
    scenes: Callable[[str], Awaitable[Scene]],
) -> None:
    scene = await scenes("private")
    own = await PlainWorker.online(scene.ada, scene.room, "Freeze")
    await scene.bob.submits(scene.room, "Freeze")
    job = await own.gets()
    assert (await own.says(job, "running"))["ok"]
    watcher = await _watches(scene.server, job["jobToken"], scene.room)
    await _put_out(scene)
    deadline = time.monotonic() + WITHIN
    await _job_token_is_refused(scene, job["jobToken"], deadline)
    await _hears_no_more(scene, watcher, deadline)
    assert (await own.says(job, "completed"))["ok"], "the worker is ada's, and reports as before"
    await watcher.leaves()
    await own.leaves()
