"""The plain way of a job, from submit to its end."""

from __future__ import annotations

from tests.workshop import Workshop, failure

from workroom.actions.events import JobsAssigned
from workroom.domain.jobs.outcomes import Started, Succeeded
from workroom.domain.jobs.states import State


async def test_a_job_is_submitted_claimed_started_and_completed(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job_id = await workshop.pending_job(relax, {"n": 1})
    (job,) = await worker.claim()
    assert (job.id, job.attempt, job.arguments) == (job_id, 1, {"n": 1})
    assert await worker.say(job, Started()) is None
    assert await worker.say(job, Succeeded({"energy": -1.5})) is None
    row = await workshop.job(job_id)
    assert (row.state, row.result, row.worker_id) == (State.COMPLETED, {"energy": -1.5}, worker.id)
    assert row.started_at and row.finished_at and row.created_at <= row.started_at <= row.finished_at


async def test_a_remote_worker_is_handed_a_job_in_the_submits_own_transaction(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax)
    assert await workshop.state(job_id) is State.ASSIGNED
    assert [e.worker_id for e in workshop.events if isinstance(e, JobsAssigned)] == [worker.id]


async def test_a_failed_try_is_retried_after_a_pause_while_tries_are_left(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2, backoff_base=100.0, backoff_cap=1000.0)
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    assert await worker.say(job, failure()) is None
    row = await workshop.job(job.id)
    assert (row.state, row.failures, row.worker_id) == (State.PENDING, 1, None)
    assert row.run_at is not None
    assert 50 <= (row.run_at - row.created_at).total_seconds() <= 101
    assert await worker.claim() == []
