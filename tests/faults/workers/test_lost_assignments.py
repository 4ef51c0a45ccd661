"""F3: an assignment that its worker never confirms is released, and the job runs once elsewhere."""

from __future__ import annotations

import time
from collections.abc import Generator

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone
from tests.faults.fault_table import FaultRecorder


@pytest.fixture
def server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.mark.fault("F3")
async def test_ignored_assignments_are_released_in_time_and_their_jobs_run_once(
    server: LiveServer, fault: FaultRecorder
) -> None:
    confirm, sweep = 1.5, 0.5  # the timing of a live server
    many = 4
    ada = await Someone.signs_in(server, "ada")
    room = await ada.makes_room("lab")
    deaf = await PlainWorker.online(ada, room, "Relax", capacity=many, breakerFailures=0)
    jobs = [(await ada.submits(room, "Relax"))["jobId"] for _ in range(many)]
    ignored = [await deaf.gets() for _ in jobs]
    hearing = await PlainWorker.online(ada, room, "Relax", capacity=many, breakerFailures=0)
    begun = time.monotonic()
    completed: list[str] = []
    recovery: list[float] = []
    while len(completed) < many:
        # A released job may be assigned to either worker. The first one goes on to ignore what it gets.
        job = await hearing.gets(within=15)
        assert (await hearing.says(job, "running"))["ok"]
        recovery.append(time.monotonic() - begun)
        assert (await hearing.says(job, "completed", result=job["attempt"]))["ok"]
        completed.append(job["jobId"])
    # The report of an assignment that was released is refused, however it ended.
    late = [await deaf.says(job, "completed", result="late") for job in ignored]
    seen = [await ada.job(job_id) for job_id in jobs]
    fault.record(
        runs=many,
        lost=len(set(jobs) - set(completed)),
        doubled=len(completed) - len(set(completed)),
        stale=sum(answer["ok"] for answer in late) + sum(job["result"] != job["attempt"] for job in seen),
        recovery=recovery,
    )
    assert sorted(completed) == sorted(jobs)
    assert not any(answer["ok"] for answer in late)
    assert [(job["status"], job["result"]) for job in seen] == [("completed", job["attempt"]) for job in seen]
    assert min(recovery) < confirm + 2 * sweep + 2.0
    for worker in (deaf, hearing):
        await worker.leaves()
    await ada.close()
