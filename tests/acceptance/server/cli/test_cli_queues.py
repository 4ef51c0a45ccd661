"""Queues are paused and resumed, rooms are downloaded, and profiles are read from a server."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance import pool_functions
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually
from tests.acceptance.postings.test_postings_rest import posts
from tests.acceptance.server.cli.commands import Command, told
from tests.posting_backend import close_backend
from tests.structures import ase_read, molecule

from workroom import ClusterPool, Registry, Room
from workroom.store.embedded import running_url


@pytest.fixture
async def ada_posting(ada: Someone) -> str:
    return (await posts(ada, f"ids-{ada.name}", [[1]]))["postingId"]


async def _in_thread(run: Command, *words: str, **more: Any) -> Any:
    return await asyncio.to_thread(run, *words, **more)


async def test_a_paused_queue_keeps_its_jobs_until_it_is_resumed(run: Command, ada: Someone, room: str) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    words = ("modifiers/Relax", "--room", room)
    assert "is paused." in (await _in_thread(run, "admin", "pause", *words)).stdout
    assert told(await _in_thread(run, "admin", "pause", *words, "--json"))["changed"] is False
    submitted = await ada.submits(room, "Relax", {"n": 1})
    assert (submitted["status"], submitted["waitingFor"]) == ("pending", "paused")
    shown = (await _in_thread(run, "jobs", "show", submitted["jobId"])).stdout
    assert re.search(r"waiting for\s+it is paused", shown)
    (queue,) = [one for one in told(await _in_thread(run, "admin", "queues", "--json")) if one["room"] == room]
    assert queue["paused"] is True and queue["pendingJobs"] == 1
    assert worker.assigned.empty()
    assert "is running." in (await _in_thread(run, "admin", "resume", *words)).stdout
    job = await worker.gets()
    assert job["jobId"] == submitted["jobId"]
    await worker.runs(job)
    acts = [one["act"] for one in told(await _in_thread(run, "admin", "audit", "--json")) if room in str(one["detail"])]
    assert acts[:2] == ["queue.resume", "queue.pause"]
    await worker.leaves()


async def test_a_queue_is_adjusted_and_its_breakers_are_closed(run: Command, ada: Someone, room: str) -> None:
    worker = await PlainWorker.online(ada, room, "Relax", capacity=3, concurrency=1, breakerFailures=1)
    words = ("modifiers/Relax", "--room", room)
    assert "--concurrency" in (await _in_thread(run, "admin", "adjust", *words, code=1)).stderr
    changed = (await _in_thread(run, "admin", "adjust", *words, "--concurrency", "2", "--priority", "8")).stdout
    assert "2 jobs at once on each worker, priority 8, set by an admin" in changed
    slots = told(await _in_thread(run, "admin", "adjust", *words, "--concurrency", "0", "--json"))
    assert (slots["concurrency"], slots["priority"]) == (None, 8), "what is not named stays"
    given_back = (await _in_thread(run, "admin", "adjust", *words, "--as-registered")).stdout
    assert "as many jobs as its slots at once on each worker, priority 8, until the next worker registers" in given_back

    await ada.submits(room, "Relax", {"n": 1})
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error="no"))["ok"]
    waits = await ada.submits(room, "Relax", {"n": 2})
    assert waits["waitingFor"] == "breaker_open"
    (queue,) = [one for one in told(await _in_thread(run, "admin", "queues", "--json")) if one["room"] == room]
    assert queue["breakersOpen"] == 1
    assert "failures of 1 worker no longer" in (await _in_thread(run, "admin", "close-breakers", *words)).stdout
    assert (await worker.gets())["jobId"] == waits["jobId"]
    assert "No worker has failures" in (await _in_thread(run, "admin", "close-breakers", *words)).stdout
    await worker.leaves()


async def test_only_an_admin_pauses_a_queue_and_only_one_that_exists(run: Command, ada: Someone, room: str) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    words = ("admin", "pause", "modifiers/Relax", "--room", room)
    assert "Only an admin" in (await _in_thread(run, *words, "--token", ada.token, code=1)).stderr
    assert (
        "no extension modifiers/Nothing"
        in (await _in_thread(run, "admin", "pause", "modifiers/Nothing", code=1)).stderr
    )
    assert "write CATEGORY/NAME" in (await _in_thread(run, "admin", "pause", "Relax", code=1)).stderr
    await worker.leaves()


async def test_a_pool_returns_what_it_has_not_started_when_the_queue_is_paused(
    run: Command, server: LiveServer, admin: Someone
) -> None:
    """A pool holds jobs in advance; those of a paused queue must not run."""
    url = running_url(server.data)
    assert url is not None
    pool = ClusterPool(1, imports=[pool_functions.__name__], database=url)
    posting = await asyncio.to_thread(Registry["nap"].post_work, [(0.02, n) for n in range(400)], database=url)

    async def look() -> dict[str, Any]:
        return await admin.get(f"/api/postings/{posting.id}")

    try:
        await asyncio.to_thread(pool.start)
        await eventually(look, lambda one: one["completed"] > 0, within=30, wanted="a first result")
        await _in_thread(run, "admin", "pause", "functions/nap")
        held = await eventually(look, lambda one: one["active"] == 0, wanted="no job at the pool")
        assert held["remaining"] > 0 and held["waitingFor"] == "paused"
        shown = (await _in_thread(run, "postings", "show", str(posting.id))).stdout
        assert "workroom admin resume" in shown
        # A claim that was under way when the queue was paused may have brought the pool a last job.
        settled = await eventually(look, lambda one: one["active"] == 0, wanted="no job at the pool")
        await asyncio.sleep(0.5)
        assert (await look())["completed"] == settled["completed"]
        await _in_thread(run, "admin", "resume", "functions/nap")
        assert (await eventually(look, lambda one: one["remaining"] == 0, within=30))["completed"] == 400
    finally:
        await asyncio.to_thread(pool.stop)
        close_backend(url)


def test_a_room_is_downloaded_as_a_file(run: Command, server: LiveServer, admin_token: str, tmp_path: Path) -> None:
    with Room("cli-download", server.url, token=admin_token) as room:
        room.extend([molecule("H2O"), molecule("CH4"), molecule("NH3")])
    file = tmp_path / "all.extxyz"
    assert told(run("rooms", "download", "cli-download", str(file), "--json"))["bytes"] == file.stat().st_size
    assert [len(one) for one in ase_read(file, ":")] == [3, 5, 4]
    assert "--force" in run("rooms", "download", "cli-download", str(file), code=1).stderr
    run("rooms", "export", "cli-download", str(file), "--start", "-1", "--selection", "0,1", "--force")
    assert [str(one.symbols) for one in ase_read(file, ":")] == ["NH"]
    for words, message in (
        ((str(tmp_path / "no-suffix"),), "The file name shows no format: give one of extxyz"),
        ((str(tmp_path / "a.docx"),), "'docx' is no format: give one of extxyz"),
        ((str(tmp_path / "missing" / "a.xyz"),), "There is no folder"),
        ((str(tmp_path), "--format", "xyz"), "is a folder. Name a file in it"),
        ((str(tmp_path / "b.xyz"), "--selection", "nothing"), "There is no selection 'nothing'"),
        ((str(tmp_path / "b.xyz"), "--step", "0"), "cannot be 0"),
    ):
        assert message in run("rooms", "download", "cli-download", *words, code=1).stderr
    assert "There is no such room" in run("rooms", "download", "cli-nowhere", str(tmp_path / "c.xyz"), code=1).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["all.extxyz"]


def test_json_names_the_id_of_everything_alike(run: Command, ada_posting: str) -> None:
    (posting,) = [one for one in told(run("postings", "list", "--json")) if one["postingId"] == ada_posting]
    assert posting["id"] == ada_posting
    (job,) = told(run("jobs", "list", "--posting", ada_posting, "--json"))
    assert job["id"] == job["jobId"] == told(run("jobs", "show", job["id"], "--json"))["id"]


async def test_a_watched_job_has_a_bar_on_a_terminal(server: LiveServer, ada: Someone, room: str) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    job_id = (await ada.submits(room, "Relax", {"n": 1}))["jobId"]
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    progress = {"jobId": job_id, "attempt": 1, "workerId": worker.id, "fraction": 0.25, "message": "step 5"}
    await worker.sio.call("job:progress", progress)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "workroom.cli", "jobs", "watch", job_id, "--url", server.url, "--token", ada.token]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    )
    os.close(theirs)
    shown = b""
    try:
        async with asyncio.timeout(60):
            while b"modifiers/Relax running 25% step 5" not in shown or "━".encode() not in shown:
                shown += await asyncio.to_thread(os.read, ours, 4_096)
            assert (await worker.says(job, "completed"))["ok"]
            assert await process.wait() == 0
    finally:
        os.close(ours)
        await worker.leaves()
