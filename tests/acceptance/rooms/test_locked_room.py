"""A locked room: every write of a non-owner is refused and changes nothing; the owner may make the same writes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from tests.acceptance.live import PlainWorker, Someone, Watcher
from tests.acceptance.rooms.test_frames import HEADERS, stream

SUBMIT = "/extensions/{category}/{name}"
RELAX = {"category": "modifiers", "name": "Relax"}
ARROWS: dict[str, Any] = {"type": "arrows", "data": {}}
FIGURE: dict[str, Any] = {"data": [{"y": [1, 2]}]}
PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (40).to_bytes(4) + (30).to_bytes(4)  # only its header is read
NO_JOB = "01890000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Write:
    """A request that changes a room. In `path` and `body`, a value that begins with $ stands for a row of the user."""

    method: str
    route: str  # below /api/rooms/{room}, as in the OpenAPI document
    body: dict[str, Any] | None = None
    path: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, Any] = field(default_factory=dict[str, Any])
    content: bytes | None = None
    for_owner: int | None = None  # the owner's status, where the request is not to succeed for another reason

    async def send(self, someone: Someone, room: str, own: dict[str, str]) -> httpx2.Response:
        url = f"/api/rooms/{room}" + self.route.format(
            **{key: own.get(value, value) for key, value in self.path.items()}
        )
        sent: dict[str, Any] = {} if self.content is None else {"content": self.content, "headers": HEADERS}
        if self.body is not None:
            sent["json"] = {
                key: own.get(value, value) if isinstance(value, str) else value for key, value in self.body.items()
            }
        return await someone.http.request(self.method, url, params=self.query, **sent)


# In an order in which the owner can make one after the other.
WRITES = [
    Write("POST", "/frames", content=stream(1), query={"action": "append"}),
    Write("POST", "/frames", content=stream(2, 3), query={"action": "extend"}),
    Write("POST", "/frames", content=stream(4), query={"action": "insert", "index": 0}),
    Write("POST", "/frames", content=stream(5), query={"action": "replace", "index": 0}),
    Write("POST", "/frames", content=b"", query={"action": "delete", "indices": "0"}),
    Write("DELETE", "/frames", query={"indices": "0"}),
    Write("POST", "/changes/{id}/undo", path={"id": "$change"}),
    Write("POST", "/changes/undo", {"jobId": NO_JOB}, for_owner=404),
    Write("POST", "/frames", content=b"", query={"action": "arrange", "indices": "0"}),
    Write("PUT", "/step", {"step": 0}),
    Write("PUT", "/selections", {"selections": {"particles": [1]}}),
    Write("PATCH", "/selections", {"selections": {"particles": [0]}}),
    Write("PUT", "/selections/{key}", {"indices": [1]}, {"key": "particles"}),
    Write("DELETE", "/selections/{key}", None, {"key": "particles"}),
    Write("PUT", "/selection-groups", {"groups": {"pocket": {"particles": [1]}}}),
    Write("PATCH", "/selection-groups", {"groups": {"pocket": {"particles": [0]}}}),
    Write("PUT", "/selection-groups/{key}", {"particles": [0, 1]}, {"key": "pocket"}),
    Write("DELETE", "/selection-groups/{key}", None, {"key": "pocket"}),
    Write("PUT", "/frame-selection", {"indices": [0]}),
    Write("PUT", "/bookmarks", {"bookmarks": {"0": "start"}}),
    Write("PATCH", "/bookmarks", {"bookmarks": {"0": "begin"}}),
    Write("PUT", "/bookmarks/{index}", {"label": "first"}, {"index": "0"}),
    Write("DELETE", "/bookmarks/{index}", None, {"index": "0"}),
    Write("PUT", "/metadata", {"metadata": {"a": 1}}),
    Write("PATCH", "/metadata", {"metadata": {"a": 2}}),
    Write("PUT", "/metadata/{key}", {"value": 3}, {"key": "a"}),
    Write("DELETE", "/metadata/{key}", None, {"key": "a"}),
    Write("PUT", "/geometries", {"geometries": {"forces": ARROWS}}),
    Write("PATCH", "/geometries", {"geometries": {"other": ARROWS}}),
    Write("PUT", "/geometries/{key}", ARROWS, {"key": "third"}),
    Write("DELETE", "/geometries/{key}", None, {"key": "third"}),
    Write("PUT", "/figures", {"figures": {"energy": FIGURE}}),
    Write("PUT", "/figures/{key}", FIGURE, {"key": "second"}),
    Write("DELETE", "/figures/{key}", None, {"key": "second"}),
    Write("POST", "/chat", {"text": "hello"}),
    Write("PATCH", "/chat/{id}", {"text": "hello again"}, {"id": "$message"}),
    Write("DELETE", "/chat/{id}", None, {"id": "$message"}),
    Write("POST", "/locks/{target}/acquire", {"client": "one"}, {"target": "another"}),
    Write("POST", "/locks/{target}/refresh", {"token": "$token"}, {"target": "$target"}),
    Write("POST", "/locks/{target}/release", {"token": "$token"}, {"target": "$target"}),
    Write("POST", SUBMIT + "/submit", {"data": {"n": 1}}, RELAX),
    Write("POST", SUBMIT + "/submit-many", {"data": [{"n": 1}]}, RELAX),
    Write("POST", SUBMIT + "/sweep", {"over": {"n": [1, 2]}}, RELAX),
    Write("POST", SUBMIT + "/choices", {"field": "n"}, RELAX, for_owner=400),  # a worker offers no choices for it
    Write("PUT", SUBMIT + "/presets/{preset}", {"data": {"n": 1}}, RELAX | {"preset": "mine"}),
    Write("DELETE", SUBMIT + "/presets/{preset}", None, RELAX | {"preset": "mine"}),
    Write("POST", "/inputs", content=b"some data", query={"name": "some.dat"}),
    Write("PUT", "/thumbnail", content=PICTURE),
    Write("POST", "/files", content=b"1\n\nH 0 0 0\n", query={"name": "one.xyz"}, for_owner=404),  # needs a pool
]
# These need the rights of an owner whether the room is locked or not; `test_rooms` asks every kind of user.
OWNERS_ONLY = {
    ("PATCH", ""),
    ("DELETE", ""),
    ("PUT", "/members/{who}"),
    ("DELETE", "/members/{who}"),
    ("POST", "/links"),
    ("DELETE", "/links/{id}"),
    ("DELETE", "/links"),
    ("PUT", "/quotas"),  # only admins
    ("DELETE", "/extensions/{category}/{name}"),  # also the owner of the extension
}
READS_ONLY = {("POST", "/duplicate")}  # writes only in the copy, which belongs to the user
BY_SOCKET = [
    ("chat:send", {"text": "hello"}),
    ("step:set", {"step": 0}),
    ("lock:acquire", {"target": "third", "client": "one"}),
    ("lock:refresh", {"target": "$target", "token": "$token"}),
    ("lock:msg", {"target": "$target", "token": "$token", "message": "new"}),
    ("lock:release", {"target": "$target", "token": "$token"}),
]


@pytest.fixture
async def writer(ada: Someone, room: str) -> AsyncGenerator[Someone]:
    """A member with the right to write, as strong as a user who is no owner can be."""
    someone = await Someone.signs_in(ada.server, f"writer-of-{ada.name}")
    await ada.http.put(f"/api/rooms/{room}/members/{someone.name}", json={"rights": "write"})
    yield someone
    await someone.close()


async def rows_of(someone: Someone, room: str) -> dict[str, str]:
    """Rows of the user's own in the room, so that its lock is the only reason to refuse a write to them."""
    at, target = f"/api/rooms/{room}", f"lock-of-{someone.name}"
    written = await someone.http.put(f"{at}/selections/of-{someone.name}", json={"indices": [1]})
    message = await someone.http.post(f"{at}/chat", json={"text": "mine"})
    grant = await someone.http.post(f"{at}/locks/{target}/acquire", json={"client": "one"})
    return {
        "$change": written.json()["changeId"],
        "$message": message.json()["id"],
        "$target": target,
        "$token": grant.json()["token"],
    }


async def content(someone: Someone, room: str) -> list[Any]:
    """Everything in the room that a write could have changed."""
    parts = (
        "changes",
        "chat",
        "step",
        "locks",
        "extensions",
        "selections",
        "bookmarks",
        "metadata",
        "geometries",
        "jobs",
        "extensions/modifiers/Relax/presets",
    )
    return [await someone.get(f"/api/rooms/{room}/{part}") for part in parts]


async def test_no_write_of_a_non_owner_passes_in_a_locked_room_and_every_write_of_the_owner_does(
    ada: Someone, room: str, writer: Someone, workers: list[PlainWorker]
) -> None:
    workers.append(await PlainWorker.online(ada, room, "Relax"))
    frames = await ada.http.post(f"/api/rooms/{room}/frames", content=stream(7, 8), headers=HEADERS)
    assert frames.is_success, frames.text
    mine, theirs = await rows_of(ada, room), await rows_of(writer, room)  # writes, so that access is cached
    socket = await Watcher.joins(writer, room)
    assert (await ada.http.patch(f"/api/rooms/{room}", json={"locked": True})).status_code == 200

    before = await content(ada, room)
    for write in WRITES:
        answer = await write.send(writer, room, theirs)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), (write, answer.text)
        assert answer.json()["locked"] is True, (write, answer.text)
    for event, body in BY_SOCKET:
        sent = {"room": room} | {key: theirs.get(str(value), value) for key, value in body.items()}
        refused = await socket.sio.call(event, sent)
        assert (refused["ok"], refused["code"]) == (False, "forbidden"), (event, refused)
    registered = await PlainWorker(writer).registers(room, "Other")
    assert (registered.status_code, registered.json()["code"]) == (403, "forbidden")
    assert await content(ada, room) == before

    for write in WRITES:
        answer = await write.send(ada, room, mine)
        assert answer.status_code == (write.for_owner or answer.status_code), (write, answer.text)
        assert answer.is_success or write.for_owner, (write, answer.text)
    assert (await ada.http.patch(f"/api/rooms/{room}", json={"locked": False})).status_code == 200
    assert (await WRITES[0].send(writer, room, theirs)).is_success, "an unlocked room takes writes again"
    await socket.leaves()


async def test_the_locked_room_test_attempts_every_route_that_writes(ada: Someone) -> None:
    prefix = "/api/rooms/{room}"
    paths = (await ada.get("/api/openapi.json"))["paths"]
    routes = {
        (method.upper(), path.removeprefix(prefix))
        for path, methods in paths.items()
        for method in methods
        if path.startswith(prefix) and method != "get"
    }
    assert routes - OWNERS_ONLY - READS_ONLY == {(write.method, write.route) for write in WRITES}
