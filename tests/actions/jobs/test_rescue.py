"""What lost workers leave behind, for each policy and state."""

from __future__ import annotations

from itertools import product

import pytest
from tests.workshop import Workshop

from workroom.actions.jobs.rescue import rescue
from workroom.actions.workers.lifecycle import leave
from workroom.domain.errors import AttemptLost, JobFinal
from workroom.domain.jobs.outcomes import Started, Succeeded
from workroom.domain.jobs.states import ACTIVE, TRANSITIONS, State
from workroom.domain.jobs.worker_loss import MAX_LOSSES, OnWorkerLost, verb_after_loss


@pytest.mark.parametrize(("policy", "state"), [*product(OnWorkerLost, sorted(ACTIVE))])
async def test_the_policy_decides_what_becomes_of_a_job_whose_worker_is_lost(
    workshop: Workshop, policy: OnWorkerLost, state: State
) -> None:
    relax = await workshop.extension(on_worker_lost=policy)
    worker, other = await workshop.worker(relax), await workshop.worker(relax)
    make = workshop.assigned_job if state is State.ASSIGNED else workshop.running_job
    job = await make(relax, worker)
    await worker.is_lost()
    assert [one.id for one in await rescue(workshop.engine)] == [job.id]
    row = await workshop.job(job.id)
    verb = verb_after_loss(state, policy, 0, cancelling=False)
    assert row.state == TRANSITIONS[state, verb]
    refusal = await worker.say(job, Succeeded(), short=True)
    if row.state == State.FAILED:
        assert row.error["reason"] == "worker_lost" and row.worker_id == worker.id
        assert isinstance(refusal, JobFinal)
        assert await other.claim() == [], "never retried by itself"
    else:
        assert isinstance(refusal, AttemptLost)
        assert [(again.id, again.attempt) for again in await other.claim()] == [(job.id, 2)]
        assert await workshop.sql("SELECT attempt, reason FROM failed_attempt") == [(1, "worker_lost")]
    assert await workshop.miscounted() == []


async def test_a_job_that_costs_three_workers_is_given_to_no_other(workshop: Workshop) -> None:
    relax = await workshop.extension(on_worker_lost="requeue")
    job_id = await workshop.pending_job(relax)
    for loss in range(1, MAX_LOSSES + 1):
        worker = await workshop.worker(relax)
        (job,) = await worker.claim()
        assert (job.id, job.attempt) == (job_id, loss)
        assert await worker.say(job, Started()) is None
        await worker.is_lost()
        await rescue(workshop.engine)
        assert (await workshop.job(job_id)).losses == loss
    row = await workshop.job(job_id)
    assert (row.state, row.error["reason"], row.failures) == (State.FAILED, "worker_lost", 0)


async def test_a_worker_lost_before_it_started_the_job_does_not_count_against_the_job(workshop: Workshop) -> None:
    relax = await workshop.extension(on_worker_lost="requeue")
    job_id = await workshop.pending_job(relax)
    for _ in range(MAX_LOSSES + 2):
        worker = await workshop.worker(relax)
        assert len(await worker.claim()) == 1
        await worker.is_lost()
        await rescue(workshop.engine)
    row = await workshop.job(job_id)
    assert (row.state, row.losses, row.attempt) == (State.PENDING, 0, MAX_LOSSES + 2)


async def test_a_clean_shutdown_acts_at_once(workshop: Workshop) -> None:
    relax = await workshop.extension(on_worker_lost="requeue")
    worker, other = await workshop.worker(relax), await workshop.worker(relax, kind="remote")
    await workshop.sql("UPDATE worker SET draining = true WHERE id = %s", other.id)
    job = await workshop.running_job(relax, worker)
    await workshop.sql("UPDATE worker SET draining = false WHERE id = %s", other.id)
    await leave(workshop.engine, worker.id)
    row = await workshop.job(job.id)
    assert (row.state, row.worker_id, row.attempt) == (State.ASSIGNED, other.id, 2), "straight to the next"


async def test_a_lost_worker_that_finishes_before_the_rescue_has_finished(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    await worker.is_lost()
    assert await worker.say(job, Succeeded(1)) is None
    assert await rescue(workshop.engine) == []
    assert await workshop.state(job.id) is State.COMPLETED


async def test_a_jobs_own_policy_goes_before_its_extensions(workshop: Workshop) -> None:
    relax = await workshop.extension(on_worker_lost="fail")
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker, on_worker_lost="requeue")
    await worker.is_lost()
    await rescue(workshop.engine)
    assert await workshop.state(job.id) is State.PENDING
