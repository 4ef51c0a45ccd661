"""A database with rows in every table, made by what users, workers and pools do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

from tests.acceptance import profiled_functions
from tests.acceptance.live import LiveServer, PlainWorker, Someone
from tests.acceptance.rooms.test_thumbnail import picture
from tests.posting_backend import close_backend
from tests.structures import Atoms, bulk

from workroom import Category, ClusterPool, Extension, File, FileLimits, Room
from workroom.store.embedded import running_url

ROOM = "moved"


class Grow(Extension):
    """Changes the room, with a file."""

    category = Category.MODIFIER
    file: Annotated[File, FileLimits(suffixes=(".txt",))] | None = None

    def run(self, vis: Any, **kwargs: Any) -> None:
        print("a line of the log")
        vis.progress(0.5, "half")
        vis.append(Atoms("OH2"))


async def fill(server: LiveServer, folder: Path) -> None:
    admin = await Someone.admin(server)
    ada, bob = await Someone.signs_in(server, "ada"), await Someone.signs_in(server, "bob")
    room = await ada.makes_room(ROOM, "private")
    at = f"/api/rooms/{room}"
    for answer in (
        await ada.http.put(f"{at}/members/bob", json={"rights": "write"}),
        await ada.http.delete(f"{at}/members/bob"),
        await ada.http.put(f"{at}/members/admin", json={"rights": "read"}),
        await ada.http.post(f"{at}/links", json={"rights": "read"}),
        await ada.http.put(f"{at}/thumbnail", content=picture("red")),
        await ada.http.post(f"{at}/chat", json={"text": 'a "quoted" \\ backslash, and é'}),
        await ada.http.post("/api/login/codes"),
        await admin.http.put(f"/api/users/{bob.id}/quotas", json={"limits": {"rooms": 4}}),
        await admin.http.post("/api/users/me/tokens", json={"name": "kept", "scopes": ["metrics"]}),
        await ada.http.post("/api/postings", json={"function": "later", "jobs": [{"args": [n]} for n in range(50)]}),
    ):
        assert answer.is_success, answer.text
    await _jobs(ada, room)
    await asyncio.to_thread(_frames, server, folder)
    await asyncio.to_thread(_profiles, server)
    await (await PlainWorker.online(ada, "gone", "Relax")).leaves()
    # With the room its extension goes, and leaves counts; its frame waits for the pruner. A lock is held for a minute.
    assert (await ada.http.delete("/api/rooms/gone")).is_success
    lock = {"client": "tab", "ttlSeconds": 60}
    assert (await ada.http.post(f"{at}/locks/trajectory/acquire", json=lock)).is_success
    for someone in (admin, ada, bob):
        await someone.close()


async def _jobs(ada: Someone, room: str) -> None:
    """Jobs in several states, with their attempts, dependents, values of settings and a preset."""
    worker = await PlainWorker.online(ada, room, "Relax", tries=2, backoffBase=0.01)
    forms = await PlainWorker.online(ada, room, "Camera", category="settings")
    await ada.submits(room, "Camera", {"n": 7}, category="settings")
    preset = await ada.http.put(f"/api/rooms/{room}/extensions/modifiers/Relax/presets/tight", json={"data": {"n": 1}})
    assert preset.is_success, preset.text
    first = (await ada.submits(room, "Relax", {"n": 3}))["jobId"]
    await ada.submits(room, "Relax", {"n": 4}, dependsOn=[first])
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error={"type": "ValueError", "message": "once more"}))["ok"]
    await worker.runs(await worker.gets(), result={"energy": -1.5})
    for one in (worker, forms):
        await one.leaves()


def _frames(server: LiveServer, folder: Path) -> None:
    """Frames, figures, bookmarks, and a job that changes them."""
    file = folder / "input.txt"
    file.write_text("an input")
    with Room("gone", server.url, "ada") as gone:
        gone.append(Atoms("CH4"))
    with Room(ROOM, server.url, "ada") as room:
        room.extend([Atoms("OH2"), bulk("Cu", cubic=True)])
        room.bookmarks[0] = "the first"
        room.bookmarks[0] = "the first of all"
        room.register_extension(Grow)
        assert room.run(Grow(file=File(file))).wait(60).status == "completed"  # pyright: ignore[reportArgumentType]


def _profiles(server: LiveServer) -> None:
    url = running_url(server.data)
    assert url is not None
    posting = profiled_functions.workload.post_work([(1,)], database=url)
    with ClusterPool(1, database=url, imports=[profiled_functions.__name__]):
        posting.wait(60)
    close_backend(url)
