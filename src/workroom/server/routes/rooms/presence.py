"""Who is in a room right now."""

from __future__ import annotations

from workroom.server.auth.access import Reader
from workroom.server.context import Context
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.wire.rooms import Presence

router = make_router("/api/rooms/{room}/presence", tag="presence")


@router.get("", summary="Who is in the room, and with how many sockets", responses=error_responses(404))
async def people(context: Context, access: Reader) -> Presence:
    return Presence.model_validate(context.presence.snapshot(access.room))
