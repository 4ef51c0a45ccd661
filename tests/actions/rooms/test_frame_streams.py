"""Trajectories on PostgreSQL: edits, what is read, undo, copies that share, and what is deleted in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from tests.workshop import Workshop

from workroom.actions.engine import Transaction
from workroom.actions.events import ChangeMade, FramesChanged
from workroom.actions.rooms import frame_streams, rooms, undo
from workroom.actions.rooms.delete import delete_room
from workroom.actions.rooms.edit_trajectory import TrajectoryWritten
from workroom.actions.rooms.expire_changes import delete_orphaned_frames, expire_changes
from workroom.actions.rooms.undo_trajectory import announce_trajectory, undo_trajectory
from workroom.actions.rooms.write_transaction import JobAttempt, WriteContext, begin_write, commit_write
from workroom.domain.errors import (
    AttemptLost,
    BadInput,
    ChangeExpired,
    NoSuchFrame,
    NotFound,
    SizeMismatch,
    UndoConflict,
)
from workroom.domain.rooms.trajectory_edits import Edit, Extend, Insert, Places, Replace, Span, Where
from workroom.wire.frames import decode, encode, framed


def frame(number: int, atoms: int = 2) -> bytes:
    return encode(
        {
            "arrays.numbers": np.full(atoms, number % 100),
            "arrays.positions": np.full((atoms, 3), float(number)),
            "info.number": number,
        }
    )


async def pieces(numbers: Iterable[int], atoms: int = 2) -> AsyncIterator[bytes]:
    for number in numbers:
        yield b"".join(framed(frame(number, atoms)))


def size_of(count: int, atoms: int) -> int:
    return count * len(frame(0, atoms)) + 1_000


class Trajectory:
    """A room's trajectory, as numbers."""

    def __init__(self, workshop: Workshop, room: str | None = None) -> None:
        self.workshop = workshop
        self.engine = workshop.engine
        self.room = room or workshop.room
        self.hand = WriteContext(workshop.person)

    async def write(
        self, edit: Edit, *numbers: int, writer: WriteContext | None = None, atoms: int = 2
    ) -> TrajectoryWritten:
        body, size = pieces(numbers, atoms), size_of(len(numbers), atoms)
        return await frame_streams.write(self.engine, self.room, writer or self.hand, edit, body, size=size)

    async def extend(self, *numbers: int, atoms: int = 2) -> TrajectoryWritten:
        return await self.write(Extend(), *numbers, atoms=atoms)

    async def delete(self, *indices: int) -> TrajectoryWritten:
        return await frame_streams.delete(self.engine, self.room, self.hand, Places(indices))

    async def read(self, where: Where | None = None) -> list[int]:
        reading = await frame_streams.read(self.engine, self.room, where or Span())
        return [decode(body)["info.number"] async for bodies in reading.frames for body in bodies]

    async def undo(self, *change_ids: UUID) -> TrajectoryWritten:
        async def work(transaction: Transaction) -> TrajectoryWritten:
            draft = await begin_write(transaction, self.room, self.hand, target="trajectory")
            undone = await undo_trajectory(transaction, draft, change_ids)
            assert undone is not None
            revision = await commit_write(
                transaction, draft, act="undo", label="undid", length=undone.length, undo_of=change_ids[0]
            )
            announce_trajectory(transaction, draft, undone, revision, None)
            await transaction.connection.execute(
                b"UPDATE change SET undone_by = %s WHERE id = ANY (%s)", [draft.id, list(change_ids)]
            )
            return TrajectoryWritten(draft.id, revision, undone.length, 0, 0)

        return await self.engine.transaction(work)

    async def is_sound(self) -> None:
        """Positions are dense, the length is right, and every frame is there."""
        rows = await self.workshop.sql(
            "SELECT room_data.length, count(room_frame.position), coalesce(max(room_frame.position) + 1, 0),"
            " count(frame.id), count(DISTINCT room_frame.position)"
            " FROM room JOIN room_data ON room_data.room = room.number"
            " LEFT JOIN room_frame ON room_frame.room = room.number LEFT JOIN frame ON frame.id = room_frame.frame_id"
            " WHERE room.name = %s GROUP BY room_data.length",
            self.room,
        )
        assert len(set(rows[0])) == 1, rows


@pytest.fixture
def trajectory(workshop: Workshop) -> Trajectory:
    return Trajectory(workshop)


async def test_edits_do_what_they_would_to_a_list(trajectory: Trajectory) -> None:
    model: list[int] = []

    async def both(edit: Edit, *numbers: int) -> None:
        await trajectory.write(edit, *numbers)
        assert await trajectory.read() == model
        await trajectory.is_sound()

    model.extend(range(10))
    await both(Extend(), *range(10))
    model.insert(3, 50)
    await both(Insert(3), 50)
    model.insert(-1, 51)
    await both(Insert(-1), 51)
    model.insert(999, 52)
    await both(Insert(999), 52)
    model.insert(-999, 53)
    await both(Insert(-999), 53)
    model[2:5] = [60]
    await both(Replace(Span(2, 5)), 60)
    model[2:2] = [61, 62, 63]
    await both(Replace(Span(2, 2)), 61, 62, 63)
    model[8:3] = [64]
    await both(Replace(Span(8, 3)), 64)
    model[::3] = range(70, 70 + len(model[::3]))
    await both(Replace(Span(step=3)), *range(70, 70 + len(model[::3])))
    model[-2::-4] = range(80, 80 + len(model[-2::-4]))
    await both(Replace(Span(-2, None, -4)), *range(80, 80 + len(model[-2::-4])))
    model[4], model[-1] = 90, 91
    await both(Replace(Places([4, -1])), 90, 91)
    model[1] = 93
    await both(Replace(Places([1, 1])), 92, 93)
    del model[1:7:2]
    await frame_streams.delete(trajectory.engine, trajectory.room, trajectory.hand, Span(1, 7, 2))
    assert await trajectory.read() == model
    del model[0], model[-1]
    await trajectory.delete(-1, 0, 0)
    assert await trajectory.read() == model
    await frame_streams.arrange(trajectory.engine, trajectory.room, trajectory.hand, Span(step=-1))
    assert await trajectory.read() == model[::-1]
    await frame_streams.arrange(trajectory.engine, trajectory.room, trajectory.hand, Places([0, 0, -1]))
    assert await trajectory.read() == [model[-1], model[-1], model[0]]
    model[:] = []
    await both(Replace(Span(0)))


async def test_frames_are_read_by_any_index(trajectory: Trajectory) -> None:
    await trajectory.extend(*range(7))
    for where in (
        Span(),
        Span(2),
        Span(None, 3),
        Span(1, 6, 2),
        Span(None, None, -1),
        Span(-3, -1),
        Span(5, 2),
        Span(99),
    ):
        assert await trajectory.read(where) == list(range(7))[where.start : where.stop : where.step]
    assert await trajectory.read(Places([0])) == [0]
    assert await trajectory.read(Places([-1])) == [6]
    assert await trajectory.read(Places([3, -1, 3, 0])) == [3, 6, 3, 0]
    assert await trajectory.read(Places([])) == []
    for wrong in ([7], [-8], [0, 7]):
        with pytest.raises(NoSuchFrame, match="0 to 6"):
            await trajectory.read(Places(wrong))
    with pytest.raises(NotFound):
        await frame_streams.read(trajectory.engine, "elsewhere", Span())


async def test_large_trajectories_are_read_in_bounded_parts(trajectory: Trajectory) -> None:
    await trajectory.extend(*range(12), atoms=40_000)
    reading = await frame_streams.read(trajectory.engine, trajectory.room, Span(), {"info.number"})
    parts = [bodies async for bodies in reading.frames]
    assert len(parts) == 4 and [decode(body) for part in parts for body in part] == [
        {"info.number": number} for number in range(12)
    ]


@pytest.mark.parametrize("atoms", [2, 40_000])  # in memory, and streamed
async def test_a_write_that_fails_leaves_nothing(trajectory: Trajectory, atoms: int) -> None:
    await trajectory.extend(1, 2)
    before = await trajectory.workshop.sql("SELECT revision FROM room_data")

    async def broken(how: bytes | None) -> AsyncIterator[bytes]:
        async for piece in pieces([7, 8, 9], atoms):
            yield piece
        if how is None:
            raise ConnectionResetError("the client is gone")
        yield how

    for how, error in ((b"\x08", BadInput), (b"\x08" + bytes(15), BadInput), (None, ConnectionResetError)):
        size = size_of(3, atoms)
        with pytest.raises(error):
            await frame_streams.write(
                trajectory.engine, trajectory.room, trajectory.hand, Extend(), broken(how), size=size
            )
    with pytest.raises(SizeMismatch):
        await trajectory.write(Replace(Span(0, 2, 2)), 1, 2, 3, atoms=atoms)
    with pytest.raises(NoSuchFrame):
        await trajectory.write(Replace(Places([5])), 1, atoms=atoms)
    assert await trajectory.read() == [1, 2]
    assert await trajectory.workshop.sql("SELECT revision FROM room_data") == before
    assert await trajectory.workshop.sql("SELECT count(*) FROM frame") == [(2,)]
    await trajectory.is_sound()


async def test_writers_of_many_frames_at_once_all_get_theirs_in(trajectory: Trajectory) -> None:
    await asyncio.gather(*(trajectory.extend(*range(start, start + 30)) for start in range(0, 300, 30)))
    found = await trajectory.read()
    assert sorted(found) == list(range(300))
    assert all(found[place : place + 30] == list(range(found[place], found[place] + 30)) for place in range(0, 300, 30))
    await trajectory.is_sound()


async def test_large_uploads_leave_connections_to_everybody_else(trajectory: Trajectory) -> None:
    """More uploads at a time than there are connections, each stuck in the middle: others still get through."""
    go_on = asyncio.Event()

    async def stuck() -> AsyncIterator[bytes]:
        async for piece in pieces([1, 2, 3], 40_000):
            yield piece
        await go_on.wait()

    uploads = [
        asyncio.create_task(
            frame_streams.write(trajectory.engine, trajectory.room, trajectory.hand, Extend(), stuck(), size=2_000_000)
        )
        for _ in range(20)
    ]
    async with asyncio.timeout(10):
        await trajectory.extend(7)
        assert await trajectory.read() == [7]
        go_on.set()
        await asyncio.gather(*uploads)
    assert len(await trajectory.read()) == 61


async def test_a_change_tells_what_it_did(trajectory: Trajectory) -> None:
    await trajectory.extend(1, 2, 3)
    written = await trajectory.write(Replace(Span(1, 2)), 8, 9)
    changed = [event for event in trajectory.workshop.events if isinstance(event, FramesChanged)]
    made = [event for event in trajectory.workshop.events if isinstance(event, ChangeMade)]
    assert [event.label for event in made] == ["added 3 frames", "replaced 1 frame by 2"]
    assert changed[-1] == FramesChanged("lab", written.change_id, 2, 4, ((1, 1, 2),), 0, 0)
    data, position, described = await frame_streams.describe(trajectory.engine, "lab", -2)
    assert (data.length, position, described.change_id) == (4, 2, written.change_id)
    assert (described.author_name, described.act) == ("ada", "frames.replace")
    assert described.keys["arrays.positions"] == {"dtype": "<f8", "shape": [2, 3]}


async def test_layouts_are_kept_once(trajectory: Trajectory) -> None:
    await asyncio.gather(*(trajectory.extend(number, number + 100) for number in range(10)))
    await trajectory.extend(5, atoms=3)
    assert await trajectory.workshop.sql("SELECT count(*) FROM frame_layout") == [(2,)]


async def test_changes_are_undone_and_redone(trajectory: Trajectory) -> None:
    first = await trajectory.extend(*range(6))
    second = await trajectory.write(Replace(Span(1, 3)), 50)
    third = await trajectory.delete(0, -1)
    state = await trajectory.read()
    with pytest.raises(UndoConflict) as refused:
        await trajectory.undo(first.change_id)
    assert refused.value.detail["changes"] == [str(second.change_id)]
    assert await trajectory.read() == state
    undone = await trajectory.undo(second.change_id)
    assert await trajectory.read() == [1, 2, 3, 4]
    await trajectory.undo(undone.change_id)
    await trajectory.workshop.sql("UPDATE change SET undone_by = NULL WHERE id = %s", second.change_id)
    assert await trajectory.read() == state
    await trajectory.undo(third.change_id, second.change_id, first.change_id)
    assert await trajectory.read() == []
    await trajectory.is_sound()


async def test_a_copy_shares_frames_and_then_goes_its_own_way(trajectory: Trajectory) -> None:
    workshop = trajectory.workshop
    await trajectory.extend(1, 2, 3)
    await workshop.sql("UPDATE room_data SET step = 2")
    await rooms.duplicate(workshop.engine, source="lab", name="copy", owner=workshop.person)
    copy = Trajectory(workshop, "copy")
    assert await copy.read() == [1, 2, 3]
    assert (await frame_streams.state(workshop.engine, "copy")).step == 2
    assert await workshop.sql("SELECT count(*) FROM frame") == [(3,)]
    await copy.delete(0)
    await trajectory.write(Replace(Places([1])), 9)
    assert (await trajectory.read(), await copy.read()) == ([1, 9, 3], [2, 3])
    await delete_room(workshop.engine, "lab", actor=workshop.person)
    assert await delete_orphaned_frames(workshop.engine) == 1  # the 9: the copy has 2 and 3, and could have 1 back
    assert await copy.read() == [2, 3]
    await copy.is_sound()
    await delete_room(workshop.engine, "copy", actor=workshop.person)
    assert await delete_orphaned_frames(workshop.engine) == 3
    assert await workshop.sql("SELECT count(*) FROM frame") == [(0,)]
    assert await workshop.sql("SELECT count(*) FROM orphaned_frame") == [(0,)]


async def test_old_changes_expire_and_their_frames_are_deleted(trajectory: Trajectory) -> None:
    engine = trajectory.engine
    first = await trajectory.extend(1, 2, 3, 4)
    second = await trajectory.delete(0)
    third = await trajectory.delete(0)
    assert await expire_changes(engine) == 0 and await delete_orphaned_frames(engine) == 0
    assert await expire_changes(engine, kept=1) == 2
    assert await delete_orphaned_frames(engine) == 1
    with pytest.raises(ChangeExpired):
        await trajectory.undo(second.change_id)
    with pytest.raises(ChangeExpired):
        await trajectory.undo(third.change_id, first.change_id)
    await trajectory.undo(third.change_id)
    assert await trajectory.read() == [2, 3, 4]
    described = (await frame_streams.describe(engine, "lab", 0))[2]
    assert described.change_id == first.change_id and described.author_name == "ada"
    later = datetime.now(UTC) + timedelta(seconds=engine.timing.keep + 60)
    assert await expire_changes(engine, now=later) == 2
    assert await delete_orphaned_frames(engine) == 0
    assert await trajectory.read() == [2, 3, 4]


async def test_a_job_writes_only_while_it_has_its_attempt(trajectory: Trajectory) -> None:
    workshop = trajectory.workshop
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.running_job(relax, worker)
    writer = WriteContext(workshop.person, JobAttempt(job.id, worker.id, job.attempt))
    written = await trajectory.write(Extend(), 1, writer=writer)
    described = (await frame_streams.describe(workshop.engine, "lab", 0))[2]
    assert (described.job_id, described.extension, described.change_id) == (
        job.id,
        "modifiers/Relax",
        written.change_id,
    )
    await worker.finish(job)
    for atoms in (2, 40_000):
        with pytest.raises(AttemptLost):
            await trajectory.write(Extend(), *range(5), writer=writer, atoms=atoms)
    with pytest.raises(AttemptLost):
        await frame_streams.delete(workshop.engine, "lab", writer, Span(0))
    assert await trajectory.read() == [1]


async def test_the_step_moves_with_its_frame(trajectory: Trajectory) -> None:
    await trajectory.extend(*range(5))
    assert (await frame_streams.state(trajectory.engine, "lab")).step == 0
    await trajectory.workshop.sql("UPDATE room_data SET step = 3")
    before = await frame_streams.state(trajectory.engine, "lab")
    removed = await trajectory.delete(0, 1)
    after = await frame_streams.state(trajectory.engine, "lab")
    assert (after.step, after.step_revision) == (1, before.step_revision + 1)
    await undo.undo(trajectory.engine, "lab", trajectory.hand, removed.change_id)
    assert (await frame_streams.state(trajectory.engine, "lab")).step == 3
    await trajectory.extend(5)
    assert await frame_streams.state(trajectory.engine, "lab") == after._replace(
        length=6, step=3, step_revision=after.step_revision + 1, revision=after.revision + 2
    )


async def test_whoever_looks_at_a_frame_that_goes_looks_at_the_last_one(trajectory: Trajectory) -> None:
    await trajectory.extend(*range(5))
    await trajectory.workshop.sql("UPDATE room_data SET step = 4")
    await trajectory.delete(1, 2)
    assert (await frame_streams.state(trajectory.engine, "lab")).step == 2
    await frame_streams.delete(trajectory.engine, "lab", trajectory.hand, Span(0))
    assert (await frame_streams.state(trajectory.engine, "lab")).step == 0
