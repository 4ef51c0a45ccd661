"""Jobs that start later: back-off, schedules, and what is old enough to go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.workshop import Workshop, failure

from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.prune import prune
from workroom.actions.jobs.schedule import promote_due, seconds_until_due
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import extensions

HOUR = timedelta(hours=1)


async def test_a_failed_try_waits_as_long_as_the_rule_says_and_then_joins_the_queue(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=5, backoff_base=100, backoff_cap=300)
    worker = await workshop.worker(relax)
    job_id = await workshop.pending_job(relax)
    for failures in (1, 2, 3, 4):
        (job,) = await worker.claim()
        assert (job.id, job.attempt, job.tries_left) == (job_id, failures, 6 - failures)
        assert await worker.say(job, failure(f"try {failures}"), short=True) is None
        ((pause,),) = await workshop.sql("SELECT extract(epoch FROM run_at - now())::float FROM job")
        least, most = (backoff_seconds(failures, 100, 300, luck) for luck in (0.0, 1.0))
        assert least - 1 <= pause <= most + 1
        assert await worker.claim() == []
        await workshop.time_passes(job_id)
        assert await promote_due(workshop.engine) == 1
    (job,) = await worker.claim()
    assert await worker.say(job, failure("the last"), short=True) is None
    row = await workshop.job(job_id)
    assert (row.state, row.failures, row.attempt, row.error["message"]) == (State.FAILED, 5, 5, "the last")
    history = await workshop.sql("SELECT attempt, reason, error->>'message' FROM failed_attempt ORDER BY attempt")
    assert history == [(n, "failed", f"try {n}") for n in (1, 2, 3, 4)]


async def test_the_same_failure_reported_twice_is_no_refusal_also_when_the_job_is_retried(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=3)
    worker, other = await workshop.worker(relax), await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    assert await worker.say(job, failure()) is None
    before = await workshop.record(job.id)
    assert await worker.say(job, failure()) is None
    assert await worker.say(job, failure("other words")) is not None
    assert await other.say(job, failure()) is not None
    assert await workshop.record(job.id) == before


async def test_a_postings_own_back_off_goes_before_its_functions(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2, backoff_base=1, backoff_cap=1)
    worker = await workshop.worker(relax)
    await post(workshop.engine, relax, [{}], JobOptions(workshop.person), backoff_base=1000.0, backoff_cap=1000.0)
    (job,) = await worker.claim()
    assert await worker.say(job, failure(), short=True) is None
    ((pause,),) = await workshop.sql("SELECT extract(epoch FROM run_at - now())::float FROM job")
    assert 499 <= pause <= 1000


async def test_a_scheduled_job_starts_when_its_time_comes_and_not_before(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    assert await seconds_until_due(workshop.engine) is None
    job_id = await workshop.pending_job(relax, run_at=datetime.now(UTC) + HOUR)
    assert await worker.claim() == [] and await promote_due(workshop.engine) == 0
    assert await seconds_until_due(workshop.engine) == pytest.approx(3600, abs=30)
    await workshop.time_passes(job_id)
    assert await promote_due(workshop.engine) == 1
    assert [job.id for job in await worker.claim()] == [job_id]


async def test_a_start_time_that_has_passed_is_now(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax, run_at=datetime.now(UTC) - HOUR)
    assert (await workshop.job(job_id)).worker_id == worker.id


async def test_a_remote_worker_is_handed_a_job_that_comes_due(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax, run_at=datetime.now(UTC) + HOUR)
    assert await workshop.state(job_id) is State.PENDING
    await workshop.time_passes(job_id)
    await promote_due(workshop.engine)
    assert (await workshop.job(job_id)).worker_id == worker.id


async def test_a_blocked_job_with_a_start_time_waits_for_both(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    needed = await workshop.running_job(relax, worker)
    job_id = await workshop.blocked_job(relax, needed.id, run_at=datetime.now(UTC) + HOUR)
    await worker.finish(needed)
    assert await workshop.state(job_id) is State.PENDING and await worker.claim() == []
    await workshop.time_passes(job_id)
    assert await promote_due(workshop.engine) == 1
    assert [job.id for job in await worker.claim()] == [job_id]


async def test_a_posting_is_pruned_with_the_last_of_its_jobs(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=10)
    old = await post(workshop.engine, relax, [{"n": n} for n in range(3)], JobOptions(workshop.person))
    for job in await worker.claim(10):
        await worker.finish(job)
    fresh = await post(workshop.engine, relax, [{}], JobOptions(workshop.person))
    in_the_future = datetime.now(UTC) + timedelta(seconds=workshop.engine.timing.keep + 3600)
    assert await prune(workshop.engine, now=in_the_future) == 3
    assert {posting for (posting,) in await workshop.sql("SELECT id FROM posting")} == {fresh} and old != fresh


async def test_what_ended_long_ago_is_pruned_and_the_younger_stay(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    old, awaited = await workshop.completed_job(relax, worker), await workshop.running_job(relax, worker)
    waiting = await workshop.blocked_job(relax, awaited.id)
    await worker.finish(awaited)
    running = (await worker.claim())[0]
    assert running.id == waiting
    kept = workshop.engine.timing.keep
    in_the_future = datetime.now(UTC) + timedelta(seconds=kept + 3600)
    assert await prune(workshop.engine) == 0, "nothing is old enough yet"
    assert await prune(workshop.engine, now=in_the_future) == 2
    left = {job for (job,) in await workshop.sql("SELECT id FROM job")}
    assert left == {waiting} and old.id not in left
    stats = await extensions_stats(workshop, relax.id)
    assert stats.completed == 2, "what was ever completed stays counted"


async def test_workers_that_went_long_ago_are_forgotten_and_others_are_not(workshop: Workshop) -> None:
    relax = await workshop.extension()
    old, recent, here = [await workshop.worker(relax) for _ in range(3)]
    await old.is_lost()
    await recent.is_lost()
    await workshop.sql("UPDATE worker SET ended_at = ended_at - interval '1 year' WHERE id = %s", old.id)
    await prune(workshop.engine)
    assert {worker for (worker,) in await workshop.sql("SELECT id FROM worker")} == {recent.id, here.id}


async def test_idle_turns_are_pruned_unless_jobs_wait_in_the_queue(workshop: Workshop) -> None:
    idle, busy, recent = [await workshop.extension(name) for name in ("Idle", "Busy", "Recent")]
    worker = await workshop.worker(idle)
    await workshop.completed_job(idle, worker)
    await workshop.pending_job(busy)
    await workshop.pending_job(recent)
    await workshop.sql(
        "UPDATE fair_turn SET used_at = used_at - interval '1 year' WHERE extension_id = ANY (%s)", [idle.id, busy.id]
    )
    await prune(workshop.engine)
    assert {one for (one,) in await workshop.sql("SELECT extension_id FROM fair_turn")} == {busy.id, recent.id}


async def test_counts_of_ended_sessions_are_folded_together_and_their_sums_stay(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=10)
    for _ in range(5):
        await workshop.completed_job(relax, worker)
    await workshop.pending_job(relax)
    # A session that has ended: no process can have this number.
    await workshop.sql("""UPDATE job_count SET shard = -shard WHERE shard <> 0""")
    before = await extensions_stats(workshop, relax.id)
    for _ in range(2):
        async with workshop.engine.database.connection() as connection:
            await extensions.fold_job_counts(connection)
        assert await workshop.sql("SELECT shard FROM job_count") == [(0,)]
    assert await extensions_stats(workshop, relax.id) == before
    assert await workshop.miscounted() == []
    await workshop.completed_job(relax, worker)
    assert await workshop.miscounted() == []


async def extensions_stats(workshop: Workshop, extension_id: int) -> extensions.StatsRow:
    async with workshop.engine.database.connection() as connection:
        return await extensions.stats(connection, extension_id)
