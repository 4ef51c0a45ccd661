"""How far a room's data has come, in one cheap request."""

from __future__ import annotations

from workroom.actions.rooms import frames, locks
from workroom.server.auth.access import Reader
from workroom.server.context import AtHome
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes
from workroom.server.serializers import room_items
from workroom.wire.trajectories import RoomState

router = routes("/api/rooms/{room}/state", tag="rooms")


@router.get("", summary="Length, step, revision and locks of a room's data", responses=documented(404, 409))
async def state(house: AtHome, visit: Reader) -> RoomState:
    data = await frames.state(house.engine, visit.room)
    held = await locks.locks_in(house.engine, visit.room)
    return RoomState(
        length=data.length,
        step=data.step,
        revision=data.revision,
        locks=[room_items.lock(row).model_dump(mode="json", by_alias=True) for row in held],
    )
