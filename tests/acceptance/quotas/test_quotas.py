"""Quotas of accounts and rooms: refused with the limit's name, shown to their owners, set by admins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from itertools import count
from typing import Any

import numpy as np
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually

from workroom.wire.frames import encode, framed

_numbers = count(1)
LIMITS = {
    "WORKROOM_QUOTA_ROOMS": "30",
    "WORKROOM_QUOTA_BYTES": "30000000",
    "WORKROOM_QUOTA_JOBS": "50",
    "WORKROOM_QUOTA_CALLS": "1000",
    "WORKROOM_QUOTA_WORKERS": "30",
    "WORKROOM_QUOTA_ROOM_BYTES": "2000000",
    "WORKROOM_QUOTA_ROOM_FRAMES": "500",
    "WORKROOM_QUOTA_GUEST_PERCENT": "10",
    "WORKROOM_CHAT_PER_MINUTE": "10",
}


@pytest.fixture(scope="module")
def small() -> Generator[LiveServer]:
    live = LiveServer(**LIMITS).start()
    yield live
    live.remove()


@pytest.fixture
async def root(small: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.admin(small)
    yield someone
    await someone.close()


@pytest.fixture
async def guest(small: LiveServer) -> AsyncGenerator[Someone]:
    """A guest who has used nothing yet."""
    someone = await Someone.signs_in(small, f"guest-{next(_numbers)}")
    yield someone
    await someone.close()


def frames(number: int, atoms: int) -> bytes:
    """Frames with random positions, as the client sends them."""
    out = bytearray()
    for n in range(number):
        positions = np.random.default_rng(n).random((atoms, 3))
        out += b"".join(framed(encode({"arrays.numbers": np.ones(atoms, int), "arrays.positions": positions})))
    return bytes(out)


async def quota(someone: Someone, path: str, name: str) -> dict[str, Any]:
    (found,) = [one for one in (await someone.get(f"{path}/quotas"))["items"] if one["name"] == name]
    return found


def refused(answer: Any, status: int, name: str, limit: int) -> None:
    body = answer.json()
    code = "storage_quota_exceeded" if status == 507 else "quota_exceeded"
    assert (answer.status_code, body["code"]) == (status, code), answer.text
    assert (body["quota"], body["limit"]) == (name, limit)
    assert f"`{name}`" in body["detail"] and f"{limit:,}" in body["detail"] and "set-quota" in body["detail"]


async def test_rooms_of_an_account_are_limited_also_at_once_and_an_admin_raises_the_limit(
    guest: Someone, root: Someone
) -> None:
    async def make(n: int) -> Any:
        return await guest.http.post("/api/rooms", json={"name": f"{guest.name}-{n}"})

    answers = await asyncio.gather(*(make(n) for n in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 5
    refused(next(answer for answer in answers if answer.status_code == 429), 429, "rooms", 3)
    own = f"/api/users/{guest.id}"
    assert await quota(guest, own, "rooms") | {"meaning": ""} == {"name": "rooms", "meaning": "", "used": 3, "limit": 3}
    assert (await guest.http.put(f"{own}/quotas", json={"limits": {"rooms": 9}})).status_code == 403
    raised = await root.http.put(f"{own}/quotas", json={"limits": {"rooms": 4}})
    assert raised.status_code == 200, raised.text
    assert [(await make(n)).status_code for n in (20, 21)] == [201, 429]
    assert (await root.http.put(f"{own}/quotas", json={"limits": {"rooms": None}})).status_code == 200
    assert (await quota(guest, own, "rooms"))["limit"] == 3
    room = next(answer.json()["name"] for answer in answers if answer.status_code == 201)
    assert (await guest.http.delete(f"/api/rooms/{room}")).status_code == 204
    audit = (await root.get("/api/admin/audit"))["items"]
    assert [one["detail"]["rooms"] for one in audit if one["act"] == "quota.account"][:2] == [None, 4]
    for limits in ({"no-such": 1}, {"rooms": -1}, {}):
        assert (await root.http.put(f"{own}/quotas", json={"limits": limits})).status_code in (400, 422)


async def test_bytes_of_a_room_and_of_its_owner_are_limited_and_counted(guest: Someone, root: Someone) -> None:
    rooms = [await guest.makes_room(f"{guest.name}-bytes-{n}") for n in range(3)]
    body = frames(10, 3_000)  # about a megabyte

    async def extend(room: str) -> Any:
        return await guest.http.post(f"/api/rooms/{room}/frames", params={"action": "extend"}, content=body)

    first = await extend(rooms[0])
    assert first.status_code < 300, first.text
    used = (await quota(guest, f"/api/rooms/{rooms[0]}", "bytes"))["used"]
    assert 0.9 * len(body) < used <= len(body)
    assert (await extend(rooms[0])).status_code < 300
    refused(await extend(rooms[0]), 507, "bytes", 2_000_000)
    assert (await guest.get(f"/api/rooms/{rooms[0]}/state"))["length"] == 20
    # The guest's own limit is 3 MB: two rooms of one and a half would be too much.
    assert (await extend(rooms[1])).status_code < 300
    refused(await extend(rooms[1]), 507, "bytes", 3_000_000)
    assert (await quota(guest, f"/api/users/{guest.id}", "bytes"))["used"] == 3 * used
    # Deleting a room frees its space, and a copy counts as much as its source.
    copy = await guest.http.post(f"/api/rooms/{rooms[1]}/duplicate", json={"name": f"{guest.name}-copy"})
    assert copy.status_code == 429, copy.text  # the fourth room
    assert (await guest.http.delete(f"/api/rooms/{rooms[0]}")).status_code == 204
    copy = await guest.http.post(f"/api/rooms/{rooms[1]}/duplicate", json={"name": f"{guest.name}-copy"})
    assert copy.status_code == 201, copy.text
    assert (await quota(guest, f"/api/rooms/{guest.name}-copy", "bytes"))["used"] == used
    largest = (await root.get("/api/admin/rooms"))["items"][0]
    assert largest["bytes"] >= used and largest["frames"] >= 10 and largest["owner"]
    assert (await guest.http.get("/api/admin/rooms")).status_code == 403


async def test_an_upload_that_is_too_large_is_stopped_and_leaves_nothing(guest: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-large")

    async def pieces() -> AsyncGenerator[bytes]:
        for _ in range(15):
            yield frames(10, 3_000)

    answer = await guest.http.post(f"/api/rooms/{room}/frames", params={"action": "extend"}, content=pieces())
    refused(answer, 507, "bytes", 2_000_000)
    assert (await quota(guest, f"/api/rooms/{room}", "bytes"))["used"] == 0
    small = await guest.http.post(f"/api/rooms/{room}/frames", params={"action": "extend"}, content=frames(1, 10))
    assert small.status_code < 300, small.text


async def test_uploads_at_the_same_time_do_not_exceed_the_quota_together(guest: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-together")
    body = frames(16, 3_000)  # long enough to be streamed, and one and a half megabytes

    async def extend() -> int:
        return (
            await guest.http.post(f"/api/rooms/{room}/frames", params={"action": "extend"}, content=body)
        ).status_code

    statuses = await asyncio.gather(*(extend() for _ in range(4)))
    assert sorted(statuses)[1:] == [507] * 3 and min(statuses) < 300
    assert (await quota(guest, f"/api/rooms/{room}", "bytes"))["used"] <= len(body)


async def test_frames_and_items_of_a_room_are_limited(guest: Someone, root: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-frames")
    url = f"/api/rooms/{room}/frames"
    assert (await guest.http.post(url, params={"action": "extend"}, content=frames(500, 1))).status_code < 300
    refused(await guest.http.post(url, params={"action": "append"}, content=frames(1, 1)), 507, "frames", 500)
    set_limit = await root.http.put(f"/api/rooms/{room}/quotas", json={"limits": {"bytes": 100_000, "frames": 501}})
    assert set_limit.status_code == 200, set_limit.text
    assert (await guest.http.post(url, params={"action": "append"}, content=frames(1, 1))).status_code < 300
    figure: dict[str, Any] = {"data": [{"type": "scatter", "y": [0.5] * 30_000}], "layout": {}}
    answer = await guest.http.put(f"/api/rooms/{room}/figures/large", json=figure)
    refused(answer, 507, "bytes", 100_000)


async def test_unfinished_jobs_of_an_account_are_limited_until_some_have_ended(guest: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-jobs")
    worker = PlainWorker(guest)
    assert (await worker.registers(room, "Relax")).status_code == 201
    jobs = [(await guest.submits(room, "Relax"))["jobId"] for _ in range(5)]
    url = f"/api/rooms/{room}/extensions/modifiers/Relax/submit"
    refused(await guest.http.post(url, json={"data": {}}), 429, "jobs", 5)
    many: dict[str, Any] = {"data": [{}] * 10}
    refused(await guest.http.post(f"{url}-many", json=many), 429, "jobs", 5)
    assert (await guest.http.delete(f"/api/jobs/{jobs[0]}")).status_code < 300

    async def submit() -> int:
        return (await guest.http.post(url, json={"data": {}})).status_code

    assert await eventually(submit, lambda status: status == 202, within=5) == 202


async def test_unfinished_calls_of_postings_are_limited_by_their_number(guest: Someone) -> None:
    def body(number: int) -> dict[str, Any]:
        return {"function": "nobody-runs-it", "jobs": [{"args": [n]} for n in range(number)]}

    refused(await guest.http.post("/api/postings", json=body(101)), 429, "calls", 100)
    posting = (await guest.http.post("/api/postings", json=body(100))).json()["postingId"]
    refused(await guest.http.post("/api/postings", json=body(1)), 429, "calls", 100)
    lines = b'{"function": "nobody-runs-it"}\n' + b'{"args": [1]}\n' * 5
    refused(await guest.http.post("/api/postings/stream", content=lines), 429, "calls", 100)
    assert (await guest.http.post(f"/api/postings/{posting}/cancel")).status_code < 300

    async def post() -> int:
        return (await guest.http.post("/api/postings", json=body(90))).status_code

    assert await eventually(post, lambda status: status == 201, within=5) == 201


async def test_workers_of_an_account_are_limited(guest: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-workers")
    workers = [PlainWorker(guest) for _ in range(4)]
    for worker in workers[:3]:
        assert (await worker.registers(room, "Relax")).status_code == 201
    refused(await workers[3].registers(room, "Relax"), 429, "workers", 3)
    assert (await workers[0].registers(room, "Relax", again=True)).status_code == 201
    assert (await guest.http.delete(f"/api/workers/{workers[0].id}")).status_code < 300
    assert (await workers[3].registers(room, "Relax")).status_code == 201


async def test_jobs_calls_and_workers_of_a_room_are_limited_for_all_its_users(guest: Someone, root: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-shared")
    limits = {"limits": {"jobs": 1, "calls": 2, "workers": 1}}
    assert (await root.http.put(f"/api/rooms/{room}/quotas", json=limits)).status_code == 200
    assert (await PlainWorker(guest).registers(room, "Relax")).status_code == 201
    refused(await PlainWorker(root).registers(room, "Relax"), 429, "workers", 1)
    await root.submits(room, "Relax")
    url = f"/api/rooms/{room}/extensions/modifiers/Relax"
    refused(await guest.http.post(f"{url}/submit", json={"data": {}}), 429, "jobs", 1)
    sweep: dict[str, Any] = {"over": {"n": [1, 2, 3]}}
    refused(await root.http.post(f"{url}/sweep", json=sweep), 429, "calls", 2)
    assert (await root.http.post(f"{url}/sweep", json={"over": {"n": [1, 2]}})).status_code == 201
    used = {name: (await quota(guest, f"/api/rooms/{room}", name))["used"] for name in ("jobs", "calls", "workers")}
    assert used == {"jobs": 1, "calls": 2, "workers": 1}


async def test_chat_is_limited(guest: Someone) -> None:
    room = await guest.makes_room(f"{guest.name}-chat")
    answers = [await guest.http.post(f"/api/rooms/{room}/chat", json={"text": f"{n}"}) for n in range(12)]
    assert [answer.status_code for answer in answers] == [201] * 10 + [429] * 2
    assert "`chat_per_minute`" in answers[-1].json()["detail"] and "10" in answers[-1].json()["detail"]


async def test_an_admin_has_no_limits_unless_one_is_set(root: Someone) -> None:
    found = (await root.get(f"/api/users/{root.id}/quotas"))["items"]
    assert {one["name"]: one["limit"] for one in found} == dict.fromkeys(
        ("rooms", "bytes", "jobs", "calls", "workers"), None
    )


async def test_quotas_of_others_are_not_shown(guest: Someone, root: Someone) -> None:
    private = await root.makes_room(f"root-private-{guest.name}", "private")
    assert (await guest.http.get(f"/api/rooms/{private}/quotas")).status_code == 404
    assert (await guest.http.get(f"/api/users/{root.id}/quotas")).status_code == 403
