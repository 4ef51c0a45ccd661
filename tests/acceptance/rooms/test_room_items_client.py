"""What a room shows, and its locks, from Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from itertools import count
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from ase import Atoms
from tests.acceptance.live import LiveServer

from workroom import AsyncRoom, BadInput, Category, Extension, Room
from workroom.domain.errors import InvalidArguments, LockLost, NotFound, RoomLocked, UndoConflict
from workroom.geometries import Arrows, Box, ColourBy, Spheres

_numbers = count(1)
figure_class: Any = go.Figure


@pytest.fixture
def room(server: LiveServer) -> Generator[Room]:
    """A room with twenty frames of twenty atoms."""
    with Room(f"scene-{next(_numbers)}", server.url, "ada") as room:
        room.extend([Atoms("H20")] * 20)
        yield room


@pytest.fixture
def bobs(server: LiveServer, room: Room) -> Generator[Room]:
    with Room(room.name, server.url, "bob", create=False) as same:
        yield same


def test_selections_read_as_tuples(room: Room, bobs: Room) -> None:
    assert room.selection == () and room.selections["nothing"] == ()
    room.selection = [3, 1]
    assert bobs.selection == (3, 1) and bobs.selections == {"particles": (3, 1)}
    bobs.selection = np.array([True, False, True])
    assert room.selection == (0, 2)
    room.selection = None
    assert room.selection == ()
    room.selections["forces"] = np.arange(3)
    assert dict(room.selections) == {"forces": (0, 1, 2), "particles": ()}
    room.selections = {"a": (1,), "b": range(2)}
    assert sorted(room.selections) == ["a", "b"] and len(room.selections) == 2 and "a" in room.selections
    del room.selections["a"]
    with pytest.raises(KeyError):
        del room.selections["a"]
    room.selection_groups["pocket"] = {"particles": [1], "forces": (2, 3)}
    assert room.selection_groups == {"pocket": {"particles": (1,), "forces": (2, 3)}}
    assert room.frame_selection == ()
    room.frame_selection = [0, 4]
    assert room.frame_selection == (0, 4)
    room.frame_selection = None
    assert room.frame_selection == ()
    for wrong in ("all", 7, [1.5], [-1]):
        with pytest.raises(BadInput):
            room.selection = wrong  # pyright: ignore[reportAttributeAccessIssue]


def test_bookmarks_and_metadata_are_mappings(room: Room) -> None:
    room.bookmarks[3] = "start"
    room.bookmarks.update({10: "end"})
    assert room.bookmarks == {3: "start", 10: "end"} and list(room.bookmarks) == [3, 10]
    assert room.bookmarks.pop(3) == "start" and 3 not in room.bookmarks
    with pytest.raises(KeyError):
        room.bookmarks[99]
    room.bookmarks = {1: "one"}
    assert repr(room.bookmarks) == "{1: 'one'}"
    room.metadata["run"] = {"temperature": np.float64(300.0), "seeds": np.arange(2), "note": "é / ?"}
    room.metadata["a key?&#%"] = None
    assert room.metadata == {"run": {"temperature": 300.0, "seeds": [0, 1], "note": "é / ?"}, "a key?&#%": None}
    del room.metadata["a key?&#%"]
    assert room.metadata.get("nothing", 5) == 5 and room.metadata.setdefault("x", 1) == 1
    room.metadata.clear()
    assert len(room.metadata) == 0
    with pytest.raises(BadInput, match="JSON"):
        room.metadata["x"] = object()
    with pytest.raises(BadInput, match="key"):
        room.metadata["a/b"] = 1


def test_geometries_are_models(room: Room) -> None:
    assert set(room.geometries) == {"spheres", "bonds", "cell"}
    spheres = room.geometries["spheres"]
    assert isinstance(spheres, Spheres) and spheres.color == "element"
    room.geometries["spheres"] = spheres.model_copy(update={"scale": 0.5, "color": ColourBy(key="arrays.charges")})
    room.geometries["forces"] = Arrows(direction="calc.forces")
    room.geometries["box"] = {"type": "box", "data": {"size": (1, 2, 3), "position": np.zeros((2, 3))}}
    box = room.geometries["box"]
    assert isinstance(box, Box) and box.size == (1, 2, 3) and len(box.position) == 2
    assert isinstance(room.geometries["spheres"], Spheres)
    with pytest.raises(InvalidArguments, match=r"data\.opacity"):
        room.geometries["x"] = {"type": "box", "data": {"opacity": 7}}
    with pytest.raises(BadInput):
        room.geometries["x"] = "box"  # pyright: ignore[reportArgumentType]
    room.geometries = {"only": Spheres()}
    assert room.geometries == {"only": Spheres()}


def test_plotly_figures_go_in_and_come_out(room: Room, bobs: Room) -> None:
    figure = figure_class(
        data=[go.Scatter(x=np.linspace(0, 1, 50), y=np.random.default_rng(1).random(50), name="energy")],
        layout={"title": {"text": "Energy"}},
    )
    room.figures["energy"] = figure
    room.figures["map"] = figure_class(go.Heatmap(z=np.arange(6.0).reshape(2, 3)))
    assert np.array_equal(room.figures.pop("map").data[0].z, np.arange(6.0).reshape(2, 3))
    room.figures["plain"] = {"data": [{"type": "bar", "y": np.array([1, 2])}], "links": [{"to": "frames"}]}
    assert sorted(bobs.figures) == ["energy", "plain"]
    read = bobs.figures["energy"]
    assert isinstance(read, figure_class)
    assert np.array_equal(read.data[0].y, figure.data[0].y) and read.layout.title.text == "Energy"
    assert list(bobs.figures["plain"].data[0].y) == [1, 2]
    bobs.figures.link("energy", "atoms", [5, 6])
    assert [(one["to"], one["indices"]) for one in room.figures.links("energy")] == [("atoms", [5, 6])]
    assert [one["to"] for one in room.figures.links("plain")] == ["frames"]
    with pytest.raises(KeyError):
        room.figures["nothing"]
    with pytest.raises(BadInput, match="Plotly"):
        room.figures["x"] = 7
    room.figures = {"one": figure}
    assert list(room.figures) == ["one"] and repr(room.figures) == "<figures one>"


def test_the_step_is_everybodys(room: Room, bobs: Room) -> None:
    room.clear()
    assert room.step == 0
    with pytest.raises(BadInput, match="the room has 0 frames"):
        room.step = 1
    room.extend([Atoms("H") for _ in range(4)])
    room.step = 2
    assert bobs.step == 2
    bobs.step = -1
    assert room.step == 3
    with room.batch():
        room.append(Atoms("He"))
        room.step = 4
    assert bobs.step == 4 and bobs.atoms.get_chemical_formula() == "He"


def test_frames_are_undone_too_and_overlap_is_named(room: Room, bobs: Room) -> None:
    room.clear()
    room.extend([Atoms("H"), Atoms("He"), Atoms("Li")])
    room.step = 2
    room.selection = [0]
    bobs.append(Atoms("Be"))
    assert [one.label for one in room.changes][:3] == ["added 1 frame", "selected 1 atom", "added 3 frames"]
    first = room.changes[2]
    assert first.frames is not None and (first.frames.start, first.frames.removed, first.frames.added) == (0, 0, 3)
    assert room.undo(first).undone == [first.id]
    assert [one.get_chemical_formula() for one in room] == ["Be"] and room.step == 0
    room.undo(room.changes[0])
    assert [one.get_chemical_formula() for one in room] == ["H", "He", "Li", "Be"]
    bobs[1] = Atoms("C")
    with pytest.raises(UndoConflict, match="The trajectory was changed since: bob ") as caught:
        room.undo(first)
    assert caught.value.detail["later"][0]["author"] == "bob"
    room.undo(bobs.changes[0])
    room.undo(first)
    assert [one.get_chemical_formula() for one in room] == ["Be"]


class Mark(Extension):
    category = Category.MODIFIER
    n: int = 3

    def run(self, vis: Any, **kwargs: Any) -> None:
        with vis.lock("metadata", msg="marking") as lock:
            for n in range(self.n):
                vis.metadata["n"] = n
                lock.msg = f"marked {n}"
        vis.selection = [self.n]


def test_changes_are_told_and_undone(room: Room, bobs: Room) -> None:
    room.metadata["a"] = 1
    bobs.bookmarks[2] = "here"
    assert [(one.label, one.author.name) for one in room.changes] == [
        ("bookmarked frame 2 as 'here'", "bob"),
        ("set metadata a", "ada"),
        ("added 20 frames", "ada"),
    ]
    shown = repr(room.changes)
    assert "set metadata a" in shown and "ada" in shown
    room.undo(room.changes[1])
    assert room.metadata == {}
    assert "set metadata a (undone)" in repr(room.changes)
    room.undo()
    assert room.bookmarks == {}
    room.undo()
    assert len(room) == 0
    with pytest.raises(NotFound):
        room.undo()
    room.metadata["a"] = 2
    first = room.changes[0]
    bobs.metadata["a"] = 3
    with pytest.raises(UndoConflict, match="bob set metadata a") as caught:
        room.undo(first.id)
    assert caught.value.detail["later"][0]["label"] == "set metadata a"
    with pytest.raises(BadInput):
        room.undo("this")


def test_what_a_job_did_is_undone_by_its_handle(room: Room) -> None:
    room.register_extension(Mark)
    room.selection = [1]
    handle = room.run(Mark(n=3))
    assert handle.wait(10).status == "completed", handle.refresh().error
    assert (room.metadata, room.selection) == ({"n": 2}, (3,))
    page = room.portal.call(room.inner.changes(handle))
    assert len(page) == 4 and {one.extension for one in page} == {"modifiers/Mark"}
    assert page[0].parameters == {"n": 3} and page[0].machine
    undone = room.undo(handle)
    assert len(undone.undone) == 4
    assert (room.metadata, room.selection) == ({}, (1,))


def test_a_lock_nests_tells_what_it_is_for_and_keeps_others_out(room: Room, bobs: Room) -> None:
    with room.lock("metadata", msg="Sorting") as outer:
        fence = outer.fence
        with pytest.raises(RoomLocked, match="ada holds the lock on the metadata: Sorting"):
            bobs.metadata["x"] = 1
        with pytest.raises(RoomLocked), bobs.lock("metadata", wait=0):
            pass
        with room.lock("metadata") as inner:
            assert inner.fence == fence
            room.metadata["x"] = 2
            inner.msg = "Halfway"
        assert room.portal.call(room.inner.state()).locks[0].message == "Halfway" and outer.msg == "Halfway"
        room.metadata.update({"y": 3})
        room.undo()  # under the lock too
        bobs.bookmarks[1] = "elsewhere"
    bobs.metadata["x"] = 4
    with bobs.lock:  # the trajectory, without more words
        assert [lock.target for lock in room.portal.call(room.inner.state()).locks] == ["trajectory"]
    assert room.portal.call(room.inner.state()).locks == []


def test_a_lock_is_waited_for(room: Room, bobs: Room) -> None:
    order: list[str] = []
    taken = threading.Event()

    def holds() -> None:
        with room.lock("metadata"):
            taken.set()
            time.sleep(0.3)
            order.append("first")

    holder = threading.Thread(target=holds)
    holder.start()
    taken.wait()
    with bobs.lock("metadata", wait=10):
        order.append("second")
    holder.join()
    assert order == ["first", "second"]


def test_a_lock_outlives_its_time_because_it_is_refreshed(room: Room, bobs: Room) -> None:
    with room.lock("metadata", ttl=0.6):
        with pytest.raises(RoomLocked), bobs.lock("metadata", wait=1.5):
            pass
        room.metadata["kept"] = True


def test_a_lost_lock_is_told_and_its_writes_are_refused(room: Room, bobs: Room) -> None:
    def in_vain() -> None:
        with room.lock("metadata") as lock:
            loses(lock)

    def loses(lock: Any) -> None:
        token = room.inner.locks.headers("metadata")["Workroom-Lock"]
        path = f"/api/rooms/{room.name}/locks/metadata/release"
        room.portal.call(room.inner.access.post(path, {"token": token}))
        bobs.metadata["x"] = "bob's"
        with pytest.raises(LockLost):
            room.metadata["x"] = "ada's"
        with pytest.raises(LockLost):
            lock.msg = "still here"
        assert lock.is_lost

    with pytest.raises(LockLost):
        in_vain()
    assert bobs.metadata == {"x": "bob's"}
    room.metadata["x"] = "ada's, later"


def test_a_killed_holder_frees_its_lock_after_the_grace(server: LiveServer, room: Room) -> None:
    script = f"""
import time
from workroom import Room
room = Room({room.name!r}, {server.url!r}, "carol")
with room.lock(msg="Uploading"):
    room.portal.call(room.inner.live.join(room.name))  # as it does by itself after a moment
    print("held", flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(RoomLocked, match="carol"), room.lock(wait=0):
        pass
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    started = time.monotonic()
    with room.lock(wait=20):
        assert time.monotonic() - started < 10  # the grace of 1.5 s and a sweep, not the lock's minute


async def test_the_asynchronous_twin(server: LiveServer) -> None:
    async with AsyncRoom(f"scene-{next(_numbers)}", server.url, "ada") as room:
        await room.extend([Atoms("H3")] * 3)
        await room.set_selection([1, 2])
        assert await room.get_selection() == (1, 2)
        await room.bookmarks.set(1, "one")
        assert await room.bookmarks.all() == {1: "one"}
        async with room.lock("bookmarks", msg="x") as lock:
            await lock.update("y")
            await room.bookmarks.replace({2: "two"})
            assert (await room.state()).locks[0].message == "y"
        await room.undo()
        assert await room.bookmarks.all() == {1: "one"}
        assert [one.label for one in await room.changes(limit=1)] == ["undid: changed 2 bookmarks"]
        assert await room.get_step() == 0
        message = await room.log("helo")
        assert (await room.edit(message, "hello")).edited_at is not None
        await room.take_back(message)
        assert await room.chat() == []
        await room.live.join(room.name)
        assert [one["name"] for one in await room.presence()] == ["ada"]
