"""The queue of a room: how many jobs work and wait, and which are next."""

from __future__ import annotations

from workroom.actions.queries import room_queue
from workroom.server.auth.access import Reader
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import jobs as job_serializers
from workroom.wire.jobs import RoomQueue

router = make_router("/api/rooms/{room}/queue", tag="jobs")


@router.get("", summary="The queue of a room", responses=error_responses(404))
async def queue(context: Context, access: Reader) -> RoomQueue:
    """Without the jobs of postings. `items` has the jobs that work, the next that wait, and the next of the caller."""
    found = await room_queue.of_room(context.engine, access.room, access.principal.account_id)
    return RoomQueue(
        working=found.working,
        waiting=found.waiting,
        items=[job_serializers.job_brief(row) for row in found.head],
    )
