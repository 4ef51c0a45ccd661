"""Presence: the people connected to a room."""

from __future__ import annotations

from workroom.server.auth.access import Reader
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.wire.rooms import Presence

router = make_router("/api/rooms/{room}/presence", tag="presence")


@router.get("", summary="The people connected to a room", responses=error_responses(404))
async def people(context: Context, access: Reader) -> Presence:
    return Presence.model_validate(context.presence.snapshot(access.room))
