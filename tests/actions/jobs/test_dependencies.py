"""Jobs that wait for other jobs and for postings."""

from __future__ import annotations

from uuid import UUID

import pytest
from tests.workshop import Workshop, failure

from workroom.actions.engine import new_id
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.propagate import end_counted_postings
from workroom.actions.queries.jobs import dependency_graph
from workroom.domain.errors import NotFound, TooLarge
from workroom.domain.ids import job_ids
from workroom.domain.jobs.outcomes import Cancelled
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.job_rows import Success


async def states(workshop: Workshop, *ids: UUID) -> list[State]:
    return [await workshop.state(job_id) for job_id in ids]


async def test_a_job_is_blocked_until_the_last_thing_it_needs_completes(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=2)
    one, other = await workshop.running_job(relax, worker), await workshop.running_job(relax, worker)
    job_id = await workshop.blocked_job(relax, one.id, other.id)
    assert await workshop.state(job_id) is State.BLOCKED
    await worker.finish(one)
    assert await workshop.state(job_id) is State.BLOCKED and await worker.claim() == []
    await worker.finish(other)
    assert await workshop.state(job_id) is State.PENDING
    assert [job.id for job in await worker.claim()] == [job_id]


async def test_a_freed_job_goes_straight_to_an_idle_remote_worker(workshop: Workshop) -> None:
    relax, later = await workshop.extension("Relax"), await workshop.extension("Later")
    worker, remote = await workshop.worker(relax), await workshop.worker(later, kind="remote")
    needed = await workshop.running_job(relax, worker)
    job_id = await workshop.blocked_job(later, needed.id)
    await worker.finish(needed)
    assert (await workshop.job(job_id)).worker_id == remote.id


@pytest.mark.parametrize("how", ["failed", "cancelled"])
async def test_whoever_waits_for_a_job_that_ends_badly_falls_with_it_through_the_whole_chain(
    workshop: Workshop, how: str
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    first = await workshop.running_job(relax, worker)
    second = await workshop.blocked_job(relax, first.id)
    third = await workshop.blocked_job(relax, second)
    posting = await post(
        workshop.engine, relax, [{}, {}], JobOptions(workshop.person, dependencies=Dependencies(jobs=(third,)))
    )
    fourth = await workshop.pending_job(relax, dependencies=Dependencies(postings=(posting,)))
    unconcerned = await workshop.pending_job(relax)
    assert await worker.say(first, failure() if how == "failed" else Cancelled()) is None
    fallen = [second, third, *job_ids(posting, 0, 2), fourth]
    assert await states(workshop, *fallen) == [State.FAILED] * 5
    assert (await workshop.job(fourth)).error["reason"] == "dependency_failed"
    assert await workshop.sql("SELECT status, failed FROM posting") == [("failed", 2)]
    assert await workshop.state(unconcerned) is State.PENDING
    assert await workshop.sql("SELECT count(*) FROM dependency WHERE ended_at IS NULL") == [(0,)]
    assert await workshop.miscounted() == []


async def test_cancelling_a_blocked_job_fells_those_behind_it(workshop: Workshop) -> None:
    relax = await workshop.extension()
    first = await workshop.pending_job(relax)
    second = await workshop.blocked_job(relax, first)
    third = await workshop.blocked_job(relax, second)
    await cancel(workshop.engine, second)
    assert await states(workshop, first, second, third) == [State.PENDING, State.CANCELLED, State.FAILED]


async def test_what_is_already_completed_is_no_need_and_what_ended_badly_fails_the_job_at_once(
    workshop: Workshop,
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    done, failed = await workshop.completed_job(relax, worker), await workshop.failed_job(relax, worker)
    called_off = await workshop.cancelled_job(relax, worker)
    running = await workshop.running_job(relax, worker)
    assert await workshop.state(await workshop.blocked_job(relax, done.id)) is State.PENDING
    assert await workshop.state(await workshop.blocked_job(relax, failed.id)) is State.FAILED
    assert await workshop.state(await workshop.blocked_job(relax, called_off.id)) is State.FAILED
    assert await workshop.state(await workshop.blocked_job(relax, running.id, failed.id)) is State.FAILED
    assert await workshop.state(await workshop.blocked_job(relax, done.id, running.id)) is State.BLOCKED
    assert await workshop.miscounted() == []


async def test_a_posting_that_needs_what_ended_badly_fails_with_all_its_jobs(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    failed = await workshop.failed_job(relax, worker)
    posting = await post(
        workshop.engine,
        relax,
        [{"n": 1}] * 3,
        JobOptions(workshop.person, dependencies=Dependencies(jobs=(failed.id,))),
    )
    assert await workshop.sql("SELECT status, total, failed FROM posting WHERE id = %s", posting) == [("failed", 3, 3)]
    assert await workshop.miscounted() == []


async def test_needing_the_same_job_twice_is_needing_it_once(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    needed = await workshop.running_job(relax, worker)
    job_id = await workshop.blocked_job(relax, needed.id, needed.id)
    await worker.finish(needed)
    assert await workshop.state(job_id) is State.PENDING


async def test_needing_something_unknown_is_refused_and_nothing_is_left(workshop: Workshop) -> None:
    relax = await workshop.extension()
    known, unknown = await workshop.pending_job(relax), new_id()
    for needs in (Dependencies(jobs=(known, unknown)), Dependencies(postings=(unknown,))):
        with pytest.raises(NotFound) as refusal:
            await workshop.pending_job(relax, dependencies=needs)
        assert refusal.value.detail == {"missing": [str(unknown)]}
        with pytest.raises(NotFound):
            await post(workshop.engine, relax, [{}], JobOptions(workshop.person, dependencies=needs))
    assert await workshop.sql("SELECT count(*) FROM job") == [(1,)]
    assert await workshop.sql("SELECT count(*) FROM posting") == [(0,)]
    assert await workshop.sql("SELECT has_dependents FROM job") == [(False,)]


async def test_a_job_cannot_need_more_than_a_thousand_others(workshop: Workshop) -> None:
    relax = await workshop.extension()
    with pytest.raises(TooLarge):
        await workshop.pending_job(relax, dependencies=Dependencies(jobs=tuple(new_id() for _ in range(1_001))))


async def test_a_job_waits_for_a_posting_and_a_posting_for_a_job_and_for_a_posting(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=100)
    first = await post(workshop.engine, relax, [{}, {}], JobOptions(workshop.person))
    second = await post(
        workshop.engine,
        relax,
        [{"n": 1}] * 3,
        JobOptions(workshop.person, dependencies=Dependencies(postings=(first,))),
    )
    last = await workshop.pending_job(relax, dependencies=Dependencies(postings=(first, second)))
    ids = [*job_ids(first, 0, 2), *job_ids(second, 0, 3), last]
    assert await states(workshop, *ids) == [State.PENDING] * 2 + [State.BLOCKED] * 4
    await worker.finish(*await worker.claim(100))
    assert await states(workshop, *ids) == [State.COMPLETED] * 2 + [State.PENDING] * 3 + [State.BLOCKED]
    claimed = await worker.claim(100)
    assert [job.id for job in claimed] == ids[2:5], "freed in their order"
    await worker.finish(*claimed)
    assert await states(workshop, *ids) == [State.COMPLETED] * 5 + [State.PENDING]
    assert await workshop.miscounted() == []


async def test_a_job_that_waits_for_an_empty_posting_does_not_wait(workshop: Workshop) -> None:
    relax = await workshop.extension()
    empty = await post(workshop.engine, relax, [], JobOptions(workshop.person))
    assert (
        await workshop.state(await workshop.pending_job(relax, dependencies=Dependencies(postings=(empty,))))
        is State.PENDING
    )


async def test_a_posting_whose_last_job_completes_unblocks_its_dependents(workshop: Workshop) -> None:
    """The statement that completes the job leaves the posting open; the report ends it in a transaction."""
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=2)
    for calls in (1, 2):
        arguments = [{"n": n} for n in range(calls)]
        posting = await post(workshop.engine, relax, arguments, JobOptions(workshop.person))
        waiting = await workshop.pending_job(relax, dependencies=Dependencies(postings=(posting,)))
        for job in await worker.claim(calls):
            assert await workshop.state(waiting) is State.BLOCKED
            await worker.finish(job)
        assert await workshop.state(waiting) is State.PENDING
        assert await workshop.sql("SELECT status FROM posting WHERE id = %s", posting) == [("completed",)]
        for job in await worker.claim():
            await worker.finish(job)
    assert await workshop.miscounted() == []


async def test_upkeep_ends_a_posting_that_a_stopped_process_left_open(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    posting = await post(workshop.engine, relax, [{}], JobOptions(workshop.person))
    waiting = await workshop.pending_job(relax, dependencies=Dependencies(postings=(posting,)))
    (job,) = await worker.claim()
    async with workshop.engine.database.connection() as connection:
        success = Success(job.id, job.attempt, None, 1.0, "null")
        await jobs.complete_one(connection, success, worker_id=worker.id, incarnation=None)
    assert await workshop.sql("SELECT status, completed FROM posting") == [("executing", 1)]
    assert await workshop.state(waiting) is State.BLOCKED
    assert await end_counted_postings(workshop.engine) == 1
    assert await workshop.sql("SELECT status FROM posting") == [("completed",)]
    assert await workshop.state(waiting) is State.PENDING
    assert await end_counted_postings(workshop.engine) == 0


async def test_the_graph_of_a_job_stays_when_its_dependencies_have_ended(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=9)
    first = await workshop.running_job(relax, worker)
    second = await workshop.blocked_job(relax, first.id)
    third = await workshop.blocked_job(relax, second)

    async def graph(of: UUID) -> tuple[set[UUID], dict[tuple[UUID, UUID], bool]]:
        found = await dependency_graph(workshop.engine, await workshop.job(of))
        return {node.id for node in found.nodes}, {(e.job_id, e.needs): e.ended_at is not None for e in found.edges}

    everything = {first.id, second, third}
    assert await graph(second) == (everything, {(second, first.id): False, (third, second): False})
    await worker.finish(first)
    late = await workshop.blocked_job(relax, first.id)  # what it needs has completed before
    assert await workshop.state(late) is State.PENDING
    edges = {(second, first.id): True, (third, second): False, (late, first.id): True}
    for one in (first.id, third):
        nodes, found = await graph(one)
        assert nodes >= everything and found.items() <= edges.items()
    assert (await graph(first.id))[1] == edges
    assert await graph(await workshop.pending_job(relax)) == (set(), {})
    assert await workshop.miscounted() == []


async def test_a_graph_leaves_out_the_jobs_of_other_rooms(workshop: Workshop) -> None:
    relax = await workshop.extension()
    hidden = await workshop.pending_job(relax)
    await workshop.sql("UPDATE job SET room = NULL WHERE id = %s", hidden)
    mine = await workshop.blocked_job(relax, hidden)
    found = await dependency_graph(workshop.engine, await workshop.job(mine))
    assert ([node.id for node in found.nodes], found.edges) == ([mine], [])
