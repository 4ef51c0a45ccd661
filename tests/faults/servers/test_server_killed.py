"""The server is killed with -9 under live workers, and started again."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, ended, eventually
from tests.faults.fault_table import FaultRecorder

# On a machine that has nothing else to do; other test files may be running at its side.
READY_SECONDS = 5.0 * int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


@pytest.fixture
def doomed_server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.mark.fault("F1")
async def test_twenty_running_jobs_survive_a_killed_server(doomed_server: LiveServer, fault: FaultRecorder) -> None:
    server = doomed_server
    ada = await Someone.signs_in(server, "ada")
    room = await ada.makes_room("lab")
    workers = [await PlainWorker.online(ada, room, "Relax") for _ in range(20)]
    ids = [(await ada.submits(room, "Relax", {"n": n}))["jobId"] for n in range(20)]
    jobs = [await worker.gets() for worker in workers]
    for worker, job in zip(workers, jobs, strict=True):
        assert (await worker.says(job, "running"))["ok"]
    waiting = (await ada.submits(room, "Relax", {"n": 99}))["jobId"]

    server.kill()
    started = time.perf_counter()
    server.start()
    ready = time.perf_counter() - started
    assert ready < READY_SECONDS

    # Sockets come back with the tokens they had: a server that restarts does not make anybody register again.
    fresh = [await _back(worker) for worker in workers]
    for worker, job in zip(fresh, jobs, strict=True):
        assert (await worker.says(job, "completed", result=job["data"]["n"]))["ok"]
    seen = [await ada.sees(job_id, "completed", "failed") for job_id in ids]
    (last,) = [worker for worker in fresh if not worker.assigned.empty()]
    job = await last.gets()
    assert job["jobId"] == waiting
    await last.runs(job)
    assert (await ada.sees(waiting, "completed"))["attempt"] == 1
    states = [job["status"] for job in seen]
    print(
        f"20 jobs on 20 workers, server killed and ready again in {ready:.2f} s: "
        f"completed {states.count('completed')}, failed {states.count('failed')}, "
        f"run twice {sum(job['attempt'] > 1 for job in seen)}"
    )
    fault.record(lost=20 - states.count("completed"), doubled=sum(job["attempt"] > 1 for job in seen), recovery=[ready])
    assert states == ["completed"] * 20
    assert [(job["attempt"], job["result"]) for job in seen] == [(1, n) for n in range(20)]
    for worker in fresh:
        await worker.leaves()
    await ada.close()


@pytest.mark.fault("F1")
async def test_a_server_killed_again_and_again_under_load_loses_nothing(
    doomed_server: LiveServer, fault: FaultRecorder
) -> None:
    """A client ledger of acknowledged submits, a worker's log of what it ran, and the database are compared."""
    server = doomed_server
    ada = await Someone.signs_in(server, "ada")
    room = await ada.makes_room("lab")
    worker = await PlainWorker.online(ada, room, "Relax", capacity=4, onWorkerLost="requeue")
    acknowledged: set[str] = set()
    ran: list[str] = []
    stop = asyncio.Event()

    async def submits() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            try:
                acknowledged.add((await ada.submits(room, "Relax", {"n": n}, idempotencyKey=f"key-{n}"))["jobId"])
            except Exception:
                await asyncio.sleep(0.05)

    in_hand: dict[str, dict[str, Any]] = {}

    async def works(mine: PlainWorker) -> None:
        """As a good worker does: what was not acknowledged before the server went is said again."""
        while True:
            job = next(iter(in_hand.values()), None) or await mine.gets(within=3600)
            in_hand[job["jobId"]] = job
            try:
                running, completed = await mine.says(job, "running"), await mine.says(job, "completed")
            except Exception:
                return
            del in_hand[job["jobId"]]
            if running["ok"] and completed["ok"]:
                ran.append(job["jobId"])

    submitting = asyncio.create_task(submits())
    working = asyncio.create_task(works(worker))
    kills = 4
    recovery: list[float] = []
    for _ in range(kills):
        have = len(acknowledged)
        await eventually(_count(acknowledged), lambda count, have=have: count > have + 20, 30, "more submits")
        server.kill()
        started = time.perf_counter()
        server.start()
        recovery.append(time.perf_counter() - started)
        await ended(working)
        worker = await _back(worker)
        working = asyncio.create_task(works(worker))
    stop.set()
    await submitting

    async def unfinished() -> int:
        listed = await ada.get(f"/api/rooms/{room}/jobs", status="pending,assigned,running", limit=500)
        return len(listed["items"])

    await eventually(unfinished, lambda count: count == 0, 60, "all jobs done")
    await ended(working)
    stored: dict[str, dict[str, object]] = {}
    before: str | None = None
    while True:
        page = await ada.get(f"/api/rooms/{room}/jobs", limit=500, **({"before": before} if before else {}))
        stored |= {job["jobId"]: job for job in page["items"]}
        before = page["next"]
        if before is None:
            break
    lost = acknowledged - set(stored)
    failed = [job for job in stored.values() if job["status"] != "completed"]
    print(
        f"{kills} kills: {len(acknowledged)} acknowledged, lost = {len(lost)}, not completed = {len(failed)}, "
        f"completions acknowledged twice = {len(ran) - len(set(ran))}"
    )
    fault.record(runs=kills, lost=len(lost), doubled=len(ran) - len(set(ran)), recovery=recovery)
    assert not lost and not failed
    assert len(ran) == len(set(ran))
    await worker.leaves()
    await ada.close()


def _count(ledger: set[str]) -> Callable[[], Awaitable[int]]:
    async def look() -> int:
        return len(ledger)

    return look


async def _back(worker: PlainWorker) -> PlainWorker:
    """The same worker with a new socket, once the server lets it in."""
    fresh = PlainWorker(worker.owner)
    fresh.id, fresh.token, fresh.incarnation = worker.id, worker.token, worker.incarnation
    fresh.last_beat = worker.last_beat
    await worker.leaves()
    return await fresh.attaches()
