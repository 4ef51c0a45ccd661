"""The history of ended jobs: counted by extension, room and hour, kept longer than the jobs, deleted in the end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.workshop import Workshop, failure

from workroom.actions import flush_ended_job_counts
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.prune import delete_old_history, prune
from workroom.actions.queries.ended_jobs import job_history
from workroom.domain.jobs.ended_job_counts import percentile


async def test_ended_jobs_are_counted_by_extension_room_and_hour(workshop: Workshop) -> None:
    engine = workshop.engine
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=9)
    for _ in range(3):
        await workshop.pending_job(relax)
    done = await worker.claim(9)
    await worker.finish(*done[:2])
    await flush_ended_job_counts.flush(engine)
    assert await worker.say(done[2], failure(), short=True) is None
    await cancel(engine, await workshop.pending_job(relax))
    await flush_ended_job_counts.flush(engine)
    await flush_ended_job_counts.flush(engine)  # writes nothing twice

    found = await job_history(engine, days=1, room=workshop.room)
    assert [(step.completed, step.failed, step.cancelled) for step in found.steps] == [(2, 1, 1)]
    assert [(one.name, one.completed, one.failed) for one in found.extensions] == [(relax.name, 2, 1)]
    assert sum(found.steps[0].runs) == sum(found.steps[0].waits) == 2
    assert 0 < (percentile(found.steps[0].runs, 0.5) or 0) <= 4.0  # both ran for 2 ms, the bound of a bucket
    assert (await job_history(engine, days=1, room="another")).steps == []
    assert (await job_history(engine, days=1, search="no such")).steps == []
    assert len((await job_history(engine, days=1, category=relax.category, name=relax.name)).steps) == 1


async def test_calls_count_in_the_room_of_their_posting(workshop: Workshop) -> None:
    engine = workshop.engine
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=9)
    options = JobOptions(submitter=workshop.person, room=workshop.room)
    await post(engine, relax, [{"n": n} for n in range(5)], options)
    await worker.finish(*await worker.claim(9))
    await flush_ended_job_counts.flush(engine)
    assert [step.completed for step in (await job_history(engine, days=1, room=workshop.room)).steps] == [5]


async def test_the_history_outlasts_the_jobs_and_the_deletion_of_what_it_names(workshop: Workshop) -> None:
    engine = workshop.engine
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    await workshop.pending_job(relax)
    await worker.finish(*await worker.claim())
    await flush_ended_job_counts.flush(engine)
    later = datetime.now(UTC) + timedelta(days=60)
    assert await prune(engine, now=later) == 1
    assert await delete_old_history(engine, now=later) == 0
    assert len((await job_history(engine, days=1)).steps) == 1
    assert await delete_old_history(engine, now=later + timedelta(days=60)) == 1

    await workshop.pending_job(relax)
    await worker.finish(*await worker.claim())
    await workshop.sql("DELETE FROM offer")
    await workshop.sql("DELETE FROM job")
    await workshop.sql("DELETE FROM extension")
    await flush_ended_job_counts.flush(engine)
    assert (await job_history(engine, days=1)).steps == []
