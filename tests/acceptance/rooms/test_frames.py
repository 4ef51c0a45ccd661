# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Frames over HTTP: every index form, who may, what is refused, and that nothing is ever half-written."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import msgpack
import numpy as np
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher
from tests.unit.wire.test_frames import bombs

from workroom.wire.frames import MEDIA_TYPE, decode, encode, framed, split

HEADERS = {"Content-Type": MEDIA_TYPE}


def frame(number: int, atoms: int = 2, more: dict[str, Any] | None = None) -> bytes:
    values = {"arrays.numbers": np.ones(atoms, int), "arrays.positions": np.full((atoms, 3), float(number))}
    return encode(values | {"info.number": number} | (more or {}))


def stream(*numbers: int) -> bytes:
    return b"".join(part for number in numbers for part in framed(frame(number)))


def numbers(answer: httpx2.Response) -> list[int]:
    assert answer.status_code == 200, answer.text
    return [decode(answer.content[start:stop])["info.number"] for start, stop in split(answer.content)]


class Lab:
    """Somebody's room, and its frames."""

    def __init__(self, someone: Someone, room: str) -> None:
        self.http = someone.http
        self.path = f"/api/rooms/{room}/frames"

    async def post(self, action: str, content: bytes, **params: Any) -> httpx2.Response:
        return await self.http.post(self.path, params={"action": action} | params, content=content, headers=HEADERS)

    async def read(self, **params: Any) -> list[int]:
        return numbers(await self.http.get(self.path, params=params))


@pytest.fixture
def lab(ada: Someone, room: str) -> Lab:
    return Lab(ada, room)


async def test_frames_are_written_read_and_deleted_by_any_index(lab: Lab, ada: Someone, room: str) -> None:
    answer = await lab.post("extend", stream(*range(10)))
    assert answer.json() == {
        "length": 10,
        "revision": 1,
        "changeId": answer.json()["changeId"],
        "start": 0,
        "count": 10,
    }
    whole = await lab.http.get(lab.path)
    assert (whole.headers["workroom-length"], whole.headers["workroom-revision"]) == ("10", "1")
    assert whole.headers["content-type"] == MEDIA_TYPE and whole.content == stream(*range(10))
    assert await lab.read(indices="1,5,-1") == [1, 5, 9]
    assert await lab.read(indices="0:6:2,9") == [0, 2, 4, 9]
    assert await lab.read(indices="3") == [3]
    assert await lab.read(start=-3) == [7, 8, 9]
    assert await lab.read(start=1, stop=8, step=3) == [1, 4, 7]
    assert await lab.read(step=-4) == [9, 5, 1]
    assert (await lab.post("append", stream(50))).json()["length"] == 11
    assert (await lab.post("insert", stream(51, 52), index=-1)).json()["start"] == 10
    assert (await lab.post("replace", stream(53), index=0)).json()["count"] == 1
    assert (await lab.post("replace", stream(54, 55), indices="1,-1")).status_code == 200
    assert (await lab.post("replace", stream(56), start=2, stop=5)).json()["length"] == 11
    assert (await lab.post("replace", stream(57, 58), start=3, stop=7, step=2)).status_code == 200
    assert await lab.read() == [53, 54, 56, 57, 6, 58, 8, 9, 51, 52, 55]
    assert (await lab.http.delete(lab.path, params={"indices": "0,-1"})).json()["length"] == 9
    assert (await lab.http.delete(lab.path, params={"start": 0, "step": 2})).json()["length"] == 4
    assert await lab.read() == [56, 6, 8, 51]
    assert (await lab.post("arrange", b"", step=-1)).status_code == 200
    assert await lab.read() == [51, 8, 6, 56]
    assert (await ada.get(f"/api/rooms/{room}/state")) | {"locks": [], "stepRevision": 0} == {
        "length": 4,
        "step": 3,  # it followed its frame
        "stepRevision": 0,
        "revision": 10,
        "locks": [],
    }


async def test_only_the_wanted_keys_are_sent(lab: Lab) -> None:
    await lab.post("extend", b"".join(framed(frame(1, 500, {"cell": np.eye(3)}))))
    answer = await lab.http.get(lab.path, params={"indices": "0", "keys": "cell,info.number,info.missing"})
    assert len(answer.content) < 300
    ((start, stop),) = split(answer.content)
    values = decode(answer.content[start:stop])
    assert list(values) == ["info.number", "cell"] and (values["cell"] == np.eye(3)).all()


async def test_metadata_say_what_is_in_a_frame_and_who_made_it(lab: Lab, ada: Someone) -> None:
    made = (await lab.post("extend", stream(1, 2))).json()
    told = (await lab.http.get(f"{lab.path}/metadata", params={"index": -1})).json()
    assert told["keys"]["arrays.positions"] == {"dtype": "<f8", "shape": [2, 3]}
    assert told["keys"]["info.number"] == {"type": "int"}
    assert (told["index"], told["length"], told["revision"]) == (1, 2, 1)
    assert told["change"]["id"] == made["changeId"] and told["change"]["author"] == {"id": ada.id, "name": ada.name}
    assert (await lab.http.get(f"{lab.path}/metadata", params={"index": 2})).json()["code"] == "no_such_frame"


async def test_wrong_requests_are_told_what_is_wrong(lab: Lab) -> None:
    await lab.post("extend", stream(0, 1, 2))
    put, passed = "?action=replace&index=1", {"Workroom-Revision": "0"}
    for answer, status, code in (
        (await lab.http.get(lab.path, params={"indices": "3"}), 404, "no_such_frame"),
        (await lab.http.get(lab.path, params={"indices": "0,-4"}), 404, "no_such_frame"),
        (await lab.http.get(lab.path, params={"indices": "99999999999999999999"}), 400, "bad_input"),
        (await lab.http.get(lab.path, params={"indices": "0:1:0"}), 400, "bad_input"),
        (await lab.http.get(lab.path, params={"indices": "0:2000000000"}), 400, "bad_input"),
        (await lab.http.get(lab.path, params={"indices": "one"}), 400, "bad_input"),
        (await lab.http.get(lab.path, params={"indices": "1", "start": 1}), 400, "bad_input"),
        (await lab.http.get(lab.path, params={"step": 0}), 400, "bad_input"),
        (await lab.http.get(lab.path, params={"start": "x"}), 422, "invalid_request"),
        (await lab.http.delete(lab.path), 400, "bad_input"),
        (await lab.http.delete(lab.path, params={"indices": "7"}), 404, "no_such_frame"),
        (await lab.http.delete(lab.path, params={"start": 0}, headers=passed), 409, "revision_passed"),
        (await lab.http.post(f"{lab.path}{put}", content=stream(9), headers=passed), 409, "revision_passed"),
        (await lab.post("append", stream(1, 2)), 400, "size_mismatch"),
        (await lab.post("append", b""), 400, "size_mismatch"),
        (await lab.post("insert", stream(1)), 400, "bad_input"),
        (await lab.post("replace", stream(1)), 400, "bad_input"),
        (await lab.post("replace", stream(1), index=3), 404, "no_such_frame"),
        (await lab.post("replace", stream(1), indices="0,1"), 400, "size_mismatch"),
        (await lab.post("replace", stream(1), start=0, step=2), 400, "size_mismatch"),
        (await lab.post("explode", stream(1)), 422, "invalid_request"),
        (await lab.http.post(lab.path, json={"frames": []}), 400, "bad_input"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert "0 to 2" in (await lab.http.get(lab.path, params={"indices": "3"})).json()["detail"]
    assert await lab.read() == [0, 1, 2]


async def test_malformed_frames_never_get_in(lab: Lab) -> None:
    """F12: whatever is wrong with a body is answered 4xx, and nothing of it stays."""
    await lab.post("extend", stream(0))
    good = stream(1)
    bodies = {name: b"".join(framed(bomb)) for name, bomb in bombs().items()}
    bodies |= {
        "cut off": good[:-1],
        "only a length": good[:8],
        "an endless length": b"\xff" * 8,
        "text": b"hello world, this is no stream of frames",
        "no structure": b"".join(framed(encode({"a": 1}))),
        "positions without numbers": b"".join(framed(encode({"arrays.positions": np.zeros((2, 3))}))),
        "numbers of text": b"".join(framed(frame(1) and encode({"arrays.numbers": np.array(["H"])}))),
        "positions in a plane": b"".join(framed(frame(1, 2, {"arrays.positions": np.zeros((2, 2))}))),
        "more of one than of the other": b"".join(framed(frame(1, 2, {"arrays.tags": np.zeros(3)}))),
        "an array that is none": b"".join(framed(frame(1, 2, {"arrays.tags": "none"}))),
        "a cell of two": b"".join(framed(frame(1, 2, {"cell": np.eye(2)}))),
    }
    for name, body in bodies.items():
        answer = await lab.post("extend", good * 3 + body)
        assert 400 <= answer.status_code < 500, (name, answer.text)
        assert answer.json()["code"] == "bad_input", (name, answer.text)
    for encoding in ("gzip", "br", "deflate"):
        answer = await lab.http.post(lab.path, content=good, headers=HEADERS | {"Content-Encoding": encoding})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_input")
    assert await lab.read() == [0]
    assert msgpack.unpackb(frame(1))["info.number"] == 1


async def test_readers_read_writers_write_and_strangers_find_nothing(server: LiveServer, ada: Someone) -> None:
    room = await ada.makes_room(f"{ada.name}-private", "private")
    lab = Lab(ada, room)
    await lab.post("extend", stream(1))
    other = await Someone.signs_in(server, f"other-than-{ada.name}")
    theirs = Lab(other, room)
    for answer in (
        await theirs.http.get(theirs.path),
        await theirs.http.get(f"{theirs.path}/metadata"),
        await theirs.http.get(f"/api/rooms/{room}/state"),
        await theirs.post("extend", stream(2)),
        await theirs.http.delete(theirs.path, params={"start": 0}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    await ada.http.put(f"/api/rooms/{room}/members/{other.name}", json={"rights": "read"})
    assert await theirs.read() == [1]
    for answer in (await theirs.post("extend", stream(2)), await theirs.http.delete(theirs.path, params={"start": 0})):
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    await ada.http.put(f"/api/rooms/{room}/members/{other.name}", json={"rights": "write"})
    assert (await theirs.post("extend", stream(2))).status_code == 200
    assert await lab.read() == [1, 2]
    await other.close()


async def test_a_job_writes_with_its_token_until_its_attempt_ends(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    await ada.submits(room, "Relax", {"n": 3})
    job = await worker.gets()
    path = f"/api/rooms/{room}/frames"
    async with httpx2.AsyncClient(
        base_url=server.url, trust_env=False, headers={"Authorization": f"Bearer {job['jobToken']}"}
    ) as http:
        assert (await http.post(path, content=stream(1, 2), headers=HEADERS)).status_code == 200
        change = (await http.get(f"{path}/metadata")).json()["change"]
        assert (change["jobId"], change["extension"], change["parameters"]) == (
            job["jobId"],
            "modifiers/Relax",
            {"n": 3},
        )
        assert change["machine"] == "test"
        elsewhere = await ada.makes_room(f"{room}-other")
        assert (
            await http.post(f"/api/rooms/{elsewhere}/frames", content=stream(1), headers=HEADERS)
        ).status_code == 404

        async def slowly() -> AsyncIterator[bytes]:
            """The attempt ends while its upload is under way."""
            yield b"".join(framed(frame(3, 40_000)))
            await worker.runs(job)
            yield b"".join(framed(frame(4, 40_000)))

        for content in (slowly(), stream(5)):
            late = await http.post(path, content=content, headers=HEADERS)
            assert (late.status_code, late.json()["code"]) == (409, "attempt_lost")
    assert await Lab(ada, room).read() == [1, 2]


async def test_a_lock_that_is_not_held_is_refused(lab: Lab) -> None:
    for answer in (
        await lab.http.post(lab.path, content=stream(1), headers=HEADERS | {"Workroom-Lock": "somebody's"}),
        await lab.http.delete(lab.path, params={"start": 0}, headers={"Workroom-Lock": "somebody's"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "lock_lost")
    assert await lab.read() == []


async def test_everybody_in_the_room_hears_of_it(lab: Lab, ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    made = (await lab.post("extend", stream(1, 2, 3))).json()
    heard = await watcher.until("frames:changed", lambda body: body["revision"] == 1)
    assert heard == {
        "room": room,
        "revision": 1,
        "length": 3,
        "changeId": made["changeId"],
        "splices": [{"start": 0, "removed": 0, "added": 3}],
        "step": 0,
        "stepRevision": 0,
    }
    await watcher.leaves()


UPLOAD = """
import sys, time
import numpy as np
from ase import Atoms
from workroom import Room

def frames():
    for number in range(10_000):
        yield Atoms(numbers=np.ones(5_000), positions=np.zeros((5_000, 3)))
        if number == 100:
            print("half way", flush=True)

Room(sys.argv[1], url=sys.argv[2], user=sys.argv[3]).extend(frames())
"""


async def test_killing_the_client_in_the_middle_leaves_the_room_as_it_was(
    server: LiveServer, ada: Someone, room: str
) -> None:
    lab = Lab(ada, room)
    before = (await lab.post("extend", stream(1, 2))).json()
    command = [sys.executable, "-c", UPLOAD, room, server.url, f"{ada.name}-uploader"]
    client = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220
    assert client.stdout is not None
    assert await asyncio.to_thread(client.stdout.readline) == "half way\n"
    client.send_signal(signal.SIGKILL)
    client.wait()
    client.stdout.close()
    assert await lab.read() == [1, 2]
    after = (await lab.post("extend", stream(3))).json()
    assert (after["revision"], after["length"]) == (before["revision"] + 1, 3)
    assert "unexpected error" not in server.log(), server.log()[-3000:]
