"""What a waiting person is told, and what the counters say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.workshop import Workshop, failure

from workroom.actions.engine import new_id
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.queries import extensions as extension_queries
from workroom.actions.queries import jobs
from workroom.domain.errors import NotFound
from workroom.domain.ids import job_id
from workroom.domain.jobs.job_filter import JobFilter
from workroom.domain.jobs.outcomes import Succeeded
from workroom.domain.jobs.wait_reason import WaitingFor


async def test_each_reason_for_waiting_is_told(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1)
    waiting = await workshop.pending_job(relax)

    async def reason(job: object = waiting) -> WaitingFor:
        return (await jobs.queue_outlook(workshop.engine, job)).waiting_for  # pyright: ignore[reportArgumentType]

    assert await reason() is WaitingFor.NO_WORKER
    worker = await workshop.worker(relax)
    assert await reason() is WaitingFor.ALL_BUSY
    (job,) = await worker.claim()
    assert await reason() is WaitingFor.NOTHING
    assert await reason(await workshop.blocked_job(relax, job.id)) is WaitingFor.DEPENDENCIES
    later = await workshop.pending_job(relax, run_at=datetime.now(UTC) + timedelta(hours=1))
    assert await reason(later) is WaitingFor.BACKING_OFF
    assert await worker.say(job, failure(), short=True) is None
    another = await workshop.pending_job(relax)
    assert await reason(another) is WaitingFor.BREAKER_OPEN
    await workshop.sql("UPDATE extension SET paused = true")
    assert await reason(another) is WaitingFor.PAUSED
    assert await reason(job.id) is WaitingFor.NOTHING, "it has ended"


async def test_a_failed_try_with_tries_left_is_backing_off(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2, backoff_base=1000)
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    assert await worker.say(job, failure()) is None
    assert (await jobs.queue_outlook(workshop.engine, job.id)).waiting_for is WaitingFor.BACKING_OFF


async def test_the_position_counts_the_jobs_that_come_before(workshop: Workshop) -> None:
    relax = await workshop.extension()
    first, second, urgent = [await workshop.pending_job(relax, priority=p) for p in (5, 5, 9)]
    positions = [(await jobs.queue_outlook(workshop.engine, job)).queue_position for job in (urgent, first, second)]
    assert positions == [0, 1, 2]


async def test_the_time_to_wait_follows_from_position_slots_and_experience(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=2)
    job = await workshop.pending_job(relax)
    assert (await jobs.queue_outlook(workshop.engine, job)).eta_seconds is None, "nothing is known yet"
    await workshop.sql("UPDATE job_count SET run_ms = 3000")
    more = [await workshop.pending_job(relax) for _ in range(4)]
    etas = [(await jobs.queue_outlook(workshop.engine, one)).eta_seconds for one in (job, *more)]
    assert etas == [3.0, 3.0, 6.0, 6.0, 9.0]
    await worker.is_lost()
    assert (await jobs.queue_outlook(workshop.engine, job)).eta_seconds is None, "nobody is there"


async def test_no_time_is_told_while_a_worker_has_jobs_of_another_extension(workshop: Workshop) -> None:
    relax, anneal = await workshop.extension(), await workshop.extension("Anneal")
    worker = await workshop.worker(relax, anneal)
    await workshop.completed_job(relax, worker)
    await workshop.sql("UPDATE job_count SET run_ms = 3000")
    running = await workshop.running_job(anneal, worker)
    job = await workshop.pending_job(relax)

    async def eta() -> float | None:
        return (await jobs.queue_outlook(workshop.engine, job)).eta_seconds

    assert await eta() is None, "the worker is busy for an unknown time"
    assert await worker.say(running, Succeeded()) is None
    assert await eta() == 3.0
    await workshop.pending_job(anneal)
    assert await eta() is None, "the other one may run first"


async def test_no_time_is_told_once_the_running_jobs_take_longer_than_usual(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=2)
    await workshop.completed_job(relax, worker)
    await workshop.sql("UPDATE job_count SET run_ms = 3000")
    first, second = [await workshop.running_job(relax, worker) for _ in range(2)]
    job = await workshop.pending_job(relax)
    for running, expected in ((first, 3.0), (second, None)):
        await workshop.sql("UPDATE job SET started_at = now() - interval '1 minute' WHERE id = %s", running.id)
        assert (await jobs.queue_outlook(workshop.engine, job)).eta_seconds == expected


async def test_a_far_position_is_estimated_and_never_beyond_the_queue(workshop: Workshop) -> None:
    relax = await workshop.extension()
    posting = await post(workshop.engine, relax, ({} for _ in range(3_000)), JobOptions(workshop.person))
    last = await jobs.queue_outlook(workshop.engine, job_id(posting, 2_999))
    assert last.queue_position == 2_999


async def test_a_job_that_never_was_has_no_prospect(workshop: Workshop) -> None:
    for question in (jobs.job, jobs.queue_outlook):
        with pytest.raises(NotFound):
            await question(workshop.engine, new_id())
    assert await jobs.attempts(workshop.engine, new_id()) == []


async def test_the_stats_count_jobs_and_workers_by_their_state(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=0)
    worker, _idle, lost = [await workshop.worker(relax, capacity=2) for _ in range(3)]
    await lost.is_lost()
    for make in (workshop.completed_job, workshop.failed_job, workshop.cancelled_job):
        await make(relax, worker)
    running, _ = await workshop.running_job(relax, worker), await workshop.assigned_job(relax, worker)
    await workshop.blocked_job(relax, running.id)
    await workshop.pending_job(relax)
    stats = await extension_queries.stats(workshop.engine, relax.id)
    assert (stats.idle_workers, stats.busy_workers) == (1, 1)
    assert (stats.blocked, stats.pending, stats.active) == (1, 1, 2)
    assert (stats.completed, stats.failed, stats.cancelled) == (1, 1, 1)
    assert stats.run_ms is not None and stats.run_ms >= 0


async def test_the_attempts_that_came_to_nothing_are_remembered(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2)
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    assert await worker.say(job, failure("the first")) is None
    (attempt,) = await jobs.attempts(workshop.engine, job.id)
    assert (attempt.attempt, attempt.worker_id, attempt.reason) == (1, worker.id, "failed")
    assert attempt.error["message"] == "the first"
    assert attempt.started_at and attempt.assigned_at <= attempt.started_at <= attempt.ended_at


async def test_every_table_and_column_says_who_sets_it(workshop: Workshop) -> None:
    silent = await workshop.sql(
        """SELECT pg_class.relname, coalesce(pg_attribute.attname, '(table)') FROM pg_class
           JOIN pg_namespace ON pg_namespace.oid = relnamespace AND nspname = 'public'
           LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
           WHERE relkind = 'r' AND relname <> 'alembic_version'
             AND (col_description(pg_class.oid, attnum) IS NULL OR obj_description(pg_class.oid, 'pg_class') IS NULL)"""
    )
    assert silent == []


async def test_a_list_does_not_compare_the_calls_of_postings_that_cannot_match(workshop: Workshop) -> None:
    relax, bulk = await workshop.extension(), await workshop.extension("Bulk")
    grace = await workshop.another_person("grace")
    hers = await workshop.pending_job(relax, submitter=grace)
    await post(workshop.engine, bulk, ({"n": n} for n in range(20)), JobOptions(workshop.person, workshop.room))

    async def found(**filters: Any) -> list[UUID]:
        page = await jobs.jobs_of(workshop.engine, JobFilter(**filters), examined=5)
        return [row.job.id for row in page.rows]

    for room in (None, workshop.room):
        assert await found(room=room, user="grace") == [hers]
        assert await found(room=room, search="relax") == [hers]
        assert len(await found(room=room, search="bulk")) == 5, "its postings are compared call by call"
    await post(workshop.engine, bulk, ({"n": n} for n in range(20)), JobOptions(grace, workshop.room))
    assert len(await found(user="grace")) == 5
