"""A job that nothing holds back goes straight to an idle remote worker, in one statement; all others go in line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.workshop import Worker, Workshop

from workroom.actions.engine import Engine
from workroom.actions.events import JobsAssigned, JobSubmitted
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.rescue import rescue
from workroom.actions.jobs.submit import submit
from workroom.domain.errors import KeyReused, NotFound
from workroom.domain.jobs.states import State
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed
from workroom.store.room_tables.rooms import AccessSnapshot

_SEEN = AccessSnapshot(epoch=0, role="user", visibility="public", locked=False, owned=True, member_rights=None)


@pytest.fixture
async def line(workshop: Workshop) -> ExtensionRow:
    return await workshop.extension()


@pytest.fixture
async def worker(workshop: Workshop, line: ExtensionRow) -> Worker:
    return await workshop.worker(line, kind="remote")


async def _turns(workshop: Workshop) -> list[int]:
    return [turn for (turn,) in await workshop.sql("SELECT last_turn FROM fair_turn ORDER BY last_turn")]


async def test_it_is_written_as_assigned_and_takes_no_turn(
    workshop: Workshop, line: ExtensionRow, worker: Worker
) -> None:
    made = await submit(workshop.engine, line, {"n": 3}, JobOptions(workshop.person, workshop.room))
    job = await workshop.job(made.id)
    assert (made.state, made.created_at) == (State.ASSIGNED, job.created_at)
    assert (job.state, job.worker_id, job.attempt, job.turn, job.arguments) == ("assigned", worker.id, 1, 0, {"n": 3})
    submitted, handed = [event for event in workshop.events if isinstance(event, JobSubmitted | JobsAssigned)]
    assert isinstance(submitted, JobSubmitted)
    assert submitted.job.id == made.id
    given = Claimed(made.id, 1, line.id, False, workshop.room, line.tries, {"n": 3}, job.assigned_at)
    assert handed == JobsAssigned(worker.id, (given,))
    assert await workshop.miscounted() == []
    assert await _turns(workshop) == []


async def test_when_all_are_busy_it_takes_a_turn_and_waits(
    workshop: Workshop, line: ExtensionRow, worker: Worker
) -> None:
    first = await workshop.pending_job(line)
    second, third = await workshop.pending_job(line), await workshop.pending_job(line)
    assert [await workshop.state(one) for one in (first, second, third)] == ["assigned", "pending", "pending"]
    assert [(await workshop.job(one)).turn for one in (first, second, third)] == [0, 0, 1]
    assert await _turns(workshop) == [1]


async def test_nobody_overtakes_who_waits(workshop: Workshop, line: ExtensionRow) -> None:
    """The worker that comes is handed the job that waited; a new one waits in its turn."""
    waiting = await workshop.pending_job(line)
    worker = await workshop.worker(line, kind="remote")
    later = await workshop.pending_job(line)
    assert (await workshop.job(waiting)).worker_id == worker.id
    assert await workshop.state(later) is State.PENDING


async def test_one_that_comes_back_has_its_place_before_all_who_came_later(workshop: Workshop) -> None:
    line = await workshop.extension("Again", on_worker_lost="requeue")
    worker = await workshop.worker(line, kind="remote")
    bea = await workshop.another_person("bea")
    straight = await workshop.pending_job(line)
    assert (await workshop.job(straight)).worker_id == worker.id
    for submitter in (bea, workshop.person, bea):
        await workshop.pending_job(line, submitter=submitter)
    await worker.is_lost()
    await rescue(workshop.engine)
    pool = await workshop.worker(line, capacity=10)
    claimed = await pool.claim(10)
    assert (claimed[0].id, claimed[0].attempt, len(claimed)) == (straight, 2, 4)


@pytest.mark.parametrize(
    "options",
    [
        {"run_at": datetime.now(UTC) + timedelta(hours=1)},
        {"run_at": datetime.now(UTC) - timedelta(hours=1)},
        {"dependencies": "a job that has ended"},
    ],
)
async def test_what_may_have_to_wait_goes_in_line(
    workshop: Workshop, line: ExtensionRow, worker: Worker, options: dict[str, Any]
) -> None:
    if "dependencies" in options:
        other = await workshop.extension("Other")
        ended = await workshop.completed_job(other, await workshop.worker(other))
        options = {"dependencies": Dependencies(jobs=(ended.id,))}
    made = await workshop.pending_job(line, **options)
    assert (line.id,) in await workshop.sql("SELECT extension_id FROM fair_turn")
    later = options.get("run_at") is not None and options["run_at"] > datetime.now(UTC)
    assert await workshop.state(made) is (State.PENDING if later else State.ASSIGNED)
    assert await workshop.miscounted() == []


async def test_a_key_makes_one_job_of_many_submissions(workshop: Workshop, line: ExtensionRow, worker: Worker) -> None:
    options = JobOptions(workshop.person, workshop.room, idempotency_key="k")
    first = await submit(workshop.engine, line, {"n": 1}, options)
    assert first.state == State.ASSIGNED
    await worker.finish(Claimed(first.id, 1, line.id, False, workshop.room, 1, {}))
    again = await submit(workshop.engine, line, {"n": 1}, options)
    assert (again.id, again.state) == (first.id, State.COMPLETED)
    with pytest.raises(KeyReused):
        await submit(workshop.engine, line, {"n": 2}, options)
    assert await workshop.sql("SELECT count(*) FROM job") == [(1,)]
    assert await _turns(workshop) == []
    assert await workshop.miscounted() == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE worker SET draining = true",
        "UPDATE worker SET attached = false",
        "UPDATE extension SET paused = true",
        "UPDATE offer SET opened_at = now()",
        "UPDATE worker SET kind = 'pool'",
    ],
)
async def test_a_worker_that_may_take_nothing_gets_nothing(
    workshop: Workshop, line: ExtensionRow, worker: Worker, change: str
) -> None:
    await workshop.sql(change)
    assert await workshop.state(await workshop.pending_job(line)) is State.PENDING


async def test_a_breaker_lets_one_probe_through(workshop: Workshop, line: ExtensionRow) -> None:
    worker = await workshop.worker(line, kind="remote", capacity=3)
    await workshop.sql("UPDATE offer SET failures = 3, opened_at = now() - interval '1 day'")
    first, second = await workshop.pending_job(line), await workshop.pending_job(line)
    assert [await workshop.state(one) for one in (first, second)] == [State.ASSIGNED, State.PENDING]
    assert (await workshop.job(first)).worker_id == worker.id


async def test_the_worker_served_longest_ago_is_next(workshop: Workshop, line: ExtensionRow) -> None:
    workers = [await workshop.worker(line, kind="remote", capacity=2) for _ in range(3)]
    served = [(await workshop.job(await workshop.pending_job(line))).worker_id for _ in range(6)]
    assert sorted(served[:3], key=str) == sorted((one.id for one in workers), key=str)
    assert served[3:] == served[:3]


async def test_a_removed_extension_and_another_schema_are_refused(
    workshop: Workshop, line: ExtensionRow, worker: Worker
) -> None:
    with pytest.raises(NotFound):
        await submit(
            workshop.engine, line._replace(schema_hash="0" * 64), {}, JobOptions(workshop.person, workshop.room)
        )
    await worker.is_lost()
    await workshop.removed(line)
    with pytest.raises(NotFound):
        await workshop.pending_job(line)
    assert await workshop.sql("SELECT count(*) FROM job") == [(0,)]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE account SET token_epoch = token_epoch + 1",
        "UPDATE account SET disabled_at = now()",
        "UPDATE account SET role = 'admin'",
        "UPDATE room SET visibility = 'private'",
        "UPDATE room SET locked = true",
        "UPDATE room SET owner_id = NULL",
        "INSERT INTO room_member (room, account_id, rights) SELECT room.name, owner_id, 'read' FROM room",
    ],
)
async def test_whoever_is_no_longer_who_they_were_is_looked_at_again(
    workshop: Workshop, line: ExtensionRow, worker: Worker, change: str
) -> None:
    ((epoch, role),) = await workshop.sql("SELECT token_epoch, role FROM account WHERE id = %s", workshop.person)
    options = JobOptions(workshop.person, workshop.room, access_snapshot=_SEEN._replace(epoch=epoch, role=role))
    assert (await submit(workshop.engine, line, {}, options)).state == State.ASSIGNED
    await workshop.sql(change)
    with pytest.raises(NotFound):
        await submit(workshop.engine, line, {}, options)
    assert await workshop.sql("SELECT count(*) FROM job") == [(1,)]


async def test_without_sockets_nothing_is_handed_out(workshop: Workshop, line: ExtensionRow, worker: Worker) -> None:
    """Only a server can tell the worker: everybody else leaves handing out to it."""
    elsewhere = Engine(workshop.engine.database, pushes=False)
    made = await submit(elsewhere, line, {}, JobOptions(workshop.person, workshop.room))
    assert await workshop.state(made.id) is State.PENDING


async def test_somebody_elses_room_and_a_job_without_one(
    workshop: Workshop, line: ExtensionRow, worker: Worker
) -> None:
    with pytest.raises(NotFound):
        await submit(workshop.engine, line, {}, JobOptions(workshop.person, f"no-{uuid4().hex[:8]}"))
    made = await submit(workshop.engine, line, {}, JobOptions(workshop.person))
    assert made.state == State.ASSIGNED
    job: UUID | None = (await workshop.job(made.id)).worker_id
    assert job == worker.id
