"""The history of a room: its changes."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.store.room_tables import change_history
from workroom.store.room_tables.change_history import ChangeRow


async def list_changes(
    engine: Engine, room: str, *, limit: int, before: UUID | None = None, job_id: UUID | None = None
) -> list[ChangeRow]:
    """The changes of a room, newest first."""
    async with engine.database.connection() as connection:
        return await change_history.page(connection, room, limit=limit, before=before, job_id=job_id)


async def get_change(engine: Engine, room: str, change_id: UUID) -> ChangeRow:
    async with engine.database.connection() as connection:
        found = await change_history.page(connection, room, limit=1, id=change_id)
    if not found:
        raise NotFound(f"There is no change {change_id} in this room.")
    return found[0]
