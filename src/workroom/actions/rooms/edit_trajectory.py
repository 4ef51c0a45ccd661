"""Editing a trajectory: an edit becomes splices, applied and recorded in the transaction that wrote the frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Transaction
from workroom.actions.events import FramesChanged
from workroom.actions.rooms import write_transaction
from workroom.actions.rooms.frame_marks import beside, frame_moves, move_marks, step_after
from workroom.actions.rooms.write_transaction import PendingChange
from workroom.domain.rooms.trajectory_edits import Cut, Delete, Edit, Extend, Insert, Where, cuts
from workroom.domain.rooms.undo_splices import Splice, apply
from workroom.store.room_tables import changes, trajectories

LOCK_TARGET = "trajectory"
_MAX_EVENT_SPLICES = 100  # an event with more splices reports one that covers them all


@dataclass(frozen=True, slots=True)
class TrajectoryWritten:
    """The result of a write to the trajectory."""

    change_id: UUID
    revision: int
    length: int
    start: int  # the first changed position
    count: int  # how many frames were added


async def edit_trajectory(
    transaction: Transaction, draft: PendingChange, edit: Edit, added: Sequence[int], *, bytes: int = 0
) -> TrajectoryWritten:
    """Apply an edit with the given new frames, which take so many bytes, and record it."""
    selected = 0 if isinstance(edit, Extend | Insert) else draft.data.length
    planned = await beside(selected, cuts, edit, draft.data.length, len(added))
    if not planned:
        return TrajectoryWritten(draft.id, draft.data.revision, draft.data.length, draft.data.length, 0)
    first = min(cut.start for cut in planned)
    last = draft.data.length
    if all(cut.removed == len(cut.added) for cut in planned):
        last = max(cut.start + cut.removed for cut in planned)
    window = await _frame_ids(transaction, draft, first, last)
    splices = await beside(len(planned), _splices, planned, window, first, added)
    length = await _apply_splices(transaction, draft, splices, first, window)
    return await _commit(transaction, draft, splices, length, *_action_and_label(edit, splices), bytes=bytes)


async def arrange_trajectory(transaction: Transaction, draft: PendingChange, where: Where) -> TrajectoryWritten:
    """Keep only the selected frames, in this order, and record it."""
    window = await _frame_ids(transaction, draft, 0, draft.data.length)
    arranged = [window[position] for position in where.positions(len(window))]
    if arranged == window:
        return TrajectoryWritten(draft.id, draft.data.revision, draft.data.length, draft.data.length, 0)
    splice = Splice(0, tuple(window), tuple(arranged))
    length = await _apply_splices(transaction, draft, [splice], 0, window)
    return await _commit(transaction, draft, [splice], length, "frames.arrange", f"arranged {_frames(length)}")


async def splice_trajectory(transaction: Transaction, draft: PendingChange, splices: Sequence[Splice]) -> int:
    """Apply splices without recording them. Returns the new length."""
    first = min(splice.start for splice in splices)
    window = await _frame_ids(transaction, draft, first, draft.data.length)
    return await _apply_splices(transaction, draft, splices, first, window)


async def _commit(
    transaction: Transaction,
    draft: PendingChange,
    splices: Sequence[Splice],
    length: int,
    act: str,
    label: str,
    *,
    bytes: int = 0,
) -> TrajectoryWritten:
    """Record applied splices as one change, and announce it."""
    moves = await frame_moves(draft, splices)
    step = await step_after(draft, moves, length)
    revision = await write_transaction.commit_write(
        transaction, draft, act=act, label=label, length=length, step=step, bytes=bytes
    )
    await record_splices(transaction, draft, [(splice, None) for splice in splices])
    await move_marks(transaction, draft, moves, revision)
    start = announce_splices(transaction, draft, splices, length, revision, step)
    return TrajectoryWritten(draft.id, revision, length, start, sum(len(splice.added) for splice in splices))


async def record_splices(
    transaction: Transaction, draft: PendingChange, made: Sequence[tuple[Splice, UUID | None]]
) -> None:
    """Record splices, each with the change that it undoes a part of, if any."""
    await changes.insert_splices(transaction.connection, draft.id, made)


def announce_splices(
    transaction: Transaction,
    draft: PendingChange,
    splices: Sequence[Splice],
    length: int,
    revision: int,
    step: int | None,
) -> int:
    """Announce splices, with the step after them (None: it has not moved). Returns the first changed position."""
    counts = tuple((splice.start, len(splice.removed), len(splice.added)) for splice in splices)
    start = min(splice.start for splice in splices)
    if len(counts) > _MAX_EVENT_SPLICES:
        counts = ((start, draft.data.length - start, length - start),)
    before = draft.data
    now, number = (before.step, before.step_revision) if step is None else (step, before.step_revision + 1)
    transaction.record(FramesChanged(draft.room, draft.id, revision, length, counts, now, number))
    return start


async def _frame_ids(transaction: Transaction, draft: PendingChange, first: int, last: int) -> list[int]:
    if first >= last:
        return []
    return await trajectories.frame_ids(transaction.connection, draft.data.number, first, last)


async def _apply_splices(
    transaction: Transaction, draft: PendingChange, splices: Sequence[Splice], first: int, window: list[int]
) -> int:
    """Apply splices to the frames from `first` on, and write only the positions that differ."""
    connection, room = transaction.connection, draft.data.number
    before = len(window)
    differs = await beside(len(window), _apply_to, window, splices, first)
    if differs:
        await trajectories.overwrite(connection, room, first + differs[0], window[differs[0] : differs[-1] + 1])
    length = draft.data.length + len(window) - before
    if len(window) > before:
        await trajectories.append(connection, room, draft.data.length, window[before:])
    elif len(window) < before:
        await trajectories.truncate(connection, room, length)
    return length


def _splices(planned: Sequence[Cut], window: Sequence[int], first: int, added: Sequence[int]) -> list[Splice]:
    """The cuts as splices. Cuts are ordered from the end, or keep the length: none moves the frames of later ones."""
    return [
        Splice(
            cut.start,
            tuple(window[cut.start - first : cut.start - first + cut.removed]),
            tuple(added[number] for number in cut.added),
        )
        for cut in planned
    ]


def _apply_to(window: list[int], splices: Sequence[Splice], first: int) -> list[int]:
    """Apply splices, and return the places that differ."""
    before = list(window)
    apply(window, splices, offset=first)
    return [place for place, (old, new) in enumerate(zip(before, window, strict=False)) if old != new]


def _action_and_label(edit: Edit, splices: Sequence[Splice]) -> tuple[str, str]:
    """The action and the label of an edit."""
    added = sum(len(splice.added) for splice in splices)
    removed = sum(len(splice.removed) for splice in splices)
    match edit:
        case Extend():
            return "frames.extend", f"added {_frames(added)}"
        case Insert():
            return "frames.insert", f"inserted {_frames(added)} at {splices[0].start}"
        case Delete():
            return "frames.delete", f"deleted {_frames(removed)}"
        case _:
            return "frames.replace", f"replaced {_frames(removed)}" + (f" by {added}" if added != removed else "")


def _frames(count: int) -> str:
    return f"{count:,} frame" + ("s" if count != 1 else "")
