"""One function for each statement of `sql/change` that reads the history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Uuids
from workroom.store.statement import Connection, Statement, first


class ChangeRow(NamedTuple):
    """A change, with a summary of what it did."""

    id: UUID
    revision: int
    act: str
    label: str
    author: UUID | None
    author_name: str | None
    job_id: UUID | None
    extension: str | None
    parameters: Any
    machine: str | None
    undo_of: UUID | None
    undone_by: UUID | None
    at: datetime
    start: int | None  # the first changed position; none if it changed no frames
    removed: int  # frames
    added: int  # frames
    last_now: int | None  # where the last added frame that is still in the trajectory is now
    items: list[dict[str, Any]]  # the first twenty
    items_total: int


class StepRow(NamedTuple):
    """The step of a room, and its number among all steps that were set there."""

    step: int
    step_revision: int


class UndoTarget(NamedTuple):
    """A change to undo."""

    id: UUID
    label: str
    undone_by: UUID | None
    undo_of: UUID | None
    has_frames: bool
    kinds: list[str]
    expired: bool  # its splices and values are deleted


_list = Statement("change/list", ChangeRow._make)
_undo_targets = Statement("change/undo_targets", UndoTarget._make)
_mark_undone = Statement[None]("change/mark_undone", first)
_set_step = Statement("change/set_step", StepRow._make)


async def page(
    connection: Connection,
    room: str,
    *,
    limit: int,
    before: UUID | None = None,
    job_id: UUID | None = None,
    id: UUID | None = None,
) -> list[ChangeRow]:
    return await _list.all(connection, room=room, limit=limit, before=before, job_id=job_id, id=id)


async def undo_targets(
    connection: Connection, room: str, *, id: UUID | None = None, job_id: UUID | None = None
) -> list[UndoTarget]:
    return await _undo_targets.all(connection, room=room, id=id, job_id=job_id)


async def mark_undone(connection: Connection, ids: Sequence[UUID], *, by: UUID) -> None:
    await _mark_undone.run(connection, ids=Uuids(ids), by=by)


async def set_step(connection: Connection, room: str, step: int) -> StepRow | None:
    return await _set_step.one(connection, room=room, step=step)
