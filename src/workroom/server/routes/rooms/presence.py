"""Who is in a room right now."""

from __future__ import annotations

from typing import Any

from workroom.server.auth.access import Reader
from workroom.server.context import AtHome
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes

router = routes("/api/rooms/{room}/presence", tag="presence")


@router.get("", summary="Who is in the room, and with how many sockets", responses=documented(404))
async def people(house: AtHome, visit: Reader) -> dict[str, Any]:
    return house.attendance.present(visit.room)
