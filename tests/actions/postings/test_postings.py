"""Pause, resume, cancel, give back: which jobs they touch, and which they leave alone."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from tests.workshop import Worker, Workshop, failure

from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.rescue import release_claimed
from workroom.actions.jobs.schedule import promote_due
from workroom.actions.postings.postings import (
    cancel_posting,
    cancelling,
    failures,
    jobs_of_posting,
    look_up_posting,
    outcomes,
    pause_posting,
    resume_posting,
)
from workroom.actions.queries.jobs import jobs_of
from workroom.actions.workers.lifecycle import leave
from workroom.domain import ids, limits
from workroom.domain.errors import BadInput, NotFound, WrongState
from workroom.domain.jobs.job_filter import JobFilter
from workroom.domain.jobs.outcomes import Succeeded
from workroom.store.queue_tables.extensions import ExtensionRow


async def posting(workshop: Workshop, extension: ExtensionRow, jobs: int, **options: Any) -> UUID:
    return await post(
        workshop.engine, extension, [{"n": n} for n in range(jobs)], JobOptions(workshop.person, **options)
    )


async def held(workshop: Workshop, posting_id: UUID) -> int:
    rows = await workshop.sql(
        "SELECT count(*) FROM job WHERE posting_id = %s AND run_at = 'infinity' AND state IN ('pending', 'blocked')",
        posting_id,
    )
    return rows[0][0]


async def test_a_paused_posting_keeps_what_runs_and_parks_what_waits(workshop: Workshop) -> None:
    extension = await workshop.extension(on_worker_lost="requeue", tries=2)
    worker = await workshop.worker(extension, capacity=9)
    mine, other = await posting(workshop, extension, 5), await posting(workshop, extension, 2)
    begun, lost = await worker.claim(), await worker.claim()
    assert await pause_posting(workshop.engine, mine) == 3
    assert [job.posting_id for job in await worker.claim(9)] == [other, other]
    # One that is tried again, one that is given back and one whose worker is lost are held with the others.
    assert await worker.say(begun[0], failure(), short=True) is None
    await workshop.time_passes(begun[0].id)
    assert await promote_due(workshop.engine) == 0
    assert await held(workshop, mine) == 4
    await leave(workshop.engine, worker.id)
    assert await held(workshop, mine) == 5
    assert await resume_posting(workshop.engine, mine) == 5
    another = await workshop.worker(extension, capacity=9)
    assert lost[0].id in {job.id for job in await another.claim(9)}
    assert await workshop.miscounted() == []


async def test_the_jobs_of_a_paused_posting_are_shown_and_listed(workshop: Workshop) -> None:
    mine = await posting(workshop, await workshop.extension(), 2)
    await pause_posting(workshop.engine, mine)
    assert await held(workshop, mine) == 2
    listed = await jobs_of(workshop.engine, JobFilter(), limit=10)
    assert [one.job.run_at for one in listed.rows] == [None, None]
    assert (await workshop.job(mine)).run_at is None


async def test_a_start_time_that_python_cannot_represent_is_refused(workshop: Workshop) -> None:
    far = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-8)))
    with pytest.raises(BadInput, match="before the year 9999"):
        await posting(workshop, await workshop.extension(), 1, run_at=far)


async def test_blocked_and_scheduled_jobs_of_a_paused_posting_wait_too(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=9)
    needed = await posting(workshop, extension, 1)
    blocked = await posting(workshop, extension, 2, dependencies=Dependencies(postings=(needed,)))
    later = await posting(workshop, extension, 2, run_at=datetime.now(UTC) + timedelta(hours=1))
    assert await pause_posting(workshop.engine, blocked) == 2
    assert await pause_posting(workshop.engine, later) == 0
    await worker.finish(*await worker.claim(9))
    assert await worker.claim(9) == []
    await workshop.sql("UPDATE job SET run_at = now() WHERE posting_id = %s", later)
    assert await promote_due(workshop.engine) == 0
    assert (await held(workshop, blocked), await held(workshop, later)) == (2, 2)
    assert await resume_posting(workshop.engine, blocked) == await resume_posting(workshop.engine, later) == 2
    assert len(await worker.claim(9)) == 4
    assert await workshop.miscounted() == []


async def test_resumed_jobs_pass_nobody_who_came_meanwhile(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=99)
    mine = await posting(workshop, extension, 3)
    await pause_posting(workshop.engine, mine)
    bob = await workshop.another_person("bob")
    theirs = await post(workshop.engine, extension, [{"n": n} for n in range(3)], JobOptions(bob))
    await resume_posting(workshop.engine, mine)
    order = [job.posting_id for job in await worker.claim(9)]
    assert sorted(order[:2], key=str) == sorted([mine, theirs], key=str), "they take turns"


async def test_only_an_executing_posting_is_paused_and_only_a_paused_one_resumed(workshop: Workshop) -> None:
    extension = await workshop.extension()
    mine = await posting(workshop, extension, 1)
    assert await resume_posting(workshop.engine, mine) == 0
    await cancel_posting(workshop.engine, mine)
    with pytest.raises(WrongState, match="is cancelled"):
        await pause_posting(workshop.engine, mine)
    with pytest.raises(WrongState, match="is cancelled"):
        await resume_posting(workshop.engine, mine)
    for act in (pause_posting, resume_posting, cancel_posting):
        with pytest.raises(NotFound):
            await act(workshop.engine, ids.posting_id(workshop.person))


async def test_a_cancelled_posting_ends_when_its_workers_confirm(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=2)
    mine, other = await posting(workshop, extension, 5), await posting(workshop, extension, 1)
    held = await worker.claim(2)
    await pause_posting(workshop.engine, mine)
    assert await cancel_posting(workshop.engine, mine) == 3
    assert set(await cancelling(workshop.engine, worker.id)) == {job.id for job in held}
    assert (await look_up_posting(workshop.engine, mine)).status == "paused"
    # What is called off is not given back: it is confirmed.
    assert await release_claimed(workshop.engine, worker.id, [(job.id, job.attempt) for job in held]) == set()
    await leave(workshop.engine, worker.id)
    assert (await look_up_posting(workshop.engine, mine)).status == "cancelled"
    assert (await look_up_posting(workshop.engine, other)).status == "executing"
    assert await workshop.miscounted() == []


async def test_what_is_given_back_has_its_old_place(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker, another = await workshop.worker(extension, capacity=9), await workshop.worker(extension, capacity=9)
    await posting(workshop, extension, 6)
    held = await worker.claim(4)
    returned = [(job.id, job.attempt) for job in held[1:]]
    assert await release_claimed(workshop.engine, worker.id, returned) == {job.id for job in held[1:]}
    assert await release_claimed(workshop.engine, worker.id, returned) == set(), "they are no longer its own"
    assert [job.id for job in await another.claim(3)] == [job.id for job in held[1:]]
    assert await workshop.miscounted() == []


async def test_a_deprioritised_posting_is_passed_over(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=9)
    bad, good = await posting(workshop, extension, 3), await posting(workshop, extension, 2)
    alone = await workshop.pending_job(extension)
    others = await claim(workshop.engine, worker.id, 9, deprioritised=[bad])
    assert {job.posting_id for job in others} == {good, None} and alone in {job.id for job in others}
    assert await claim(workshop.engine, worker.id, 9, deprioritised=[bad]) == []
    assert {job.posting_id for job in await claim(workshop.engine, worker.id, 9)} == {bad}


@pytest.mark.parametrize("how", ["given back", "lost", "freed", "due"])
async def test_no_job_slips_into_the_line_of_a_paused_posting_nor_stays_parked_in_one_that_goes_on(
    workshop: Workshop, how: str
) -> None:
    extension = await workshop.extension(on_worker_lost="requeue")
    chance = random.Random(how)
    slipped = forgotten = 0
    for act in [pause_posting, resume_posting] * 8:
        worker = await workshop.worker(extension, capacity=9)
        mine, put_back = await _jobs_about_to_wait(workshop, extension, worker, how)
        if act is resume_posting:
            await pause_posting(workshop.engine, mine)
        putting_back = asyncio.create_task(put_back())
        await asyncio.sleep(chance.random() * 0.003)
        await act(workshop.engine, mine)
        await putting_back
        rows = await workshop.sql(
            "SELECT count(*) FILTER (WHERE job.run_at IS NULL AND posting.status = 'paused'),"
            " count(*) FILTER (WHERE job.run_at = 'infinity' AND posting.status = 'executing')"
            " FROM job JOIN posting ON posting.id = job.posting_id WHERE job.state = 'pending' AND posting_id = %s",
            mine,
        )
        slipped, forgotten = slipped + rows[0][0], forgotten + rows[0][1]
        await cancel_posting(workshop.engine, mine)
        await leave(workshop.engine, worker.id)
    assert (slipped, forgotten) == (0, 0)
    assert await workshop.miscounted() == []


async def _jobs_about_to_wait(
    workshop: Workshop, extension: ExtensionRow, worker: Worker, how: str
) -> tuple[UUID, Any]:
    """A posting whose jobs are not in line, and what puts them there."""
    if how == "freed":
        needed = await posting(workshop, extension, 1)
        mine = await posting(workshop, extension, 4, dependencies=Dependencies(postings=(needed,)))
        job = (await worker.claim())[0]
        return mine, lambda: worker.finish(job)
    if how == "due":
        mine = await posting(workshop, extension, 4, run_at=datetime.now(UTC) + timedelta(hours=1))
        await workshop.sql("UPDATE job SET run_at = now() WHERE posting_id = %s", mine)
        return mine, lambda: promote_due(workshop.engine)
    mine = await posting(workshop, extension, 4)
    held = [(job.id, job.attempt) for job in await worker.claim(4)]
    if how == "lost":
        return mine, lambda: leave(workshop.engine, worker.id, reason="lost")
    return mine, lambda: release_claimed(workshop.engine, worker.id, held)


async def test_a_page_of_results_is_bounded_by_what_they_take_when_read(workshop: Workshop) -> None:
    """PostgreSQL compresses a megabyte of one letter to ten kilobytes."""
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=30)
    large = await post(
        workshop.engine, extension, [{"n": "y" * 900_000} for _ in range(20)], JobOptions(workshop.person)
    )
    claimed = await worker.claim(20)
    for job in claimed[:10]:
        await worker.say(job, Succeeded("x" * 900_000), short=True)
    for job in claimed[10:]:
        await worker.say(job, failure(), short=True)
    position, seen, pages = 0, 0, 0
    while found := await outcomes(workshop.engine, large, position=position, limit=500):
        assert sum(len(one.result or "") for one in found) <= limits.PAGE_BYTES
        position, seen, pages = ids.position(found[-1].id) + 1, seen + len(found), pages + 1
    assert (seen, pages) == (20, 3)
    assert len(await failures(workshop.engine, large, position=0, limit=500)) == 4
    assert len(await jobs_of_posting(workshop.engine, large, position=0, states=None, limit=500)) == 4
