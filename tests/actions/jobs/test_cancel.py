"""Calling jobs off, in one stage or in two."""

from __future__ import annotations

import pytest
from tests.workshop import Workshop, failure

from workroom.actions.engine import new_id
from workroom.actions.events import CancelRequested
from workroom.actions.jobs.cancel import cancel, cancel_many
from workroom.actions.jobs.rescue import release_unconfirmed, rescue
from workroom.domain.errors import JobFinal, NotFound
from workroom.domain.jobs.outcomes import Cancelled, Started, Succeeded
from workroom.domain.jobs.states import State


async def test_a_pending_job_is_cancelled_at_once(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job_id = await workshop.pending_job(relax)
    assert await cancel(workshop.engine, job_id) == State.CANCELLED
    row = await workshop.job(job_id)
    assert row.cancel_requested_at and row.finished_at and row.worker_id is None
    assert await worker.claim() == []


async def test_a_blocked_job_is_cancelled_at_once_and_waits_for_nothing_more(workshop: Workshop) -> None:
    relax = await workshop.extension()
    needed = await workshop.pending_job(relax)
    job_id = await workshop.blocked_job(relax, needed)
    assert await cancel(workshop.engine, job_id) == State.CANCELLED
    assert await workshop.sql("SELECT count(*) FROM dependency WHERE ended_at IS NULL") == [(0,)]
    assert await workshop.miscounted() == []


@pytest.mark.parametrize("state", [State.ASSIGNED, State.RUNNING])
async def test_a_job_at_a_worker_stays_there_until_the_worker_confirms(workshop: Workshop, state: State) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.assigned_job(relax, worker)
    if state is State.RUNNING:
        assert await worker.say(job, Started()) is None
    await workshop.pending_job(relax)
    assert await cancel(workshop.engine, job.id) == state
    asked = [event for event in workshop.events if isinstance(event, CancelRequested)]
    assert [(event.worker_id, event.job_id, event.attempt) for event in asked] == [(worker.id, job.id, 1)]
    assert await worker.claim() == [], "the slot is not free yet"
    assert await worker.say(job, Cancelled()) is None
    assert await workshop.state(job.id) is State.CANCELLED
    assert len(await worker.claim()) == 1
    assert await workshop.miscounted() == []


async def test_an_assigned_job_may_still_start_while_its_cancel_is_under_way(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.assigned_job(relax, worker)
    await cancel(workshop.engine, job.id)
    workshop.events.clear()
    assert await worker.say(job, Started()) is None
    assert (await workshop.job(job.id)).cancel_requested_at is not None
    # The first request may have reached the worker before the job did: it is sent again to a worker that has the job.
    assert CancelRequested(worker.id, job.id, job.attempt, job.room) in workshop.events


async def test_a_job_that_completes_before_it_hears_of_its_cancel_is_completed(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    await cancel(workshop.engine, job.id)
    assert await worker.say(job, Succeeded(7)) is None
    row = await workshop.job(job.id)
    assert (row.state, row.result) == (State.COMPLETED, 7)
    assert isinstance(await worker.say(job, Cancelled()), JobFinal)


async def test_a_job_that_fails_while_being_cancelled_is_not_tried_again(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=5)
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    await cancel(workshop.engine, job.id)
    assert await worker.say(job, failure()) is None
    assert await workshop.state(job.id) is State.FAILED


@pytest.mark.parametrize("policy", ["fail", "requeue", "requeue_unstarted"])
async def test_a_job_whose_worker_is_lost_while_it_is_being_cancelled_is_cancelled(
    workshop: Workshop, policy: str
) -> None:
    relax = await workshop.extension(on_worker_lost=policy)
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    await cancel(workshop.engine, job.id)
    await worker.is_lost()
    await rescue(workshop.engine)
    assert await workshop.state(job.id) is State.CANCELLED


async def test_a_cancelled_job_that_its_remote_worker_never_confirmed_ends_there(workshop: Workshop) -> None:
    relax = await workshop.extension()
    await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax)
    await cancel(workshop.engine, job_id)
    await workshop.confirmation_is_overdue()
    await release_unconfirmed(workshop.engine)
    assert await workshop.state(job_id) is State.CANCELLED
    assert await workshop.miscounted() == []


async def test_a_retried_job_can_be_cancelled_while_it_backs_off(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2, backoff_base=1000)
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    assert await worker.say(job, failure()) is None
    assert await cancel(workshop.engine, job.id) == State.CANCELLED


async def test_cancelling_twice_is_the_same_and_cancelling_what_ended_otherwise_is_refused(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job_id = await workshop.pending_job(relax)
    assert await cancel(workshop.engine, job_id) == await cancel(workshop.engine, job_id) == State.CANCELLED
    done, failed = await workshop.completed_job(relax, worker), await workshop.failed_job(relax, worker)
    for job in (done, failed):
        with pytest.raises(JobFinal):
            await cancel(workshop.engine, job.id)
    with pytest.raises(NotFound):
        await cancel(workshop.engine, new_id())


async def test_many_jobs_are_cancelled_together_and_each_state_is_told(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=5)
    running, done = await workshop.running_job(relax, worker), await workshop.completed_job(relax, worker)
    pending = await workshop.pending_job(relax)
    assert await cancel_many(workshop.engine, [running.id, done.id, pending, new_id()]) == {
        running.id: State.RUNNING,
        pending: State.CANCELLED,
    }
    assert await workshop.miscounted() == []
