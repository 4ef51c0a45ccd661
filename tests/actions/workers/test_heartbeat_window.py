"""No worker is declared lost, and no job taken from it, before heartbeats could arrive for a whole lease."""

from __future__ import annotations

import pytest
from tests.workshop import Worker, Workshop

from workroom.actions.engine import Engine
from workroom.actions.jobs.rescue import expire, expire_workers, release_unconfirmed
from workroom.actions.workers.heartbeat_window import open_after_server_start, record_window
from workroom.domain.jobs.states import State
from workroom.domain.jobs.worker_loss import HEARD_BY_DATABASE, HEARD_BY_SERVER
from workroom.upkeep import Maintainer

KINDS = [*HEARD_BY_SERVER, *HEARD_BY_DATABASE]


@pytest.fixture
async def silent(workshop: Workshop) -> list[Worker]:
    """A worker of each kind whose lease has ended."""
    relax = await workshop.extension()
    silent = [await workshop.worker(relax, kind=kind) for kind in ("remote", "pool")]
    await workshop.sql("UPDATE worker SET lease_until = now() - interval '1 second'")
    return silent


async def set_window(workshop: Workshop, since: str, until: str) -> None:
    await workshop.sql(
        "UPDATE heartbeat_window SET open_since = now() + %s::interval, open_until = now() + %s::interval", since, until
    )


async def test_without_a_record_of_heartbeats_no_worker_is_lost(workshop: Workshop, silent: list[Worker]) -> None:
    await workshop.sql("DELETE FROM heartbeat_window")
    assert await workshop.lost_workers() == []
    await record_window(workshop.engine, KINDS)
    assert await workshop.lost_workers() == [], "not even at once after the first record"


async def test_a_worker_is_lost_after_one_lease_of_normal_operation(workshop: Workshop, silent: list[Worker]) -> None:
    await set_window(workshop, "-29 seconds", "0 seconds")
    assert await workshop.lost_workers() == []
    await set_window(workshop, "-31 seconds", "0 seconds")
    assert sorted(await workshop.lost_workers()) == sorted(worker.id for worker in silent)


async def test_after_a_gap_every_worker_has_a_whole_lease(workshop: Workshop, silent: list[Worker]) -> None:
    """The first sweep after a sleep may come before the first record, or after it."""
    await set_window(workshop, "-1 day", "-45 seconds")
    assert await workshop.lost_workers() == []
    await record_window(workshop.engine, KINDS)
    assert await workshop.lost_workers() == []
    await workshop.sql("UPDATE heartbeat_window SET open_since = open_since - interval '31 seconds'")
    assert len(await workshop.lost_workers()) == 2


async def test_a_short_interruption_does_not_put_off_the_loss(workshop: Workshop, silent: list[Worker]) -> None:
    await set_window(workshop, "-1 day", "-9 seconds")
    await record_window(workshop.engine, KINDS)
    assert len(await workshop.lost_workers()) == 2


async def test_a_clock_that_was_set_back_begins_a_new_window(workshop: Workshop, silent: list[Worker]) -> None:
    await set_window(workshop, "1 hour", "2 hours")
    await record_window(workshop.engine, KINDS)
    ((fresh,),) = await workshop.sql("SELECT bool_and(open_since <= now()) FROM heartbeat_window")
    assert fresh
    assert await workshop.lost_workers() == []


async def test_a_server_start_is_a_gap_however_short(workshop: Workshop, silent: list[Worker]) -> None:
    remote, pool = silent
    await open_after_server_start(workshop.engine)
    assert await workshop.lost_workers() == [pool.id], "pools did not need the server"
    assert await workshop.sql("SELECT attached, detached_at IS NULL FROM worker WHERE id = %s", remote.id) == [
        (False, False)
    ]
    await workshop.sql("UPDATE heartbeat_window SET open_since = open_since - interval '31 seconds'")
    await workshop.sql("UPDATE worker SET detached_at = detached_at - interval '31 seconds'")
    assert await workshop.lost_workers() == [remote.id]


async def test_a_disconnected_worker_has_a_whole_lease_after_a_gap(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    await workshop.sql("UPDATE worker SET attached = false, detached_at = now() - interval '20 seconds'")
    await set_window(workshop, "-25 seconds", "0 seconds")
    assert await workshop.lost_workers() == []
    await set_window(workshop, "-31 seconds", "0 seconds")
    assert await workshop.lost_workers() == [worker.id]


async def test_jobs_are_not_taken_back_right_after_a_gap(workshop: Workshop) -> None:
    """Neither an unconfirmed one nor one past its timeout: the worker's reports could not arrive."""
    relax, timed = await workshop.extension("Relax"), await workshop.extension("Timed", timeout_seconds=1.0)
    await workshop.worker(relax, kind="remote")
    unconfirmed = await workshop.pending_job(relax)
    worker = await workshop.worker(timed)
    late = await workshop.running_job(timed, worker)
    await workshop.confirmation_is_overdue()
    await workshop.sql("UPDATE job SET started_at = now() - interval '1 hour' WHERE id = %s", late.id)
    await set_window(workshop, "-1 day", "-45 seconds")
    await record_window(workshop.engine, KINDS)
    assert await release_unconfirmed(workshop.engine) == []
    assert await expire(workshop.engine, KINDS) == 0
    await workshop.sql("UPDATE heartbeat_window SET open_since = open_since - interval '31 seconds'")
    assert [job.id for job in await release_unconfirmed(workshop.engine)] == [unconfirmed]
    assert await expire(workshop.engine, KINDS) == 1
    assert await workshop.state(late.id) is State.FAILED


async def test_the_upkeep_of_a_pool_never_loses_remote_workers(workshop: Workshop, silent: list[Worker]) -> None:
    """A pool that leads cannot hear them. It does lose the workers that write to the database, as it does."""
    remote, pool = silent
    relax = await workshop.extension("Timed", timeout_seconds=1.0)
    other = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax)
    await workshop.sql("UPDATE job SET state = 'running', started_at = now() - interval '1 hour' WHERE id = %s", job_id)
    engine = Engine(workshop.engine.database, pushes=False)
    await Maintainer(engine).rescuer.run_once()
    alive = await workshop.sql("SELECT id FROM worker WHERE ended_at IS NULL ORDER BY registered_at")
    assert alive == [(remote.id,), (other.id,)]
    assert await workshop.state(job_id) is State.RUNNING
    assert sorted(await expire_workers(workshop.engine, HEARD_BY_SERVER)) == [remote.id]
    assert pool.id != remote.id
