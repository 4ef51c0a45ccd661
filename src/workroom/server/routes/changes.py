"""Changes: what was done in a room, and how to undo it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query

from workroom.actions import look_back, take_back
from workroom.server import scene_shapes
from workroom.server.documented import documented
from workroom.server.doorman import Reader
from workroom.server.hand import AsWriter
from workroom.server.house import AtHome
from workroom.server.strict import routes
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
    rows = await look_back.changes_in(house.engine, visit.room, limit=limit, before=before, job_id=job_id)
    return Changes(items=[scene_shapes.change(row) for row in rows])


@router.get("/{id}", summary="One change", responses=documented(404))
async def one(house: AtHome, visit: Reader, id: UUID) -> Change:
    return scene_shapes.change(await look_back.change(house.engine, visit.room, id))


@router.post("/{id}/undo", summary="Undo a change", responses=documented(403, 404, 409, 423))
async def undo_one(house: AtHome, writer: AsWriter, id: UUID) -> Undone:
    """Refused with `overlap` when later changes stand in the way; `later` names them. Undoing an undo does it again."""
    return Undone.model_validate(await take_back.undo(house.engine, writer.room, writer.hand, id))


@router.post("/undo", summary="Undo everything a job did", responses=documented(403, 404, 409, 423))
async def undo_job(house: AtHome, writer: AsWriter, body: UndoJob) -> Undone:
    return Undone.model_validate(await take_back.undo_job(house.engine, writer.room, writer.hand, body.job_id))
