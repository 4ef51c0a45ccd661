"""The step: the index of the frame that everyone in a room sees."""

from __future__ import annotations

from workroom.actions.rooms import frame_streams, step
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import room_items
from workroom.wire.room_items import CurrentStep, Step, StepSet

router = make_router("/api/rooms/{room}/step", tag="step")


@router.get("", summary="The current step", responses=error_responses(404))
async def get(context: Context, access: Reader) -> CurrentStep:
    state = await frame_streams.state(context.engine, access.room)
    return CurrentStep(step=state.step, length=state.length)


@router.put("", summary="Set the current step", responses=error_responses(403, 404))
async def put(context: Context, access: Writer, body: Step) -> StepSet:
    """Moves all viewers of the room to this frame. -1 is the last frame."""
    by = access.principal
    return room_items.step(await step.set_step(context.engine, access.room, body.step, by=by.account_id, name=by.name))
