"""Locks, writes and undos of a room's data, where they meet: in the database."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest
from tests.workshop import Workshop

from workroom.actions.engine import Transaction
from workroom.actions.events import ItemsChanged, LockFreed, LockHeld
from workroom.actions.queries.changes import list_changes
from workroom.actions.rooms import items, locks, undo
from workroom.actions.rooms.locks import Grant, LockRequest
from workroom.actions.rooms.write_transaction import JobAttempt, WriteContext, begin_write, commit_write, lock_room
from workroom.domain.errors import AttemptLost, Conflict, LockLost, RevisionConflict, RoomLocked
from workroom.domain.jobs.outcomes import Succeeded
from workroom.domain.rooms.items import Kind


def token_of(grant_id: UUID) -> str:
    return f"token of {grant_id}"


async def acquired(
    workshop: Workshop, client: str = "a", *, writer: WriteContext | None = None, ttl: float = 60
) -> Grant:
    options = LockRequest("metadata", client, "busy", ttl)
    return await locks.acquire(
        workshop.engine, workshop.room, writer or WriteContext(workshop.person), options, token_of
    )


async def writes(
    workshop: Workshop, value: object, writer: WriteContext | None = None, key: str = "x"
) -> items.ItemsWritten:
    return await items.put(
        workshop.engine, workshop.room, writer or WriteContext(workshop.person), Kind.METADATA, {key: value}
    )


async def seconds_left(workshop: Workshop) -> float:
    rows = await workshop.sql("SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 FROM room_lock")
    return rows[0][0]


async def test_only_the_hash_of_a_token_is_kept(workshop: Workshop) -> None:
    grant = await acquired(workshop)
    rows = await workshop.sql("SELECT to_jsonb(room_lock)::text FROM room_lock")
    assert grant.token not in rows[0][0]
    assert all(grant.token not in repr(event) for event in workshop.events)


async def test_a_write_under_a_lock_puts_off_its_end(workshop: Workshop) -> None:
    grant = await acquired(workshop)
    await workshop.sql("UPDATE room_lock SET expires_at = clock_timestamp() + interval '5 seconds'")
    await writes(workshop, 1, WriteContext(workshop.person, lock=grant.token))
    assert await seconds_left(workshop) > 50


async def test_a_refresh_that_waited_for_its_holders_long_write_is_not_too_late(workshop: Workshop) -> None:
    grant = await acquired(workshop)
    writer = WriteContext(workshop.person, lock=grant.token)
    begun, over = asyncio.Event(), asyncio.Event()

    async def long_write(transaction: Transaction) -> None:
        draft = await begin_write(transaction, workshop.room, writer, target="metadata")
        begun.set()
        await over.wait()
        await commit_write(transaction, draft, act="test", label="took long")

    writing = asyncio.create_task(workshop.engine.transaction(long_write))
    await begun.wait()
    await workshop.sql("UPDATE room_lock SET expires_at = clock_timestamp()")  # its time ends in the middle
    refreshing = asyncio.create_task(locks.refresh(workshop.engine, workshop.room, "metadata", grant.token))
    stealing = asyncio.create_task(acquired(workshop, "b"))
    await asyncio.sleep(0.05)
    over.set()
    await writing
    assert (await refreshing).fence == grant.lock.fence
    with pytest.raises(RoomLocked):
        await stealing


async def test_an_expired_lock_stops_nobody_and_serves_nobody(workshop: Workshop) -> None:
    grant = await acquired(workshop)
    await workshop.sql("UPDATE room_lock SET expires_at = clock_timestamp()")
    await writes(workshop, 1)
    with pytest.raises(LockLost):
        await writes(workshop, 2, WriteContext(workshop.person, lock=grant.token))
    with pytest.raises(LockLost):
        await locks.refresh(workshop.engine, workshop.room, "metadata", grant.token)
    newer = await acquired(workshop)  # by the same client: no way back to the old grant
    assert newer.lock.fence > grant.lock.fence and newer.token != grant.token


async def test_dead_locks_are_swept_except_where_somebody_writes(workshop: Workshop) -> None:
    await acquired(workshop)
    await workshop.sql("UPDATE room_lock SET expires_at = clock_timestamp()")

    async def meanwhile(transaction: Transaction) -> None:
        await lock_room(transaction, workshop.room)
        assert await locks.delete_expired_locks(workshop.engine) == 0

    await workshop.engine.transaction(meanwhile)
    assert await locks.delete_expired_locks(workshop.engine) == 1
    assert workshop.events[-1] == LockFreed(workshop.room, "metadata")
    assert await locks.delete_expired_locks(workshop.engine) == 0


async def test_a_client_that_left_loses_its_lock_after_the_grace_unless_it_shows_up(workshop: Workshop) -> None:
    grant = await acquired(workshop)
    engine = workshop.engine

    async def left_long_ago() -> None:
        await locks.client_disconnected(engine, workshop.person, "a")
        await workshop.sql("UPDATE room_lock SET left_at = left_at - interval '1 minute'")

    await locks.client_disconnected(engine, workshop.person, "a")
    assert await locks.delete_expired_locks(engine) == 0
    await left_long_ago()
    await locks.client_reconnected(engine, workshop.person, "a")
    assert await locks.delete_expired_locks(engine) == 0
    await left_long_ago()
    await locks.refresh(engine, workshop.room, "metadata", grant.token)
    assert await locks.delete_expired_locks(engine) == 0
    await locks.client_disconnected(engine, workshop.person, "another of theirs")
    await left_long_ago()
    assert await locks.delete_expired_locks(engine) == 1


async def test_a_job_writes_and_locks_only_while_the_attempt_is_its_own(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension)
    job = await workshop.running_job(extension, worker)
    writer = WriteContext(workshop.person, JobAttempt(job.id, worker.id, job.attempt))
    grant = await acquired(workshop, writer=writer)
    assert (grant.lock.job_id, grant.lock.attempt) == (job.id, job.attempt)
    with pytest.raises(RoomLocked):
        await writes(workshop, 0)
    await writes(workshop, 1, WriteContext(workshop.person, writer.job, grant.token))
    assert await worker.say(job, Succeeded()) is None
    await writes(workshop, 2)  # the lock has ended with the job, though nobody has removed it yet
    for late in (acquired(workshop, writer=writer), writes(workshop, 3, writer)):
        with pytest.raises(AttemptLost):
            await late
    assert await locks.delete_expired_locks(workshop.engine) == 1


async def test_of_two_who_undo_the_same_one_does(workshop: Workshop) -> None:
    written = await writes(workshop, 1)
    assert written.change_id is not None
    writer = WriteContext(workshop.person)
    answers = await asyncio.gather(
        *(undo.undo(workshop.engine, workshop.room, writer, written.change_id) for _ in range(5)),
        return_exceptions=True,
    )
    assert [type(one) for one in answers if isinstance(one, BaseException)] == [Conflict] * 4
    assert await items.list_items(workshop.engine, workshop.room, Kind.METADATA) == []
    assert len(await list_changes(workshop.engine, workshop.room, limit=10)) == 2


async def test_a_write_that_changes_nothing_is_no_change(workshop: Workshop) -> None:
    await writes(workshop, {"a": [1, None], "b": 2.5})
    told = len(workshop.events)
    again = await writes(workshop, {"b": 2.5, "a": [1, None]})
    assert (again.change_id, again.keys, len(workshop.events)) == (None, (), told)
    assert len(await list_changes(workshop.engine, workshop.room, limit=10)) == 1


async def test_events_are_told_once_the_write_is_committed(workshop: Workshop) -> None:
    workshop.events.clear()
    with pytest.raises(LockLost):
        await writes(workshop, 1, WriteContext(workshop.person, lock="guessed"))
    assert workshop.events == []
    await writes(workshop, 1)
    (changed,) = [event for event in workshop.events if isinstance(event, ItemsChanged)]
    assert (changed.kind, changed.keys, changed.values) == (Kind.METADATA, ("x",), {"x": 1})
    await acquired(workshop)
    assert isinstance(workshop.events[-1], LockHeld)


async def test_changes_of_one_item_in_between_stand_in_the_way_of_a_jobs_undo(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension)
    job = await workshop.running_job(extension, worker)
    by_job = WriteContext(workshop.person, JobAttempt(job.id, worker.id, job.attempt))
    await writes(workshop, "job 1", by_job)
    await writes(workshop, "somebody")
    await writes(workshop, "job 2", by_job)
    with pytest.raises(Conflict, match="ada set metadata x"):
        await undo.undo_job(workshop.engine, workshop.room, WriteContext(workshop.person), job.id)
    rows = await items.list_items(workshop.engine, workshop.room, Kind.METADATA)
    assert [row.value for row in rows] == ["job 2"]


async def test_a_write_that_expects_a_revision_is_refused_when_the_room_is_past_it(workshop: Workshop) -> None:
    read = (await writes(workshop, 1)).revision
    await writes(workshop, 2, key="y")
    with pytest.raises(RevisionConflict) as refused:
        await writes(workshop, 3, WriteContext(workshop.person, revision=read))
    assert refused.value.detail["revision"] == read + 1
    await writes(workshop, 3, WriteContext(workshop.person, revision=read + 1))
    assert (await items.get_item(workshop.engine, workshop.room, Kind.METADATA, "x")).value == 3


async def test_edits_that_expect_a_revision_are_undone_one_by_one(workshop: Workshop) -> None:
    """Without the revision, writes of a geometry that follow each other are a drag, and one change."""

    async def draws(points: int, revision: int | None) -> items.ItemsWritten:
        writer = WriteContext(workshop.person, revision=revision)
        value = {"type": "curve", "data": {"points": [[float(at), 0, 0] for at in range(points)]}}
        return await items.put(workshop.engine, workshop.room, writer, Kind.GEOMETRY, {"path": value})

    first = await draws(2, None)
    dragged = await draws(3, None)
    edited = await draws(4, dragged.revision)
    assert dragged.change_id == first.change_id
    assert edited.change_id not in (None, first.change_id)
    assert edited.change_id is not None
    await undo.undo(workshop.engine, workshop.room, WriteContext(workshop.person), edited.change_id)
    left = await items.get_item(workshop.engine, workshop.room, Kind.GEOMETRY, "path")
    assert len(left.value["data"]["points"]) == 3
