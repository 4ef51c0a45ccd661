"""Following the camera of a person, by socket, against a live server."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any
from uuid import uuid4

import pytest
from tests.acceptance.live import Someone, Watcher, eventually

CAMERA: dict[str, Any] = {
    "target": [1.0, 2.0, 3.0],
    "turn": [0.0, 0.0, 0.0, 1.0],
    "distance": 20.0,
    "flat": False,
    "field": 32.0,
    "step": 4,
}


@pytest.fixture
async def reader(ada: Someone, room: str) -> AsyncGenerator[Someone]:
    """A person who may only read the room, which is private."""
    someone = await Someone.signs_in(ada.server, f"reader-of-{ada.name}")
    assert (await ada.http.patch(f"/api/rooms/{room}", json={"visibility": "private"})).status_code == 200
    await ada.http.put(f"/api/rooms/{room}/members/{someone.name}", json={"rights": "read"})
    yield someone
    await someone.close()


def moves(watcher: Watcher) -> list[float]:
    return [body["distance"] for name, body in watcher.heard if name == "camera:moved"]


async def test_only_followers_get_the_movements_of_a_person(ada: Someone, reader: Someone, room: str) -> None:
    hers, his, other = [await Watcher.joins(someone, room) for someone in (ada, reader, ada)]
    assert await hers.sio.call("camera:move", {"room": room} | CAMERA) == {"ok": True}
    assert await his.sio.call("camera:follow", {"room": room, "user": ada.id}) == {"ok": True}
    told = await hers.until("camera:followed", lambda _: True)
    assert told == {"room": room, "by": {"id": reader.id, "name": reader.name}, "again": False}
    await hers.sio.call("camera:move", {"room": room} | CAMERA | {"distance": 21.0})
    moved = await his.until("camera:moved", lambda _: True)
    assert moved == {"room": room, "user": ada.id} | CAMERA | {"distance": 21.0}
    # Readers may be followed too, and a socket follows one person at a time.
    await other.sio.call("camera:follow", {"room": room, "user": reader.id})
    assert await his.sio.call("camera:move", {"room": room} | CAMERA | {"distance": 22.0}) == {"ok": True}
    await other.until("camera:moved", lambda body: body["distance"] == 22.0)
    await his.sio.call("camera:follow", {"room": room, "user": reader.id})
    await hers.sio.call("camera:move", {"room": room} | CAMERA | {"distance": 23.0})
    await his.sio.call("camera:move", {"room": room} | CAMERA | {"distance": 24.0})
    await his.until("camera:moved", lambda body: body["distance"] == 24.0)
    await his.sio.call("camera:follow", {"room": room, "user": None})
    await his.sio.call("camera:move", {"room": room} | CAMERA | {"distance": 25.0})
    await other.until("camera:moved", lambda body: body["distance"] == 25.0)
    # An answer arrives after everything that was sent to the socket before.
    await his.sio.call("room:join", {"room": room})
    assert (moves(hers), moves(his), moves(other)) == ([], [21.0, 24.0], [22.0, 24.0, 25.0])
    for watcher in (hers, his, other):
        await watcher.leaves()


async def test_a_follower_who_may_no_longer_read_the_room_gets_no_movement(
    ada: Someone, reader: Someone, room: str
) -> None:
    hers, his = await Watcher.joins(ada, room), await Watcher.joins(reader, room)
    await his.sio.call("camera:follow", {"room": room, "user": ada.id})
    assert (await ada.http.delete(f"/api/rooms/{room}/members/{reader.name}")).status_code < 300

    async def refusal() -> dict[str, Any]:
        return await his.sio.call("camera:move", {"room": room} | CAMERA)

    assert (await eventually(refusal, lambda answer: not answer["ok"]))["code"] == "forbidden"
    await hers.sio.call("camera:move", {"room": room} | CAMERA)
    refused = await his.sio.call("camera:follow", {"room": room, "user": ada.id})
    assert (refused["code"], moves(his)) == ("not_found", [])
    for watcher in (hers, his):
        await watcher.leaves()


async def test_bad_movements_and_absent_people_are_refused(ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    bad = {
        "target": [[1, 2], [1, 2, 1e300], ["x", 0, 0], None],
        "turn": [[0, 0, 0, 0], [2, 0, 0, 0], [0, 0, 1]],
        "distance": [0, -1, 1e300, "far"],
        "field": [0, 180],
        "step": [-1, 1.5, 2**31],
        "flat": ["maybe"],
        "room": [7],
        "extra": [1],
    }
    for field, values in bad.items():
        for value in values:
            answer = await watcher.sio.call("camera:move", {"room": room} | CAMERA | {field: value})
            assert answer["code"] == "bad_input" and field in answer["message"], (field, value, answer)
    absent = await watcher.sio.call("camera:follow", {"room": room, "user": str(uuid4())})
    assert (absent["code"], absent["message"]) == ("not_found", "This person is not in the room.")
    assert (await watcher.sio.call("camera:follow", {"room": room, "user": "ada"}))["code"] == "bad_input"
    await watcher.sio.call("room:leave", {"room": room})
    outside = await watcher.sio.call("camera:move", {"room": room} | CAMERA)
    assert outside["code"] == "forbidden" and "room:join" in outside["message"]
    await watcher.leaves()


async def test_too_many_movements_are_refused_until_some_time_has_passed(ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    answers = [await watcher.sio.call("camera:move", {"room": room} | CAMERA) for _ in range(301)]
    assert [answer["ok"] for answer in answers] == [True] * 300 + [False]
    assert answers[-1]["code"] == "too_many_requests" and answers[-1]["retryAfter"] >= 1
    await watcher.leaves()
