"""Who is next: priorities, fair shares, turns of extensions and of workers, and how many at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta

from tests.workshop import Workshop, failure

from workroom.actions.engine import Engine
from workroom.actions.jobs.assign import assign_extension
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.rescue import release_unconfirmed, rescue
from workroom.actions.jobs.schedule import promote_due
from workroom.domain.jobs.outcomes import Started
from workroom.domain.jobs.states import State
from workroom.store.notifications import WORK, listening
from workroom.store.queue_tables.job_rows import Claimed


async def test_the_more_urgent_job_is_claimed_first_and_among_equals_the_older(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=10)
    submitted = {p: [await workshop.pending_job(relax, priority=p) for _ in range(2)] for p in (5, 0, 10)}
    assert [job.id for job in await worker.claim(10)] == submitted[10] + submitted[5] + submitted[0]


async def test_a_job_without_a_priority_has_its_extensions(workshop: Workshop) -> None:
    relax = await workshop.extension(priority=8)
    assert (await workshop.job(await workshop.pending_job(relax))).priority == 8


async def test_ten_jobs_of_one_person_are_not_kept_waiting_by_a_thousand_of_another(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=10_000)
    ben = await workshop.another_person("ben")
    await post(workshop.engine, relax, ({"n": n} for n in range(1_000)), JobOptions(workshop.person))
    await worker.claim(100)
    few = {await workshop.pending_job(relax, submitter=ben) for _ in range(10)}
    claimed = [job.id for _ in range(20) for job in await worker.claim(1)]
    assert few <= {*claimed}


async def test_jobs_that_come_due_together_share_the_turns_with_those_who_wait(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=10_000)
    ben = await workshop.another_person("ben")
    later = datetime.now(UTC) + timedelta(hours=1)
    scheduled = {await workshop.pending_job(relax, submitter=ben, run_at=later) for _ in range(30)}
    await post(workshop.engine, relax, ({} for _ in range(200)), JobOptions(workshop.person))
    await worker.claim(100)
    await workshop.sql("UPDATE job SET run_at = now() WHERE run_at IS NOT NULL")
    assert await promote_due(workshop.engine) == 30
    shares = Counter(job.id in scheduled for job in await worker.claim(40))
    assert shares == {True: 20, False: 20}
    # What the person submits next comes after these, not beside them.
    next_one = await workshop.pending_job(relax, submitter=ben)
    assert (await workshop.job(next_one)).turn > max([(await workshop.job(one)).turn for one in scheduled])


async def test_jobs_that_waited_for_another_join_at_the_turn_being_served(workshop: Workshop) -> None:
    relax, other = await workshop.extension("Relax"), await workshop.extension("Other")
    worker, needed_worker = await workshop.worker(relax, capacity=10_000), await workshop.worker(other)
    ben, cleo = await workshop.another_person("ben"), await workshop.another_person("cleo")
    needed = await workshop.running_job(other, needed_worker)
    blocked = {await workshop.blocked_job(relax, needed.id, submitter=ben) for _ in range(30)}
    await post(workshop.engine, relax, ({} for _ in range(200)), JobOptions(workshop.person))
    await worker.claim(100)
    await needed_worker.finish(needed)
    newcomer = {await workshop.pending_job(relax, submitter=cleo) for _ in range(30)}
    claimed = [job.id for job in await worker.claim(60)]
    assert len(blocked & {*claimed}) == len(newcomer & {*claimed}) == 20, "each of the three gets a third"


async def test_the_same_key_again_takes_no_turn(workshop: Workshop) -> None:
    relax = await workshop.extension()
    first = await workshop.pending_job(relax, idempotency_key="k")
    for _ in range(5):
        assert await workshop.pending_job(relax, idempotency_key="k") == first
    second = await workshop.pending_job(relax)
    assert (await workshop.job(second)).turn == (await workshop.job(first)).turn + 1


async def test_a_released_job_comes_back_at_its_original_place(workshop: Workshop) -> None:
    relax = await workshop.extension(on_worker_lost="requeue")
    lost, worker = await workshop.worker(relax), await workshop.worker(relax, capacity=10)
    ids = [await workshop.pending_job(relax) for _ in range(3)]
    (job,) = await lost.claim()
    assert job.id == ids[0]
    await lost.is_lost()
    await rescue(workshop.engine)
    assert [(job.id, job.attempt) for job in await worker.claim(10)] == [(ids[0], 2), (ids[1], 1), (ids[2], 1)]


async def test_idle_remote_workers_take_turns(workshop: Workshop) -> None:
    relax = await workshop.extension()
    workers = [await workshop.worker(relax, kind="remote", capacity=100) for _ in range(4)]
    for _ in range(40):
        await workshop.pending_job(relax)
    held = Counter(row[0] for row in await workshop.sql("SELECT worker_id FROM job WHERE state = 'assigned'"))
    assert held == {worker.id: 10 for worker in workers}


async def test_the_extension_served_longest_ago_is_next_so_none_starves(workshop: Workshop) -> None:
    lines = [await workshop.extension(name) for name in ("A", "B", "C")]
    worker = await workshop.worker(*lines, capacity=1)
    for line in lines:
        for _ in range(20 if line is lines[0] else 5):
            await workshop.pending_job(line)
    order: list[int] = []
    for _ in range(15):
        (job,) = await worker.claim()
        order.append(job.extension_id)
        await worker.finish(job)
    expected = [line.id for line in lines]
    assert [order[start : start + 3] for start in range(0, 15, 3)] == [expected] * 5


async def test_a_more_urgent_job_goes_before_the_turn_of_its_extension(workshop: Workshop) -> None:
    one, other = await workshop.extension("A"), await workshop.extension("B")
    worker = await workshop.worker(one, other, capacity=10)
    await workshop.pending_job(one)
    (first,) = await worker.claim()
    await workshop.pending_job(other)
    urgent = await workshop.pending_job(one, priority=6)
    assert first.extension_id == one.id
    assert [job.id for job in await worker.claim()] == [urgent]


async def test_a_worker_never_holds_more_than_its_capacity(workshop: Workshop) -> None:
    relax = await workshop.extension()
    pool, remote = await workshop.worker(relax, capacity=3), await workshop.worker(relax, kind="remote", capacity=2)
    for _ in range(10):
        await workshop.pending_job(relax)
    assert len(await pool.claim(100)) == 3
    assert await pool.claim(100) == []
    assert await workshop.sql("SELECT count(*) FROM job WHERE worker_id = %s", remote.id) == [(2,)]


async def test_an_extensions_concurrency_bounds_each_worker(workshop: Workshop) -> None:
    relax = await workshop.extension(concurrency=2)
    workers = [await workshop.worker(relax, capacity=10) for _ in range(2)]
    for _ in range(10):
        await workshop.pending_job(relax)
    claimed = [await worker.claim(10) for worker in workers]
    assert [len(jobs) for jobs in claimed] == [2, 2]
    assert await workers[0].claim(10) == []
    await workers[0].finish(claimed[0][0])
    assert len(await workers[0].claim(10)) == 1


async def test_a_worker_at_its_concurrency_does_not_keep_a_job_from_another(workshop: Workshop) -> None:
    relax = await workshop.extension(concurrency=1)
    busy, free = [await workshop.worker(relax, kind="remote", capacity=5) for _ in range(2)]
    await workshop.pending_job(relax)
    second = await workshop.pending_job(relax)
    assert (await workshop.job(second)).worker_id == free.id
    await free.finish(_handed(second, relax.id))
    # Now `busy` was served longest ago and has free slots, but not for this extension.
    third = await workshop.pending_job(relax)
    assert (await workshop.job(third)).worker_id == free.id
    assert await workshop.sql("SELECT count(*) FROM job WHERE worker_id = %s", busy.id) == [(1,)]


async def test_a_worker_whose_probe_runs_does_not_keep_a_job_from_another(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1)
    probing, other = [await workshop.worker(relax, kind="remote", capacity=5) for _ in range(2)]
    await workshop.sql("UPDATE offer SET failures = 1, opened_at = '2020-01-01' WHERE worker_id = %s", probing.id)
    await workshop.sql("UPDATE worker SET draining = true WHERE id = %s", other.id)
    placed = [(await workshop.job(await workshop.pending_job(relax))).worker_id for _ in range(2)]
    assert placed == [probing.id, None], "one probe at a time"
    await workshop.sql("UPDATE worker SET draining = false WHERE id = %s", other.id)
    await assign_extension(workshop.engine, relax.id)
    held = dict(await workshop.sql("SELECT worker_id, count(*) FROM job GROUP BY worker_id"))
    assert held == {probing.id: 1, other.id: 1}


async def test_a_paused_extension_hands_out_nothing(workshop: Workshop) -> None:
    relax = await workshop.extension()
    pool, remote = await workshop.worker(relax), await workshop.worker(relax, kind="remote")
    await workshop.sql("UPDATE extension SET paused = true")
    job_id = await workshop.pending_job(relax)
    assert await pool.claim() == [] and await workshop.state(job_id) is State.PENDING
    await workshop.sql("UPDATE extension SET paused = false")
    await assign_extension(workshop.engine, relax.id)
    assert (await workshop.job(job_id)).worker_id == remote.id


# Breakers ------------------------------------------------------------------------------------------------------------


async def test_a_breaker_opens_lets_one_probe_through_and_closes_when_it_succeeds(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=3, breaker_seconds=1000)
    worker, other = await workshop.worker(relax, capacity=5), await workshop.worker(relax)
    for n in range(3):
        job = await workshop.running_job(relax, worker, arguments={"n": n})
        assert await worker.say(job, failure()) is None
    for _ in range(4):
        await workshop.pending_job(relax)
    assert await worker.claim(5) == [], "open: nothing"
    assert len(await other.claim()) == 1, "each worker has its own"
    await workshop.sql("UPDATE offer SET opened_at = opened_at - interval '1 hour'")
    (probe,) = await worker.claim(5)
    assert await worker.claim(5) == [], "one probe at a time"
    await worker.finish(probe)
    assert len(await worker.claim(5)) == 2, "closed: everything"
    assert await workshop.sql("SELECT failures, opened_at FROM offer WHERE worker_id = %s", worker.id) == [(0, None)]


async def test_a_probe_takes_its_turn_also_when_another_worker_has_nothing_to_do(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1, breaker_seconds=1000)
    broken, other = [await workshop.worker(relax, kind="remote", capacity=2) for _ in range(2)]

    async def goes_to() -> object:
        return (await workshop.job(await workshop.pending_job(relax))).worker_id

    await workshop.sql("UPDATE offer SET failures = 1, opened_at = now() WHERE worker_id = %s", broken.id)
    assert await goes_to() == other.id, "open: nothing"
    await workshop.sql("UPDATE offer SET opened_at = opened_at - interval '1 hour'")
    assert await goes_to() == broken.id, "it was served longest ago"
    assert await goes_to() == other.id, "one probe at a time"


async def test_a_failed_probe_opens_the_breaker_anew(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1, breaker_seconds=1000)
    worker = await workshop.worker(relax)
    assert await worker.say(await workshop.running_job(relax, worker), failure()) is None
    await workshop.sql("UPDATE offer SET opened_at = opened_at - interval '1 hour'")
    assert await worker.say(await workshop.running_job(relax, worker), failure()) is None
    await workshop.pending_job(relax)
    assert await worker.claim() == []


async def test_a_success_between_failures_keeps_the_breaker_closed(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=2)
    worker = await workshop.worker(relax)
    for n in range(4):
        job = await workshop.running_job(relax, worker, arguments={"n": n})
        assert await worker.say(job, failure()) is None
        await worker.finish(await workshop.assigned_job(relax, worker))


async def test_an_assignment_never_confirmed_counts_against_the_worker(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=2)
    worker = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax)
    for attempt in (1, 2):
        assert (await workshop.job(job_id)).attempt == attempt
        await workshop.confirmation_is_overdue()
        assert [job.id for job in await release_unconfirmed(workshop.engine)] == [job_id]
    row = await workshop.job(job_id)
    assert (row.state, row.attempt, row.losses, row.failures) == (State.PENDING, 2, 0, 0), "its breaker is open now"
    reasons = await workshop.sql("SELECT reason, worker_id FROM failed_attempt ORDER BY attempt")
    assert reasons == [("unconfirmed", worker.id)] * 2


async def test_a_silent_worker_gets_the_job_of_another_extension_when_its_breaker_opens(workshop: Workshop) -> None:
    silent, other = await workshop.extension("A", breaker_failures=1), await workshop.extension("B")
    worker = await workshop.worker(silent, other, kind="remote")
    first, second = await workshop.pending_job(silent), await workshop.pending_job(other)
    await workshop.confirmation_is_overdue()
    await release_unconfirmed(workshop.engine)
    assert await workshop.state(first) is State.PENDING
    assert (await workshop.job(second)).worker_id == worker.id


async def test_a_confirmed_assignment_is_not_taken_back(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax)
    assert await worker.say(_handed(job_id, relax.id), Started()) is None
    await workshop.confirmation_is_overdue()
    assert await release_unconfirmed(workshop.engine) == []


def _handed(job_id: object, extension_id: int) -> Claimed:
    return Claimed(job_id, 1, extension_id, False, None, 1, {})  # pyright: ignore[reportArgumentType]


async def test_whoever_reaches_no_socket_hands_nothing_to_remote_workers_but_tells_the_server(
    workshop: Workshop, database_url: str
) -> None:
    relax = await workshop.extension()
    remote = await workshop.worker(relax, kind="remote")
    elsewhere = Engine(workshop.engine.database, pushes=False)
    heard: asyncio.Queue[str] = asyncio.Queue()
    async with listening(database_url, {WORK: heard.put_nowait}) as hints:
        listener = asyncio.create_task(hints.run())
        posting = await post(elsewhere, relax, [{"n": 1}], JobOptions(workshop.person))
        assert await asyncio.wait_for(heard.get(), 5) == str(relax.id)
        listener.cancel()
    assert await workshop.state(posting) is State.PENDING
    await assign_extension(workshop.engine, relax.id)
    assert (await workshop.job(posting)).worker_id == remote.id
