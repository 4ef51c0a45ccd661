"""The breaker counts failures by input and submitter: one person's bad arguments never keep others from a worker."""

from __future__ import annotations

from typing import Any

from tests.workshop import Worker, Workshop, failure

from workroom.actions.extensions.adjust_queue import close_breakers
from workroom.actions.jobs.report import report
from workroom.actions.jobs.rescue import release_unconfirmed, rescue
from workroom.actions.queries import workers as worker_queries
from workroom.domain.jobs.outcomes import Report
from workroom.domain.jobs.states import State
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.store.queue_tables.extensions import ExtensionRow


async def _fails(workshop: Workshop, relax: ExtensionRow, worker: Worker, n: int, **options: Any) -> None:
    """A job with this input fails on the worker."""
    job = await workshop.running_job(relax, worker, arguments={"n": n}, tries=1, **options)
    assert await worker.say(job, failure()) is None


async def _state(workshop: Workshop, worker: Worker) -> str:
    """What people see of the breaker."""
    return (await worker_queries.worker(workshop.engine, worker.id)).offers[0]["breaker"]


async def test_the_same_input_counts_once_however_often_it_is_tried(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=3, breaker_seconds=1000)
    worker = await workshop.worker(relax)
    for _ in range(10):
        await _fails(workshop, relax, worker, 1)
    await _fails(workshop, relax, worker, 2)
    assert await workshop.sql("SELECT failures, opened_at FROM offer") == [(2, None)]
    assert await _state(workshop, worker) == "closed"


async def test_many_inputs_of_one_person_open_it_until_another_person_waits(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=3, breaker_seconds=1000)
    worker = await workshop.worker(relax, capacity=5)
    for n in range(3):
        await _fails(workshop, relax, worker, n)
    mine = [await workshop.pending_job(relax) for _ in range(3)]
    assert await worker.claim(5) == [], "a person alone is protected from an extension that fails whatever it gets"
    assert await _state(workshop, worker) == "open"
    grace = await workshop.another_person("grace")
    hers = await workshop.pending_job(relax, submitter=grace)
    assert await _state(workshop, worker) == "closed"
    got = await worker.claim(5)
    assert {job.id for job in got} == {*mine, hers}
    await worker.finish(next(job for job in got if job.id == hers))
    assert await workshop.sql("SELECT failures, failed_inputs, failed_for, opened_at FROM offer") == [
        (0, [], None, None)
    ]


async def test_a_person_who_waits_behind_bad_arguments_is_served(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=2, breaker_seconds=1000, tries=1)
    worker = await workshop.worker(relax, kind="remote")
    grace = await workshop.another_person("grace")
    bad = [await workshop.pending_job(relax, {"n": n}) for n in range(4)]
    hers = await workshop.pending_job(relax, submitter=grace)
    for n in range(4):
        ((job_id,),) = await workshop.sql("SELECT id FROM job WHERE state = 'assigned'")
        if job_id == hers:
            return
        assert job_id == bad[n]
        await report(workshop.engine, worker.id, [Report(job_id, 1, failure(), 1.0, 2.0)], incarnation=1)
    assert (await workshop.job(hers)).worker_id == worker.id


async def test_a_worker_idle_behind_an_open_breaker_takes_the_job_of_another_person_at_once(
    workshop: Workshop,
) -> None:
    relax = await workshop.extension(breaker_failures=1, breaker_seconds=1000, tries=1)
    worker = await workshop.worker(relax, kind="remote")
    first = await workshop.pending_job(relax, {"n": 1})
    await report(workshop.engine, worker.id, [Report(first, 1, failure(), 1.0, 2.0)], incarnation=1)
    assert await workshop.state(await workshop.pending_job(relax, {"n": 2})) is State.PENDING
    grace = await workshop.another_person("grace")
    await workshop.pending_job(relax, submitter=grace)
    assert await workshop.sql("SELECT count(*) FROM job WHERE state = 'assigned'") == [(1,)]


async def test_inputs_of_two_people_open_it_for_all(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=3, breaker_seconds=1000)
    worker = await workshop.worker(relax, capacity=5)
    grace, alan = await workshop.another_person("grace"), await workshop.another_person("alan")
    await _fails(workshop, relax, worker, 1)
    await _fails(workshop, relax, worker, 1, submitter=grace)
    assert await _state(workshop, worker) == "closed"
    await _fails(workshop, relax, worker, 2)
    await workshop.pending_job(relax, submitter=alan)
    assert await worker.claim(5) == []
    assert await _state(workshop, worker) == "open"
    await workshop.sql("UPDATE offer SET opened_at = opened_at - interval '1 hour'")
    assert await _state(workshop, worker) == "probing"
    (probe,) = await worker.claim(5)
    assert await worker.say(probe, failure(), short=True) is None
    assert await _state(workshop, worker) == "open", "a probe that fails opens it anew"


async def test_a_failed_probe_with_a_known_input_opens_it_anew(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1, breaker_seconds=1000)
    worker = await workshop.worker(relax)
    await _fails(workshop, relax, worker, 1)
    await workshop.sql("UPDATE offer SET opened_at = opened_at - interval '1 hour'")
    await _fails(workshop, relax, worker, 1)
    assert await _state(workshop, worker) == "open"


async def test_jobs_of_one_report_count_as_those_of_many(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=3, breaker_seconds=1000, tries=1)
    worker = await workshop.worker(relax, capacity=10)
    for n in (1, 1, 1, 2):
        await workshop.pending_job(relax, {"n": n})
    got = await worker.claim(10)
    reports = [Report(job.id, 1, failure(), 1.0, 2.0) for job in got]
    assert await report(workshop.engine, worker.id, reports) == {}
    assert await workshop.sql("SELECT failures, failed_for, opened_at FROM offer") == [(2, workshop.person, None)]


async def test_what_is_kept_of_failures_is_bounded(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1000, tries=1)
    worker = await workshop.worker(relax, capacity=200)
    for n in range(150):
        await workshop.pending_job(relax, {"n": n})
    reports = [Report(job.id, 1, failure(), 1.0, 2.0) for job in await worker.claim(200)]
    for some in (reports[:30], reports[30:140], reports[140:]):
        assert await report(workshop.engine, worker.id, some) == {}
    assert await workshop.sql("SELECT failures, cardinality(failed_inputs) FROM offer") == [(150, 64)]


async def test_a_silent_worker_is_at_fault_whoever_submitted(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1, breaker_seconds=1000)
    await workshop.worker(relax, kind="remote")
    await workshop.pending_job(relax)
    await workshop.confirmation_is_overdue()
    assert await release_unconfirmed(workshop.engine)
    grace = await workshop.another_person("grace")
    assert await workshop.state(await workshop.pending_job(relax, submitter=grace)) is State.PENDING


async def test_a_released_job_that_never_had_a_turn_is_served(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=1, breaker_seconds=1000, tries=1)
    grace = await workshop.another_person("grace")
    lost = await workshop.worker(relax, kind="remote")
    hers = await workshop.pending_job(relax, submitter=grace, on_worker_lost=OnWorkerLost.REQUEUE)
    assert (await workshop.job(hers)).worker_id == lost.id, "assigned at once: it took no turn"
    other = await workshop.worker(relax, kind="remote")
    mine = await workshop.pending_job(relax, {"n": 1})
    await report(workshop.engine, other.id, [Report(mine, 1, failure(), 1.0, 2.0)], incarnation=1)
    await lost.is_lost()
    await rescue(workshop.engine)
    assert (await workshop.job(hers)).worker_id == other.id


async def test_an_admin_who_closes_it_forgets_the_inputs(workshop: Workshop) -> None:
    relax = await workshop.extension(breaker_failures=2)
    worker = await workshop.worker(relax)
    await _fails(workshop, relax, worker, 1)
    assert await close_breakers(workshop.engine, relax, actor=workshop.person) == 1
    assert await workshop.sql("SELECT failures, failed_inputs, failed_for FROM offer") == [(0, [], None)]


async def test_the_state_of_an_open_breaker_is_looked_up_however_many_submitters_a_queue_has_had(
    workshop: Workshop,
) -> None:
    """The submit statement asks for it, so it must not compare the turns of all submitters."""
    relax = await workshop.extension()
    await workshop.pending_job(relax, priority=3)
    await workshop.pending_job(relax)
    await workshop.sql(
        "INSERT INTO fair_turn (extension_id, priority, submitter, last_turn) "
        "SELECT %s, n %% 2 * 3, gen_random_uuid(), -n FROM generate_series(1, 100000) AS n RETURNING 1",
        relax.id,
    )
    query = "SELECT breaker_state(now(), 1000, %s, %s)"
    assert await workshop.sql(query, workshop.person, relax.id) == [("open",)]
    plan = await workshop.sql(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", workshop.person, relax.id)
    read = plan[0][0][0]["Plan"]
    assert read["Shared Hit Blocks"] + read["Shared Read Blocks"] < 100, read
