"""How many jobs ended over the last days, and how long they took."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from workroom.actions.queries.history import job_history
from workroom.domain.errors import AdminNeeded
from workroom.server.auth.access import Person, Reader
from workroom.server.context import Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.history import history
from workroom.wire.job_lists import HistoryQuery, JobHistory

router = make_router("/api", tag="jobs")
Which = Annotated[HistoryQuery, Query()]


@router.get("/rooms/{room}/job-history", summary="How many jobs of a room ended, and how long they took")
async def history_of_room(context: Context, access: Reader, query: Which) -> JobHistory:
    return await _read(context, query, access.room)


@router.get("/job-history", summary="How many jobs of all rooms ended, and how long they took (admins)")
async def history_of_all(context: Context, principal: Person, query: Which) -> JobHistory:
    if not principal.is_admin:
        raise AdminNeeded(
            "Only admins may read the history of all rooms. That of one room is at /api/rooms/{room}/job-history."
        )
    return await _read(context, query, None)


async def _read(context: ServerContext, query: HistoryQuery, room: str | None) -> JobHistory:
    return history(
        await job_history(
            context.engine,
            days=query.days,
            room=room,
            category=query.category,
            name=query.name,
            search=query.search,
        )
    )
