"""How much a worker does is counted beside its jobs, and read without looking at them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.workshop import Worker, Workshop, failure

from workroom.actions.jobs.report import report
from workroom.actions.queries import workers as worker_queries
from workroom.actions.workers.throughput import flush
from workroom.domain.errors import DatabaseUnreachable
from workroom.domain.jobs.outcomes import Report, Started, Succeeded
from workroom.domain.jobs.worker_throughput import SLICES, Throughput, throughput


async def of(worker: Worker) -> Throughput:
    row = await worker_queries.worker(worker.workshop.engine, worker.id)
    return throughput(row.throughput, into_slice=row.into_slice, age=row.age)


async def test_each_end_of_a_try_counts_once_it_is_written_down(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2)
    worker, idle = await workshop.worker(relax), await workshop.worker()
    await workshop.completed_job(relax, worker)
    await workshop.failed_job(relax, worker)
    await workshop.cancelled_job(relax, worker)
    retried = await workshop.running_job(relax, worker)
    assert await worker.say(retried, failure()) is None
    assert (await of(worker)).ended == 0, "nothing is written on a job's way"
    await flush(workshop.engine)
    told = await of(worker)
    assert (told.ended, told.failed) == (4, 2), "a failed try counts, also when it is repeated"
    assert sum(told.history) == 4
    assert (await of(idle)).ended == 0
    await flush(workshop.engine)
    assert (await of(worker)).ended == 4


async def test_batches_and_pushed_jobs_count_alike(workshop: Workshop) -> None:
    relax, pushed = await workshop.extension(), await workshop.extension("Pushed")
    pool, remote = await workshop.worker(relax, capacity=5), await workshop.worker(pushed, kind="remote")
    for _ in range(5):
        await workshop.pending_job(relax)
    await pool.finish(*await pool.claim(5))
    job_id = await workshop.pending_job(pushed)
    for outcome in (Started(), Succeeded()):
        assert not await report(
            workshop.engine, remote.id, [Report(job_id, 1, outcome)], incarnation=remote.incarnation
        )
    await flush(workshop.engine)
    assert [(await of(worker)).ended for worker in (pool, remote)] == [5, 1]


async def test_a_refused_report_does_not_count(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker, other = await workshop.worker(relax), await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    assert await other.say(job, Succeeded()) is not None
    await flush(workshop.engine)
    assert (await of(other)).ended == 0
    assert await workshop.sql("SELECT * FROM worker_throughput") == []


async def test_the_ring_is_used_again_and_what_is_old_is_not_told(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    for _ in range(2):
        await workshop.completed_job(relax, worker)
        await flush(workshop.engine)
        await workshop.sql("UPDATE worker_throughput SET began_at = began_at - %s * interval '10 seconds'", SLICES)
        assert (await of(worker)).ended == 0
    await workshop.completed_job(relax, worker)
    await flush(workshop.engine)
    assert (await of(worker)).ended == 1
    assert len(await workshop.sql("SELECT * FROM worker_throughput")) <= 3


async def test_counts_are_kept_while_the_database_is_away_and_of_the_forgotten_dropped(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    await workshop.completed_job(relax, worker)

    def away() -> Any:
        raise DatabaseUnreachable

    with monkeypatch.context() as patch:
        patch.setattr(workshop.engine.database, "connection", away)
        with pytest.raises(DatabaseUnreachable):
            await flush(workshop.engine)
    await workshop.completed_job(relax, worker)
    await flush(workshop.engine)
    assert (await of(worker)).ended == 2
    await workshop.completed_job(relax, worker)
    await workshop.sql("DELETE FROM worker WHERE id = %s", worker.id)
    await flush(workshop.engine)
    assert await workshop.sql("SELECT * FROM worker_throughput") == []
