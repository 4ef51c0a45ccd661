"""Undo of a change, or of all changes of a job. An undo is itself a change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.rooms.frame_marks import frame_moves, move_marks, step_after
from workroom.actions.rooms.items import undo_conflict, undo_values
from workroom.actions.rooms.undo_trajectory import TrajectoryUndone, announce_trajectory, undo_trajectory
from workroom.actions.rooms.write_transaction import PendingChange, WriteContext, begin_write, commit_write
from workroom.domain.errors import ChangeExpired, Conflict, NotFound, UndoConflict
from workroom.domain.rooms.items import Kind
from workroom.domain.rooms.locks import TRAJECTORY
from workroom.store.room_tables import change_history
from workroom.store.room_tables.change_history import UndoTarget
from workroom.store.room_tables.items import LaterChange


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of an undo."""

    change_id: UUID
    revision: int
    undone: tuple[UUID, ...]


async def undo(engine: Engine, room: str, writer: WriteContext, change_id: UUID) -> Undone:
    """Undo a change; UndoConflict if later changes prevent it. Undoing an undo repeats the original change."""

    async def work(transaction: Transaction) -> Undone:
        async def find() -> list[UndoTarget]:
            return await change_history.undo_targets(transaction.connection, room, id=change_id)

        found = await find()
        if not found:
            raise NotFound(f"There is no change {change_id} in this room.")
        return await _undo(transaction, room, writer, found, find, found[0].label)

    return await engine.transaction(work)


async def undo_job(engine: Engine, room: str, writer: WriteContext, job_id: UUID) -> Undone:
    """Undo all changes of a job in the room, as one change."""

    async def work(transaction: Transaction) -> Undone:
        async def find() -> list[UndoTarget]:
            return await change_history.undo_targets(transaction.connection, room, job_id=job_id)

        found = await find()
        if not found:
            raise NotFound(f"Job {job_id} has changed nothing in this room that is not undone already.")
        label = found[0].label if len(found) == 1 else f"{len(found)} changes of a job"
        return await _undo(transaction, room, writer, found, find, label)

    return await engine.transaction(work)


async def _undo(
    transaction: Transaction,
    room: str,
    writer: WriteContext,
    found: Sequence[UndoTarget],
    find: Callable[[], Awaitable[list[UndoTarget]]],
    label: str,
) -> Undone:
    targets = sorted({Kind(kind).target for one in found for kind in one.kinds})
    if any(one.has_frames for one in found):
        targets.append(TRAJECTORY)
    draft = await begin_write(transaction, room, writer, target=targets)
    # Read again under the lock: of two concurrent undos of the same change one must fail.
    if await find() != found or any(one.undone_by for one in found):
        raise Conflict("This is undone already, or was just being undone.")
    if any(one.expired for one in found):
        raise ChangeExpired
    ids = [one.id for one in found]
    trajectory = await _undo_frames(transaction, draft, found)
    splices = () if trajectory is None else trajectory.splices
    moves = await frame_moves(draft, splices, restores=True)
    # Before the items, whose values name frames of the restored trajectory.
    await move_marks(transaction, draft, moves, draft.data.revision + 1)
    await undo_values(transaction, draft, ids, splices)
    step = None if trajectory is None else await step_after(draft, moves, trajectory.length)
    revision = await commit_write(
        transaction,
        draft,
        act="undo",
        label=f"undid: {label}",
        undo_of=ids[0],
        length=trajectory and trajectory.length,
        step=step,
    )
    if trajectory is not None:
        announce_trajectory(transaction, draft, trajectory, revision, step)
    await change_history.mark_undone(transaction.connection, ids, by=draft.id)
    return Undone(draft.id, revision, tuple(ids))


async def _undo_frames(
    transaction: Transaction, draft: PendingChange, found: Sequence[UndoTarget]
) -> TrajectoryUndone | None:
    if not any(one.has_frames for one in found):
        return None
    try:
        return await undo_trajectory(transaction, draft, [one.id for one in found])
    except UndoConflict as overlap:
        raise await _with_later_changes(transaction, draft, overlap) from None


async def _with_later_changes(transaction: Transaction, draft: PendingChange, overlap: UndoConflict) -> UndoConflict:
    """The same error, with the labels and authors of the later changes."""
    later = [
        change
        for known in overlap.detail.get("changes", [])
        for change in await change_history.page(transaction.connection, draft.room, limit=1, id=UUID(known))
    ]
    return undo_conflict("The trajectory", [LaterChange(one.id, one.label, one.author_name, one.at) for one in later])
