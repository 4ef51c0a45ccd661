"""A job reaches only workers whose resources and time are enough."""

from __future__ import annotations

from uuid import UUID

import pytest
from tests.workshop import Workshop

from workroom.actions.engine import Engine
from workroom.actions.extensions.register import function, register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.report import report
from workroom.actions.postings.postings import look_up_posting, wait_reasons
from workroom.actions.queries.jobs import queue_outlook
from workroom.actions.workers.lifecycle import drain
from workroom.domain.errors import BadInput
from workroom.domain.jobs.outcomes import Report, Started, Succeeded
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow

GPU = {"gpus": 1}


async def _reason(engine: Engine, job_id: UUID) -> tuple[str, str]:
    outlook = await queue_outlook(engine, job_id)
    return outlook.reason.waiting_for, outlook.reason.text


async def test_a_job_waits_until_a_worker_offers_its_resources(workshop: Workshop) -> None:
    train = await workshop.extension("Train", resources={"gpus": 1, "memory_gb": 16})
    job = await workshop.pending_job(train)
    nothing = ("no_resources", "no worker offers gpus=1, memory_gb=16")
    assert await _reason(workshop.engine, job) == nothing
    for offered in ({}, {"gpus": 8}, {"gpus": 1, "memory_gb": 15.9}):
        await workshop.worker(train, kind="remote", resources=offered)
    assert await _reason(workshop.engine, job) == nothing
    await workshop.worker(train, kind="remote", resources={"gpus": 1, "memory_gb": 16})
    assert await workshop.state(job) is State.ASSIGNED
    waiting = await workshop.pending_job(train)
    assert await _reason(workshop.engine, waiting) == (
        "all_busy",
        "all workers that offer Train with gpus=1, memory_gb=16 have other jobs first",
    )


async def test_running_jobs_use_up_the_offer_of_a_worker(workshop: Workshop) -> None:
    train = await workshop.extension("Train", resources=GPU)
    score = await workshop.extension("Score", resources={"gpus": 0.5})
    plain = await workshop.extension("Plain")
    worker = await workshop.worker(train, score, plain, kind="remote", capacity=10, resources={"gpus": 2})
    held = [await workshop.pending_job(one) for one in (train, score, score, score, train, plain)]
    states = [await workshop.state(job) for job in held]
    assert states == [State.ASSIGNED] * 3 + [State.PENDING, State.PENDING, State.ASSIGNED]
    for outcome in (Started(), Succeeded()):
        assert await report(workshop.engine, worker.id, [Report(held[0], 1, outcome)]) == {}
    # One GPU is free now. Train was served longest ago and takes it whole.
    assert [job.id for job in await worker.claim(10)] == [held[4]]
    assert await worker.claim(10) == []


async def test_two_assignments_at_once_do_not_share_one_gpu(workshop: Workshop) -> None:
    train = await workshop.extension("Train", resources=GPU)
    jobs = [await workshop.pending_job(train) for _ in range(3)]
    await workshop.worker(train, kind="remote", capacity=3, resources=GPU)
    assert sorted([await workshop.state(job) for job in jobs]) == [State.ASSIGNED, State.PENDING, State.PENDING]


async def test_a_pool_process_holds_many_but_runs_one_at_a_time(workshop: Workshop) -> None:
    train = await workshop.extension("Train", resources=GPU)
    for _ in range(4):
        await workshop.pending_job(train)
    bare = await workshop.worker(train, capacity=10)
    equipped = await workshop.worker(train, capacity=10, resources=GPU)
    assert await bare.claim(10) == []
    assert len(await equipped.claim(10)) == 4


async def test_a_worker_gets_no_job_that_would_outlast_it(workshop: Workshop) -> None:
    long, short = (
        await workshop.extension("Long", timeout_seconds=600),
        await workshop.extension("Short", timeout_seconds=60),
    )
    endless = await workshop.extension("Endless")
    worker = await workshop.worker(long, short, endless, kind="remote", capacity=10, seconds_left=100)
    held = [await workshop.pending_job(one) for one in (long, short, endless)]
    assert [await workshop.state(job) for job in held] == [State.PENDING, State.ASSIGNED, State.ASSIGNED]
    assert await _reason(workshop.engine, held[0]) == (
        "no_time",
        "no worker has enough time left: Long may run 600 s",
    )
    await workshop.sql("UPDATE worker SET ends_at = now() - interval '1 second' WHERE id = %s", worker.id)
    assert await workshop.state(await workshop.pending_job(endless)) is State.PENDING
    # What it has not begun goes back and costs no try.
    assert await drain(workshop.engine, worker.id)
    record = await workshop.record(held[1])
    assert (record["state"], record["failures"], record["losses"]) == ("pending", 0, 0)
    await workshop.worker(long, short, endless, kind="remote", capacity=10, seconds_left=700)
    assert [await workshop.state(job) for job in held] == [State.ASSIGNED] * 3


async def _function(workshop: Workshop, name: str, **settings: object) -> ExtensionRow:
    registered = (await register_extensions(workshop.engine, [function(name, **settings)]))[0]
    async with workshop.engine.database.connection() as connection:
        row = await extensions.get(connection, registered.id)
    assert row is not None
    return row


@pytest.mark.parametrize("settings", [{"resources": GPU}, {"timeout_seconds": 600}])
async def test_a_posted_call_passes_by_an_idle_process_that_cannot_run_it(
    workshop: Workshop, settings: dict[str, object]
) -> None:
    """Also on the way that assigns a single call with its notification."""
    train = await _function(workshop, "train", **settings)
    unable = await workshop.worker(train, capacity=10, seconds_left=100)
    posting = await post(workshop.engine, train, [{}], JobOptions(workshop.person))
    row = await look_up_posting(workshop.engine, posting)
    (reason,) = (await wait_reasons(workshop.engine, [row], {})).values()
    assert reason.text in ("no worker offers gpus=1", "no worker has enough time left: train may run 600 s")
    assert await unable.claim(10) == []
    able = await workshop.worker(train, capacity=10, resources=GPU)
    assert len(await able.claim(10)) == 1


async def test_malformed_resources_are_refused_before_anything_is_written(workshop: Workshop) -> None:
    with pytest.raises(BadInput, match="no name of a resource"):
        await workshop.extension("Train", resources={"GPU; rm": 1})
    plain = await workshop.extension("Plain")
    with pytest.raises(BadInput, match="amount of gpus"):
        await workshop.worker(plain, resources={"gpus": -1})
    assert await workshop.sql("SELECT name FROM extension") == [("Plain",)]
    assert await workshop.sql("SELECT id FROM worker") == []
