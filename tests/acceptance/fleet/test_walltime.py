"""Workers that know their end: they take what fits, hand back the rest, and are gone in time."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.acceptance.fleet import walltime_functions
from tests.acceptance.live import ROOT, LiveServer, PlainWorker, Someone
from tests.posting_backend import close_backend

from workroom import AsyncRoom, Category, ClusterPool, Extension
from workroom.worker.walltime import Walltime

TIMEOUT = walltime_functions.short_nap.timeout or 0.0


class Fitting(Extension):
    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> str:
        return "done"


class Lasting(Extension):
    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> str:
        return "done"


async def test_a_worker_takes_what_fits_and_ends_before_its_walltime(
    server: LiveServer, ada: Someone, name: str
) -> None:
    walltime = Walltime.of(10)
    async with AsyncRoom(name, server.url, ada.name, walltime=walltime) as room:
        await room.register_extension(Fitting, timeout=0.5)
        await room.register_extension(Lasting, timeout=600)
        lasting = (await ada.submits(name, "Lasting"))["jobId"]
        fitting = (await ada.submits(name, "Fitting"))["jobId"]
        await ada.sees(fitting, "completed")
        told = await ada.job(lasting)
        assert (told["status"], told["waitingFor"]) == ("pending", "no_time")
        assert told["waitingText"] == "no worker has enough time left: Lasting may run 600 s"
        workers = (await ada.get(f"/api/rooms/{name}/workers"))["items"]
        assert [worker["room"] for worker in workers if worker["endsAt"] is not None] == [
            name
        ]  # others serve all rooms
        await asyncio.wait_for(room.wait(), 20)
        assert time.monotonic() < walltime.ends_at
    async with AsyncRoom(name, server.url, ada.name) as other:
        await other.register_extension(Lasting, timeout=600)
        job = await ada.sees(lasting, "completed")
        assert job["attempt"] == 1


async def test_a_worker_without_jobs_ends_by_itself(server: LiveServer, ada: Someone, name: str) -> None:
    async with AsyncRoom(name, server.url, ada.name, idle_exit=0.5) as room:
        await room.register_extension(Fitting)
        job = (await ada.submits(name, "Fitting"))["jobId"]
        await asyncio.wait_for(room.wait(), 20)
        assert (await ada.job(job))["status"] == "completed"
        workers = (await ada.get(f"/api/rooms/{name}/workers"))["items"]
        assert [worker for worker in workers if worker["room"] == name] == []


@pytest.mark.full
def test_a_pool_hands_back_what_does_not_fit_and_ends(database: str, tmp_path: Path) -> None:
    """Calls that it has claimed and not begun cost no try, and each runs once."""
    calls = 40
    file = tmp_path / "ran"
    posting = walltime_functions.short_nap.post_work([(str(file), n) for n in range(calls)], database=database)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("WORKROOM_")}
    path = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
    module = "tests.acceptance.fleet.walltime_functions"
    command = ["pool", "--import", module, "--workers", "1", "--walltime", "4s", "--database", database]
    done = subprocess.run(
        [sys.executable, "-m", "workroom.cli", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment | {"PYTHONPATH": path},
    )
    ended = time.time()
    assert done.returncode == 0, done.stderr
    began = [float(line.split()[1]) for line in file.read_text().splitlines()] if file.exists() else []
    assert all(one <= ended - TIMEOUT for one in began), "a call began that might not have ended in time"
    with psycopg.connect(database) as connection:
        query = "SELECT DISTINCT state::text, failures, losses FROM job WHERE state <> 'completed'"
        assert connection.execute(query).fetchall() == [("pending", 0, 0)], "it ended before all calls had run"
    with ClusterPool(1, imports=[module], database=database, profile=0.0):
        assert sorted(posting.wait(60).results()) == list(range(calls))
    assert sorted(int(line.split()[0]) for line in file.read_text().splitlines()) == list(range(calls))
    close_backend(database)


async def test_what_waits_is_told_to_those_who_may_run_it(
    server: LiveServer, ada: Someone, workers: list[PlainWorker], name: str
) -> None:
    room = await ada.makes_room(name, "private")
    worker = await PlainWorker.online(ada, room, "Relax", resources={"gpus": 1}, timeoutSeconds=5)
    workers.append(worker)
    for _ in range(2):
        await ada.submits(room, "Relax")
    (item,) = [one for one in (await ada.get(f"/api/rooms/{room}/demand"))["items"] if one["scope"] != "function"]
    assert item == {
        "scope": "room",
        "category": "modifiers",
        "name": "Relax",
        "resources": {"gpus": 1},
        "timeoutSeconds": 5,
        "waiting": 2,
    }
    stranger = await Someone.signs_in(server, f"stranger-{name}")
    assert (await stranger.http.get(f"/api/rooms/{room}/demand")).status_code == 404
    await stranger.close()


async def test_bad_resources_of_a_registration_are_named(ada: Someone, room: str) -> None:
    answer = await PlainWorker(ada).registers(room, "Relax", resources={"GPU": 1})
    assert answer.status_code == 400 and "is no name of a resource" in answer.json()["detail"]
