"""The step everybody looks at."""

from __future__ import annotations

from workroom.actions.rooms import frames, step
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import AtHome
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes
from workroom.wire.scene import Step

router = routes("/api/rooms/{room}/step", tag="step")


@router.get("", summary="The frame everybody looks at", responses=documented(404))
async def get(house: AtHome, visit: Reader) -> dict[str, int]:
    now = await frames.state(house.engine, visit.room)
    return {"step": now.step, "length": now.length}


@router.put("", summary="Move everybody to a frame", responses=documented(403, 404))
async def put(house: AtHome, visit: Writer, body: Step) -> dict[str, int]:
    """Everybody follows whoever set it last. -1 is the last frame."""
    who = visit.visitor
    return {"step": await step.set_step(house.engine, visit.room, body.step, by=who.account_id, name=who.name)}
