"""The step everybody looks at."""

from __future__ import annotations

from workroom.actions.rooms import frames, step
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import Context
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.wire.scene import CurrentStep, Step, StepSet

router = make_router("/api/rooms/{room}/step", tag="step")


@router.get("", summary="The frame everybody looks at", responses=error_responses(404))
async def get(context: Context, access: Reader) -> CurrentStep:
    now = await frames.state(context.engine, access.room)
    return CurrentStep(step=now.step, length=now.length)


@router.put("", summary="Move everybody to a frame", responses=error_responses(403, 404))
async def put(context: Context, access: Writer, body: Step) -> StepSet:
    """Everybody follows whoever set it last. -1 is the last frame."""
    who = access.principal
    return StepSet(step=await step.set_step(context.engine, access.room, body.step, by=who.account_id, name=who.name))
