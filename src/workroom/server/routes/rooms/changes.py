"""Changes: what was done in a room, and how to undo it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query

from workroom.actions.rooms import history, undo
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import AsWriter
from workroom.server.context import AtHome
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes
from workroom.server.serializers import room_items
from workroom.wire.scene import Change, Changes, UndoJob, Undone

router = routes("/api/rooms/{room}/changes", tag="changes")

JobId = Annotated[UUID | None, Query(alias="jobId", description="Only what this job did.")]
Before = Annotated[UUID | None, Query(description="Only older ones than this change.")]


@router.get("", summary="What was done, newest first", responses=documented(404))
async def page(
    house: AtHome,
    visit: Reader,
    before: Before = None,
    job_id: JobId = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Changes:
    rows = await history.changes_in(house.engine, visit.room, limit=limit, before=before, job_id=job_id)
    return Changes(items=[room_items.change(row) for row in rows])


@router.get("/{id}", summary="One change", responses=documented(404))
async def one(house: AtHome, visit: Reader, id: UUID) -> Change:
    return room_items.change(await history.change(house.engine, visit.room, id))


@router.post("/{id}/undo", summary="Undo a change", responses=documented(403, 404, 409, 423))
async def undo_one(house: AtHome, writer: AsWriter, id: UUID) -> Undone:
    """Refused with `overlap` when later changes stand in the way; `later` names them. Undoing an undo does it again."""
    return Undone.model_validate(await undo.undo(house.engine, writer.room, writer.hand, id))


@router.post("/undo", summary="Undo everything a job did", responses=documented(403, 404, 409, 423))
async def undo_job(house: AtHome, writer: AsWriter, body: UndoJob) -> Undone:
    return Undone.model_validate(await undo.undo_job(house.engine, writer.room, writer.hand, body.job_id))
