"""Rooms in PostgreSQL: what a deleted room takes with it, and what it leaves right."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest
from tests.workshop import SCHEMA, Workshop

from workroom.actions.events import CancelRequested, ExtensionsRemoved, JobsMoved, RoomDeleted
from workroom.actions.extensions.register import ExtensionSpec, register_extensions
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.submit import submit
from workroom.actions.rooms import rooms
from workroom.actions.rooms.delete import delete_room
from workroom.domain.errors import AttemptLost, NameReserved, NameTaken, NotFound, WorkroomError
from workroom.domain.jobs.outcomes import Started, Succeeded
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow


@pytest.fixture
async def other_room(workshop: Workshop) -> str:
    await rooms.create_room(workshop.engine, owner=workshop.person, name="other", description="", visibility="public")
    return "other"


@pytest.fixture
async def everywhere(workshop: Workshop) -> ExtensionRow:
    """An extension that every room has."""
    spec = ExtensionSpec("modifiers", "Everywhere", SCHEMA, scope="global")
    (made,) = await register_extensions(workshop.engine, [spec])
    async with workshop.engine.database.connection() as connection:
        row = await extensions.get(connection, made.id)
    assert row is not None
    return row


async def remove(workshop: Workshop) -> None:
    await delete_room(workshop.engine, workshop.room, actor=workshop.person)


async def submit_in(workshop: Workshop, room: str, extension: ExtensionRow, needs: Dependencies | None = None) -> UUID:
    options = JobOptions(workshop.person, room, dependencies=needs or Dependencies())
    return (await submit(workshop.engine, extension, {}, options)).id


async def test_a_deleted_room_takes_its_jobs_of_every_state_with_it(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=4)
    await workshop.completed_job(relax, worker)
    await workshop.failed_job(relax, worker)
    await workshop.cancelled_job(relax, worker)
    running = await workshop.running_job(relax, worker)
    assigned = await workshop.assigned_job(relax, worker)
    await workshop.blocked_job(relax, await workshop.pending_job(relax))
    workshop.events.clear()
    await remove(workshop)
    for table in ("job", "extension", "room", "job_count", "offer", "dependency", "fair_turn"):
        assert await workshop.sql(f"SELECT count(*) FROM {table}") == [(0,)], table
    assert await workshop.sql("SELECT room, ended_at FROM worker") == [(None, None)]
    told = {(e.worker_id, e.job_id, e.attempt) for e in workshop.events if isinstance(e, CancelRequested)}
    assert told == {(worker.id, running.id, 1), (worker.id, assigned.id, 1)}
    moved = {job.state for event in workshop.events if isinstance(event, JobsMoved) for job in event.jobs}
    assert moved == {State.CANCELLED}
    assert any(isinstance(event, ExtensionsRemoved) for event in workshop.events)
    assert workshop.events[-1] == RoomDeleted(workshop.room)


async def test_a_worker_finds_its_attempt_lost_and_goes_on_elsewhere(
    workshop: Workshop, other_room: str, everywhere: ExtensionRow
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, everywhere)
    job = await workshop.running_job(relax, worker)
    elsewhere = await submit_in(workshop, other_room, everywhere)
    await remove(workshop)
    for outcome in (Succeeded(1), Started()):
        assert isinstance(await worker.say(job, outcome), AttemptLost)
    (claimed,) = await worker.claim()
    assert claimed.id == elsewhere


async def test_what_waits_for_a_job_of_a_deleted_room_falls_with_it_and_counters_stay_right(
    workshop: Workshop, other_room: str, everywhere: ExtensionRow
) -> None:
    here = await submit_in(workshop, workshop.room, everywhere)
    waiting = await submit_in(workshop, other_room, everywhere, Dependencies(jobs=(here,)))
    posting = await post(workshop.engine, everywhere, [{"n": 1}, {"n": 2}], JobOptions(workshop.person, workshop.room))
    after_posting = await submit_in(workshop, other_room, everywhere, Dependencies(postings=(posting,)))
    untouched = await submit_in(workshop, other_room, everywhere)
    await remove(workshop)
    assert await workshop.state(waiting) is State.FAILED
    assert await workshop.state(after_posting) is State.FAILED
    assert await workshop.state(untouched) is State.PENDING
    assert await workshop.sql("SELECT count(*) FROM posting") == [(0,)]
    counts = "sum(blocked)::int, sum(pending)::int, sum(active)::int, sum(failed)::int, sum(cancelled)::int"
    assert await workshop.sql(f"SELECT {counts} FROM job_count") == [(0, 1, 0, 2, 3)]


async def test_a_room_is_deleted_once_and_its_name_is_free_again(workshop: Workshop) -> None:
    outcomes = await asyncio.gather(*(remove(workshop) for _ in range(4)), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType"] + ["NotFound"] * 3
    again = await rooms.create_room(
        workshop.engine, owner=workshop.person, name=workshop.room, description="", visibility="private"
    )
    assert (again.name, again.owned, again.visibility) == (workshop.room, True, "private")


async def test_a_submission_that_races_with_the_deletion_leaves_nothing_behind(workshop: Workshop) -> None:
    for _ in range(10):
        relax = await workshop.extension()

        async def submitted(extension: ExtensionRow = relax) -> bool:
            try:
                await workshop.pending_job(extension)
            except WorkroomError:
                return False
            return True

        await asyncio.gather(*(submitted() for _ in range(6)), remove(workshop), *(submitted() for _ in range(6)))
        assert await workshop.sql("SELECT id FROM job") == []
        assert not await submitted()
        await rooms.create_room(
            workshop.engine, owner=workshop.person, name=workshop.room, description="", visibility="public"
        )


async def test_registering_in_a_room_that_is_gone_is_refused_in_plain_words(workshop: Workshop) -> None:
    await remove(workshop)
    with pytest.raises(NotFound):
        await workshop.extension()


async def test_names_of_rooms_are_checked_before_anything_is_stored(workshop: Workshop) -> None:
    for name, error in (("lab", NameTaken), ("global", NameReserved), ("@x", NameReserved)):
        with pytest.raises(error):
            await rooms.create_room(
                workshop.engine, owner=workshop.person, name=name, description="", visibility="public"
            )
        with pytest.raises(error):
            await rooms.duplicate(workshop.engine, source="lab", name=name, owner=workshop.person)
    with pytest.raises(NotFound):
        await rooms.duplicate(workshop.engine, source="nowhere", name="fine", owner=workshop.person)
