"""Changes: the history of a room, and undo."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query

from workroom.actions.queries import changes
from workroom.actions.rooms import undo
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import room_items
from workroom.wire.room_items import Change, Changes, UndoJob, Undone

router = make_router("/api/rooms/{room}/changes", tag="changes")

JobId = Annotated[UUID | None, Query(alias="jobId", description="Only changes by this job.")]
Before = Annotated[UUID | None, Query(description="Only changes older than this one.")]


@router.get("", summary="The changes of a room, newest first", responses=error_responses(404))
async def page(
    context: Context,
    access: Reader,
    before: Before = None,
    job_id: JobId = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Changes:
    rows = await changes.list_changes(context.engine, access.room, limit=limit, before=before, job_id=job_id)
    return Changes(items=[room_items.change(row) for row in rows])


@router.get("/{id}", summary="One change", responses=error_responses(404))
async def get(context: Context, access: Reader, id: UUID) -> Change:
    return room_items.change(await changes.get_change(context.engine, access.room, id))


@router.post("/{id}/undo", summary="Undo a change", responses=error_responses(403, 404, 409, 423))
async def undo_one(context: Context, writer: WriterDep, id: UUID) -> Undone:
    """Refused with `overlap` when later changes touch the same data; `later` lists them. Undoing an undo redoes it."""
    return Undone.model_validate(await undo.undo(context.engine, writer.room, writer.context, id))


@router.post("/undo", summary="Undo all changes of a job", responses=error_responses(403, 404, 409, 423))
async def undo_job(context: Context, writer: WriterDep, body: UndoJob) -> Undone:
    return Undone.model_validate(await undo.undo_job(context.engine, writer.room, writer.context, body.job_id))
