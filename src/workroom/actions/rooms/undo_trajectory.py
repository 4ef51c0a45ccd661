"""Undo of changes to a trajectory.

The splices of the changes are inverted and transformed past all later splices. If later changes touched these frames,
the undo fails with UndoConflict. Removed frames are kept until their change expires, so an undo writes no frames.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast
from uuid import UUID

from workroom.actions.engine import Transaction
from workroom.actions.rooms.edit_trajectory import announce_splices, record_splices, splice_trajectory
from workroom.actions.rooms.write_transaction import PendingChange
from workroom.domain.rooms.undo_splices import AppliedChange, InverseSplice, Splice, undo
from workroom.store.room_tables import changes


@dataclass(frozen=True, slots=True)
class TrajectoryUndone:
    """The result of an undo on the trajectory, for the change that is still to be committed."""

    length: int
    splices: tuple[Splice, ...]


async def undo_trajectory(
    transaction: Transaction, draft: PendingChange, change_ids: Sequence[UUID]
) -> TrajectoryUndone | None:
    """Undo what these changes did to the trajectory, newest first. None if they did not touch it.

    Raises UndoConflict if later changes touched the same frames, ChangeExpired if the splices are deleted. Call it
    between `begin_write` and `commit_write`, then `announce_trajectory`.
    """
    rows = await changes.history(transaction.connection, room=draft.data.number, ids=change_ids)
    # In a thread: with many splices the plan takes a while, and other requests must not wait for it.
    plan = await asyncio.to_thread(_plan, rows, change_ids)
    if not plan:
        return None
    splices = [step.splice for step in plan]
    length = await splice_trajectory(transaction, draft, splices)
    await record_splices(transaction, draft, [(step.splice, cast(UUID, step.undoes)) for step in plan])
    return TrajectoryUndone(length, tuple(splices))


def announce_trajectory(
    transaction: Transaction, draft: PendingChange, undone: TrajectoryUndone, revision: int, step: int | None
) -> None:
    """Announce the undo, once the change is committed."""
    announce_splices(transaction, draft, undone.splices, undone.length, revision, step)


def _plan(rows: Sequence[changes.SpliceRow], change_ids: Sequence[UUID]) -> list[InverseSplice]:
    history = [_applied_change(list(parts)) for _, parts in groupby(rows, key=lambda row: row.change_id)]
    return undo(history, frozenset(change_ids))


def _applied_change(rows: Sequence[changes.SpliceRow]) -> AppliedChange:
    return AppliedChange(
        id=rows[0].change_id,
        splices=[Splice(row.start, tuple(row.removed), tuple(row.added)) for row in rows if row.start is not None],
        undoes=[row.undoes for row in rows if row.start is not None],
        undone_by=rows[0].undone_by,
        forgotten=rows[0].expired,
    )
