"""The state of a room: length, step, revision and locks in one cheap request."""

from __future__ import annotations

from workroom.actions.rooms import frame_streams, locks
from workroom.server.auth.access import Reader
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import room_items
from workroom.wire.trajectories import RoomState

router = make_router("/api/rooms/{room}/state", tag="rooms")


@router.get("", summary="Length, step, revision and locks of a room", responses=error_responses(404, 409))
async def state(context: Context, access: Reader) -> RoomState:
    data = await frame_streams.state(context.engine, access.room)
    held_locks = await locks.list_locks(context.engine, access.room)
    return RoomState(
        length=data.length,
        step=data.step,
        step_revision=data.step_revision,
        revision=data.revision,
        locks=[room_items.lock(row) for row in held_locks],
    )
