"""What a room shows: by REST, with the events that tell others, and undone again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import numpy as np
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher

from workroom.wire.frames import encode, framed


class Scene:
    """A room's scene over plain HTTP."""

    def __init__(self, someone: Someone, room: str) -> None:
        self.someone = someone
        self.room = room

    async def request(self, method: str, path: str, body: Any = None, *, lock: str | None = None, **more: Any) -> Any:
        headers = more.pop("headers", {}) | ({"Workroom-Lock": lock} if lock else {})
        return await self.someone.http.request(
            method, f"/api/rooms/{self.room}/{path}", json=body, headers=headers, **more
        )

    async def get(self, path: str, **params: Any) -> Any:
        return await self.someone.get(f"/api/rooms/{self.room}/{path}", **params)

    async def put(self, path: str, body: Any, method: str = "PUT") -> dict[str, Any]:
        answer = await self.request(method, path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Any = None) -> dict[str, Any]:
        return await self.put(path, body, "POST")

    async def delete(self, path: str) -> dict[str, Any]:
        return await self.put(path, None, "DELETE")

    async def refused(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, str]:
        answer = await self.request(method, path, body, **more)
        return answer.status_code, answer.json()["code"]


@pytest.fixture
async def scene(ada: Someone, room: str) -> Scene:
    """The scene of a room with twenty frames of twenty atoms."""
    body = encode({"arrays.numbers": np.ones(20, int), "arrays.positions": np.zeros((20, 3))})
    content = b"".join([part for _ in range(20) for part in framed(body)])
    answer = await ada.http.post(f"/api/rooms/{room}/frames", content=content, params={"action": "extend"})
    assert answer.status_code == 200, answer.text
    return Scene(ada, room)


@pytest.fixture
async def bobs(scene: Scene) -> AsyncGenerator[Scene]:
    bob = await Someone.signs_in(scene.someone.server, f"bob-of-{scene.someone.name}")
    yield Scene(bob, scene.room)
    await bob.close()


async def test_selections_are_set_replaced_and_removed(scene: Scene) -> None:
    watcher = await Watcher.joins(scene.someone, scene.room)
    assert await scene.get("selections") == {"selections": {}, "groups": {}, "authors": {}, "groupAuthors": {}}
    first = await scene.put("selections/particles", {"indices": [4, 2, 4]})
    assert first["keys"] == ["particles"] and first["changeId"]
    heard = await watcher.until("selection:changed", lambda body: body["name"] == "particles")
    assert (heard["indices"], heard["revision"]) == ([4, 2], first["revision"])
    again = await scene.put("selections/particles", {"indices": [4, 2]})
    assert (again["changeId"], again["revision"]) == (None, first["revision"])
    await scene.put("selections", {"selections": {"forces": [1]}}, "PATCH")
    await scene.put("selection-groups/pocket", {"particles": [1, 2], "forces": [3]})
    assert await scene.get("selections") == {
        "selections": {"forces": [1], "particles": [4, 2]},
        "groups": {"pocket": {"particles": [1, 2], "forces": [3]}},
        "authors": dict.fromkeys(["forces", "particles"], scene.someone.name),
        "groupAuthors": {"pocket": scene.someone.name},
    }
    await watcher.until("selection:changed", lambda body: body["group"] == "pocket")
    replaced = await scene.put("selections", {"selections": {"particles": [4, 2], "new": []}})
    assert sorted(replaced["keys"]) == ["forces", "new"]
    assert (await scene.get("selections"))["selections"] == {"new": [], "particles": [4, 2]}
    await scene.delete("selections/new")
    await scene.delete("selection-groups/pocket")
    assert await scene.refused("DELETE", "selections/new") == (404, "not_found")
    left = await scene.get("selections")
    assert (left["selections"], left["groups"], left["groupAuthors"]) == ({"particles": [4, 2]}, {}, {})
    assert await scene.get("frame-selection") == {"indices": None}
    await scene.put("frame-selection", {"indices": [0, 5]})
    assert (await watcher.until("frame_selection:changed", lambda _: True))["indices"] == [0, 5]
    assert await scene.get("frame-selection") == {"indices": [0, 5]}
    await scene.put("frame-selection", {"indices": None})
    assert await scene.get("frame-selection") == {"indices": None}
    await watcher.leaves()


async def test_bookmarks_and_metadata(scene: Scene) -> None:
    watcher = await Watcher.joins(scene.someone, scene.room)
    await scene.put("bookmarks/12", {"label": "transition state"})
    await scene.put("bookmarks", {"bookmarks": {"3": "start"}}, "PATCH")
    assert await scene.get("bookmarks") == {"bookmarks": {"3": "start", "12": "transition state"}}
    await watcher.until("bookmarks:changed", lambda body: body["key"] == "12")
    await scene.put("bookmarks", {"bookmarks": {"1": "only"}})
    await scene.delete("bookmarks/1")
    assert await scene.get("bookmarks") == {"bookmarks": {}}
    value = {"doi": "10.1/x", "temperature": 300.5, "tags": ["a", None, {"b": True}], "empty": None}
    await scene.put("metadata/paper", {"value": value})
    await scene.put("metadata/nothing", {"value": None})
    assert await scene.get("metadata/paper") == {"key": "paper", "value": value}
    assert await scene.get("metadata") == {"metadata": {"nothing": None, "paper": value}}
    await watcher.until("metadata:changed", lambda body: body["key"] == "paper")
    await scene.put("metadata", {"metadata": {"a b/é".replace("/", "-"): 1}})
    assert await scene.get("metadata") == {"metadata": {"a b-é": 1}}
    await scene.delete("metadata/a b-é")
    assert await scene.refused("GET", "metadata/a") == (404, "not_found")
    await watcher.leaves()


async def test_geometries_are_typed_and_a_new_room_has_some(scene: Scene) -> None:
    watcher = await Watcher.joins(scene.someone, scene.room)
    drawn = (await scene.get("geometries"))["geometries"]
    assert {key: one["type"] for key, one in drawn.items()} == {"bonds": "bonds", "cell": "cell", "spheres": "spheres"}
    assert drawn["spheres"]["data"]["color"] == "element"
    schemas = (await scene.get("geometries/schemas"))["schemas"]
    assert set(schemas) >= {
        *("spheres", "bonds", "cell", "arrows", "box", "plane", "curve", "camera", "floor", "isosurface")
    }
    assert schemas["bonds"]["properties"]["radius"]["unit"] == "Å"
    await scene.put("geometries/forces", {"type": "arrows", "data": {"direction": "calc.forces", "color": "#00ff00"}})
    one = await scene.get("geometries/forces")
    assert (one["type"], one["data"]["color"], one["data"]["position"]) == ("arrows", "#00ff00", "arrays.positions")
    await watcher.until("geometries:changed", lambda body: body["key"] == "forces")
    for wrong, path in (
        ({"type": "arrows", "data": {"color": "red"}}, "data.color"),
        ({"type": "spheres", "data": {"opacity": 2}}, "data.opacity"),
        ({"type": "curve", "data": {"points": [[0, 0]]}}, "data.points.0.2"),
        ({"type": "box", "data": {"unknown": 1}}, "data.unknown"),
        ({"type": "arrows", "data": {"position": "positions"}}, "data.position"),
    ):
        answer = await scene.request("PUT", "geometries/x", wrong)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_arguments")
        assert answer.json()["errors"][0]["path"].startswith(path), answer.text
    assert await scene.refused("PUT", "geometries/x", {"type": "teapot"}) == (400, "bad_input")
    assert await scene.refused("PUT", "geometries/schemas", {"type": "cell"}) == (409, "name_reserved")
    await scene.put("geometries", {"geometries": {}})
    assert await scene.get("geometries") == {"geometries": {}}
    await watcher.leaves()


async def test_figures_are_large_linked_and_bounded(scene: Scene) -> None:
    watcher = await Watcher.joins(scene.someone, scene.room)
    numbers = [n / 7 for n in range(150_000)]
    figure = {
        "data": [{"type": "scatter", "y": numbers, "name": None}],
        "layout": {"title": {"text": "Energy"}},
        "links": [{"trace": 0, "to": "frames"}, {"to": "atoms", "indices": [3, 1]}],
    }
    written = await scene.put("figures/energy", figure)
    heard = await watcher.until("figures:changed", lambda body: body["key"] == "energy")
    assert heard["revision"] == written["revision"] and "value" not in heard
    assert [(one["key"], one["revision"]) for one in (await scene.get("figures"))["items"]] == [
        ("energy", written["revision"])
    ]
    read = await scene.get("figures/energy")
    assert (read["data"], read["layout"]) == (figure["data"], figure["layout"])
    assert read["links"][1] == {"trace": 0, "to": "atoms", "indices": [3, 1], "frame": None, "selection": "particles"}
    assert await scene.refused("PUT", "figures/x", {"data": [{"y": "x" * 5_000_001}]}) == (413, "too_large")
    assert await scene.refused("PUT", "figures/x", {"data": [{"y": "x" * 6_000_000}]}) == (413, "too_large")
    assert await scene.refused("PUT", "metadata/x", {"value": "x" * 1_300_000}) == (413, "too_large")
    assert (await scene.request("PUT", "figures/x", {"data": [], "links": [{"to": "moon"}]})).status_code == 422
    await scene.delete("figures/energy")
    assert (await scene.get("figures"))["items"] == []
    await watcher.leaves()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("selections/particles", {"indices": [-1]}),
        ("selections/particles", {"indices": [1.5]}),
        ("selections/particles", {"indices": [True]}),
        ("selections/particles", {"indices": "all"}),
        ("selections/particles", {}),
        ("selections/" + "x" * 201, {"indices": []}),
        ("selections", {"selections": {"a/b": []}}),
        ("bookmarks/x", {"label": "x"}),
        ("bookmarks/-1", {"label": "x"}),
        ("bookmarks/1", {"label": ""}),
        ("bookmarks", {"bookmarks": {"01": "x"}}),
        ("metadata/nul", {"value": ["a\x00b"]}),
        ("metadata", {"metadata": {str(n): n for n in range(1001)}}),
        ("step", {"step": 1.5}),
        ("step", {"step": "1"}),
    ],
)
async def test_what_does_not_fit_is_refused(scene: Scene, path: str, body: Any) -> None:
    assert (await scene.request("PUT", path, body)).status_code in (400, 422)


async def test_a_lock_keeps_others_from_writing_and_a_lost_one_its_holder(scene: Scene, bobs: Scene) -> None:
    lock = await scene.post("locks/selections/acquire", {"client": "a", "message": "Choosing"})
    body = {"indices": [1]}
    answer = await bobs.request("PUT", "selections/particles", body)
    assert (answer.status_code, answer.json()["code"]) == (423, "locked")
    assert answer.json()["holder"] == scene.someone.name and "Choosing" in answer.json()["detail"]
    assert await scene.refused("PUT", "selections/particles", body) == (423, "locked")  # without the token
    assert await bobs.refused("PUT", "selections/particles", body, lock="guessed") == (409, "lock_lost")
    assert (await scene.request("PUT", "selections/particles", body, lock=lock["token"])).status_code == 200
    assert (await bobs.request("PUT", "metadata/x", {"value": 1})).status_code == 200  # another target
    assert await scene.refused("PUT", "metadata/x", {"value": 2}, lock=lock["token"]) == (409, "lock_lost")
    released = await scene.request("POST", "locks/selections/release", {"token": lock["token"]})
    assert released.status_code == 204
    assert await scene.refused("PUT", "selections/particles", {"indices": []}, lock=lock["token"]) == (409, "lock_lost")
    assert (await bobs.request("PUT", "selections/particles", {"indices": [2]})).status_code == 200
    assert (await scene.get("selections"))["selections"] == {"particles": [2]}


async def test_every_write_is_a_change_with_a_name_and_can_be_undone(scene: Scene, bobs: Scene) -> None:
    watcher = await Watcher.joins(scene.someone, scene.room)
    await scene.put("selections/particles", {"indices": [1, 2, 3]})
    await scene.put("metadata", {"metadata": {"a": 1, "b": 2}}, "PATCH")
    await bobs.put("bookmarks/4", {"label": "here"})
    await bobs.delete("geometries/cell")
    page = (await scene.get("changes"))["items"]
    assert [(one["label"], one["author"]["name"]) for one in page] == [
        ("removed geometry cell", bobs.someone.name),
        ("bookmarked frame 4 as 'here'", bobs.someone.name),
        ("changed 2 metadata", scene.someone.name),
        ("selected 3 atoms", scene.someone.name),
        ("added 20 frames", scene.someone.name),
    ]
    assert [one["revision"] for one in page] == [5, 4, 3, 2, 1]
    assert page[2]["values"] == [
        {"kind": "metadata", "key": "a", "act": "added"},
        {"kind": "metadata", "key": "b", "act": "added"},
    ]
    assert page[0]["values"][0]["act"] == "removed" and page[0]["frames"] is None
    older = (await scene.get("changes", before=page[1]["id"], limit=1))["items"]
    assert [one["id"] for one in older] == [page[2]["id"]]
    assert await scene.get(f"changes/{page[0]['id']}") == page[0]

    before = (await scene.get("metadata"))["metadata"]
    undone = await bobs.post(f"changes/{page[2]['id']}/undo")
    assert undone["undone"] == [page[2]["id"]]
    assert (before, (await scene.get("metadata"))["metadata"]) == ({"a": 1, "b": 2}, {})
    await watcher.until("metadata:changed", lambda body: body["revision"] == undone["revision"])
    made = await watcher.until("change:made", lambda body: body["id"] == undone["changeId"])
    assert (made["undoOf"], made["label"]) == (page[2]["id"], "undid: changed 2 metadata")
    assert (await scene.get(f"changes/{page[2]['id']}"))["undoneBy"] == undone["changeId"]
    assert await scene.refused("POST", f"changes/{page[2]['id']}/undo") == (409, "conflict")
    redone = await scene.post(f"changes/{undone['changeId']}/undo")
    assert (await scene.get("metadata"))["metadata"] == before
    assert (await scene.get(f"changes/{page[2]['id']}"))["undoneBy"] is None
    assert (await scene.get(f"changes/{undone['changeId']}"))["undoneBy"] == redone["changeId"]

    assert "cell" not in (await scene.get("geometries"))["geometries"]
    await scene.post(f"changes/{page[0]['id']}/undo")
    assert (await scene.get("geometries"))["geometries"]["cell"]["type"] == "cell"
    assert await scene.refused("POST", "changes/019a0000-0000-7000-8000-000000000000/undo") == (404, "not_found")
    await watcher.leaves()


async def test_an_undo_is_refused_when_later_changes_overlap(scene: Scene, bobs: Scene) -> None:
    first = await scene.put("metadata", {"metadata": {"a": 1, "b": 1}})
    second = await bobs.put("metadata/b", {"value": 2})
    refused = await scene.request("POST", f"changes/{first['changeId']}/undo")
    told = refused.json()
    assert (refused.status_code, told["code"]) == (409, "overlap")
    assert [one["id"] for one in told["later"]] == [second["changeId"]]
    assert bobs.someone.name in told["detail"] and "set metadata b" in told["detail"]
    assert (await scene.get("metadata"))["metadata"] == {"a": 1, "b": 2}  # not half undone either
    await bobs.post(f"changes/{second['changeId']}/undo")
    await scene.post(f"changes/{first['changeId']}/undo")
    assert (await scene.get("metadata"))["metadata"] == {}


async def test_a_drag_is_one_change(scene: Scene, bobs: Scene) -> None:
    last: dict[str, Any] = {}
    for upper in range(1, 6):
        last = await scene.put("selections/particles", {"indices": list(range(upper))})
    page = (await scene.get("changes"))["items"]
    dragged = [(one["label"], one["id"], one["revision"]) for one in page[:-1]]
    assert dragged == [("selected 5 atoms", last["changeId"], 6)]
    await bobs.put("selections/particles", {"indices": [9]})
    await scene.put("selections/particles", {"indices": [8]})
    made = (await scene.get("changes"))["items"][:-1]
    assert len(made) == 3
    for change in made:
        await scene.post(f"changes/{change['id']}/undo")
    assert (await scene.get("selections"))["selections"] == {}


async def test_what_a_job_did_is_told_and_undone_in_one_go(
    scene: Scene, bobs: Scene, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(scene.someone, scene.room, "Relax")
    workers.append(worker)
    await scene.someone.submits(scene.room, "Relax", {"n": 3})
    job = await worker.gets()
    by_job = {"Authorization": f"Bearer {job['jobToken']}"}
    for n in range(3):
        answer = await scene.request("PUT", "metadata/x", {"value": n}, headers=by_job)
        assert answer.status_code == 200, answer.text
    answer = await scene.request("PUT", "selections/particles", {"indices": [2]}, headers=by_job)
    assert answer.status_code == 200
    await worker.runs(job)
    late = await scene.request("PUT", "metadata/x", {"value": 9}, headers=by_job)
    assert (late.status_code, late.json()["code"]) == (409, "attempt_lost")
    await bobs.put("metadata/y", {"value": 1})
    page = (await scene.get("changes", jobId=job["jobId"]))["items"]
    assert len(page) == 4
    assert {(one["extension"], one["machine"], one["parameters"]["n"]) for one in page} == {
        ("modifiers/Relax", "test", 3)
    }
    undone = await scene.post("changes/undo", {"jobId": job["jobId"]})
    assert len(undone["undone"]) == 4
    assert (await scene.get("metadata"))["metadata"] == {"y": 1}
    assert (await scene.get("selections"))["selections"] == {}
    assert await scene.refused("POST", "changes/undo", {"jobId": job["jobId"]}) == (404, "not_found")


async def test_everybody_follows_whoever_set_the_step_last(scene: Scene, bobs: Scene) -> None:
    watcher = await Watcher.joins(bobs.someone, scene.room)
    assert await scene.get("step") == {"step": 0, "length": 20}
    first = await scene.put("step", {"step": 0})
    assert first["step"] == 0
    heard = await watcher.until("step:changed", lambda body: body["step"] == 0)
    assert heard["by"] == {"id": scene.someone.id, "name": scene.someone.name}
    assert heard["stepRevision"] == first["stepRevision"]
    answer = await watcher.sio.call("step:set", {"room": scene.room, "step": 0})
    assert (answer["step"], answer["stepRevision"]) == (0, first["stepRevision"] + 1)
    heard = await watcher.until("step:changed", lambda body: body["by"]["name"] == bobs.someone.name)
    assert heard["stepRevision"] == (await scene.get("state"))["stepRevision"] == answer["stepRevision"]
    for step in (20, -21):
        answer = await scene.request("PUT", "step", {"step": step})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_input")
        assert "the room has 20 frames" in answer.json()["detail"]
    assert len((await scene.get("changes"))["items"]) == 1  # the frames
    state = await scene.get("state")
    assert (state["length"], state["step"], state["revision"], state["locks"]) == (20, 0, 1, [])
    await watcher.leaves()


async def test_chat_is_edited_by_its_author_and_taken_back_by_author_or_owner(scene: Scene, bobs: Scene) -> None:
    watcher = await Watcher.joins(scene.someone, scene.room)
    said = (await bobs.request("POST", "chat", {"text": "helo"})).json()
    assert (said["user"], said["edited"]) == (bobs.someone.name, False)
    edited = (await bobs.request("PATCH", f"chat/{said['id']}", {"text": "hello"})).json()
    assert (edited["text"], edited["edited"]) == ("hello", True) and edited["editedAt"]
    await watcher.until("chat:message", lambda body: body.get("text") == "hello")
    assert await scene.refused("PATCH", f"chat/{said['id']}", {"text": "mine"}) == (404, "not_found")
    mine = (await scene.request("POST", "chat", {"text": "mine"})).json()
    assert await bobs.refused("DELETE", f"chat/{mine['id']}") == (404, "not_found")
    assert (await scene.request("DELETE", f"chat/{said['id']}")).status_code == 204  # who owns the room
    await watcher.until("chat:message", lambda body: "deleted" in body and body["id"] == said["id"])
    assert [one["text"] for one in (await scene.get("chat"))["items"]] == ["mine"]
    await watcher.leaves()


async def test_a_copy_of_a_room_shows_the_same(scene: Scene) -> None:
    await scene.put("selections/particles", {"indices": [1]})
    await scene.delete("geometries/bonds")
    copy = f"{scene.room}-copy"
    assert (await scene.request("POST", "duplicate", {"name": copy})).status_code == 201
    twin = Scene(scene.someone, copy)
    for path in ("selections", "geometries", "metadata"):
        assert await twin.get(path) == await scene.get(path)
    assert (await twin.get("changes"))["items"] == []


async def test_a_stranger_sees_changes_and_hears_nothing_of_a_private_scene(server: LiveServer, ada: Someone) -> None:
    private = await ada.makes_room(f"{ada.name}-private", "private")
    inside, stranger = Scene(ada, private), await Someone.signs_in(server, f"stranger-to-{ada.name}")
    outside = Scene(stranger, private)
    watcher = Watcher()
    await watcher.sio.connect(server.url, auth={"token": stranger.token}, transports=["websocket"])
    assert not (await watcher.sio.call("room:join", {"room": private}))["ok"]
    listening = await Watcher.joins(ada, private)
    requests: list[tuple[str, str, Any]] = [
        ("GET", "selections", None),
        ("PUT", "selections/particles", {"indices": []}),
        ("GET", "geometries", None),
        ("GET", "geometries/schemas", None),
        ("GET", "changes", None),
        ("GET", "state", None),
        ("GET", "presence", None),
        ("PUT", "step", {"step": 0}),
        ("POST", "changes/undo", {"jobId": "019a0000-0000-7000-8000-000000000000"}),
    ]
    for method, path, body in requests:
        assert await outside.refused(method, path, body) == (404, "not_found")
    await inside.put("selections/arrows", {"indices": [1]})
    await listening.until("change:made", lambda _: True)
    assert watcher.heard == []
    await listening.leaves()
    await watcher.leaves()
    await stranger.close()


async def test_a_selection_has_the_name_of_the_user_who_set_it(server: LiveServer, ada: Someone, room: str) -> None:
    bob = await Someone.signs_in(server, f"bob-{room}")
    at = f"/api/rooms/{room}"
    for someone, key in [(ada, "surface"), (bob, "top")]:
        assert (await someone.http.put(f"{at}/selections/{key}", json={"indices": [0]})).is_success
    assert (await bob.http.put(f"{at}/selection-groups/pocket", json={"top": [0]})).is_success
    listed = await ada.get(f"{at}/selections")
    assert listed["authors"] == {"surface": ada.name, "top": bob.name}
    assert listed["groupAuthors"] == {"pocket": bob.name}
    assert (await bob.http.put(f"{at}/selections/surface", json={"indices": [0, 1]})).is_success
    assert (await ada.get(f"{at}/selections"))["authors"]["surface"] == bob.name
    await bob.close()
