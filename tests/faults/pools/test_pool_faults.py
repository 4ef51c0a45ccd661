"""The server's pool, broken in every place: its job processes, the worker that keeps them, the server above it.

Each story is one row of a table, printed at the end. Nothing of a pool outlives it: no process, no folder.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from tests.acceptance.live import LiveServer

from workroom import Room
from workroom.client.blocking_room import JobHandle

ROWS: list[tuple[str, str, str]] = []
PATIENCE = 60.0


@pytest.fixture(scope="module", autouse=True)
def table() -> Generator[None]:
    yield
    print(f"\n{'what happened':<52} {'the job that ran':<24} afterwards")
    for what, ended, after in ROWS:
        print(f"{what:<52} {ended:<24} {after}")


@dataclass
class Shop:
    """A server with a pool, and the files that its jobs wait for."""

    server: LiveServer
    folder: Path
    room: Room

    def running_job(self) -> tuple[JobHandle, Path]:
        """A job that goes on until its file is there."""
        path = self.folder / f"go-{time.monotonic_ns()}"
        job = self.room.run("built-in/BuiltInLate", path=str(path))
        until(lambda: job.refresh().progress)
        return job, path

    def processes(self) -> dict[str, list[psutil.Process]]:
        """What is there of the pool, by kind."""
        found: dict[str, list[psutil.Process]] = {"builtin": [], "reaper": [], "child": []}
        for process in psutil.Process(self.server.pid).children(recursive=True):
            command = " ".join(process.cmdline())
            for kind, sign in (("builtin", "worker.builtin"), ("reaper", "reaper.py"), ("child", "confined_child")):
                if sign in command:
                    found[kind].append(process)
        return found

    def online(self) -> None:
        until(lambda: any(one.kind == "pool" and one.state == "idle" for one in self.room.workers))

    def serves(self) -> str:
        self.online()
        assert self.room.run("built-in/BuiltInReturns").result(PATIENCE)["what"] == "a result"
        return "serves"


@pytest.fixture(scope="module")
def shop() -> Generator[Shop]:
    """One for all: each test leaves it as it was, or starts it again."""
    # Its temporary folders are seen here, where nobody else's are.
    place = tempfile.mkdtemp(prefix="workroom-test-")
    live = LiveServer.with_pool(2, TMPDIR=place, WORKROOM_POOL_WRITABLE=place, WORKROOM_POOL_STOP_SECONDS="3").start()
    try:
        with Room("lab", live.url, "ada") as room:
            opened = Shop(live, Path(place), room)
            opened.online()
            yield opened
    finally:
        live.remove()
        assert list(Path(place).glob("workroom-job-*")) == []


def until(true: Callable[[], object], within: float = PATIENCE) -> None:
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        threading.Event().wait(0.02)


def gone(processes: list[psutil.Process]) -> bool:
    return not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes)


def everything(shop: Shop) -> list[psutil.Process]:
    found = shop.processes()
    assert len(found["builtin"]) == len(found["reaper"]) == 1 and found["child"]
    return [process for kind in found.values() for process in kind]


@pytest.mark.fault("F14")
def test_a_killed_job_process_costs_its_job_alone(shop: Shop) -> None:
    one, _ = shop.running_job()
    other, path = shop.running_job()
    third = shop.room.run("built-in/BuiltInReturns")
    progress = one.refresh().progress
    assert progress is not None
    os.kill(int(progress.message), signal.SIGKILL)
    error = one.wait(PATIENCE).refresh().error
    assert error is not None and error.type == "ProcessDied"
    assert third.result(PATIENCE)["what"] == "a result"  # another process came for it
    assert other.status == "running"
    path.touch()
    assert other.wait(PATIENCE).status == "completed"
    ROWS.append(("a job's process killed -9", "failed: process_died", shop.serves()))


@pytest.mark.fault("F2")
def test_a_killed_pool_is_replaced_and_its_job_given_up_at_once(shop: Shop) -> None:
    job, _ = shop.running_job()
    before = everything(shop)
    began = time.monotonic()
    shop.processes()["builtin"][0].kill()
    until(lambda: gone(before))
    detail = job.wait(PATIENCE).refresh()
    took = time.monotonic() - began
    assert detail.error is not None and detail.error.reason == "worker_lost"
    ROWS.append((f"the pool killed -9 (told after {took:.1f} s)", "failed: worker_lost", shop.serves()))


@pytest.mark.fault("F1")
def test_nothing_of_the_pool_outlives_a_killed_server(shop: Shop) -> None:
    job, _ = shop.running_job()
    before = everything(shop)
    shop.server.kill()
    until(lambda: gone(before))
    until(lambda: not list(shop.folder.glob("workroom-job-*")))
    shop.server.start()
    after = shop.serves()
    detail = job.wait(PATIENCE).refresh()
    assert detail.error is not None and detail.error.reason == "worker_lost"
    ROWS.append(("the server killed -9 and started again", "failed: worker_lost", after))


def test_a_stopped_server_lets_the_job_that_runs_end(shop: Shop) -> None:
    job, path = shop.running_job()
    before = everything(shop)
    os.kill(shop.server.pid, signal.SIGTERM)
    until(lambda: any(one.state == "draining" for one in shop.room.workers if one.kind == "pool"))
    waits = shop.room.run("built-in/BuiltInReturns")
    path.touch()
    assert shop.server.ended() == 0
    assert gone(before)
    shop.server.start()
    assert job.wait(PATIENCE).status == "completed"
    assert waits.result(PATIENCE)["what"] == "a result"
    ROWS.append(("the server stopped by SIGTERM", "completed", shop.serves()))


def test_a_stopped_server_waits_no_longer_than_it_was_told(shop: Shop) -> None:
    job, _ = shop.running_job()
    before = everything(shop)
    began = time.monotonic()
    assert shop.server.stop() == 0
    assert time.monotonic() - began > 2.5 and gone(before)
    shop.server.start()
    after = shop.serves()
    assert job.wait(PATIENCE).status == "failed"
    ROWS.append(("the server stopped, and the job did not end in 3 s", "failed: worker_lost", after))
