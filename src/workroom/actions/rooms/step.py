"""The step: the frame that all viewers of a room show. Setting it is no change and cannot be undone."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import StepSet
from workroom.actions.rooms import frame_streams
from workroom.domain.errors import BadInput
from workroom.store.room_tables import change_history
from workroom.store.room_tables.change_history import StepRow


async def set_step(engine: Engine, room: str, step: int, *, by: UUID, name: str) -> StepRow:
    """Set the step; negative numbers count from the end. The step with the highest number is the room's."""

    async def work(transaction: Transaction) -> StepRow | None:
        now = await change_history.set_step(transaction.connection, room, step)
        if now is not None:
            transaction.record(StepSet(room, now.step, now.step_revision, by, name))
        return now

    now = await engine.autocommit(work)
    if now is None:
        length = (await frame_streams.state(engine, room)).length
        last = f"its last step is {length - 1}" if length else "its only step is 0"
        raise BadInput(f"There is no step {step}: the room has {length} frames, and {last}.", length=length)
    return now
