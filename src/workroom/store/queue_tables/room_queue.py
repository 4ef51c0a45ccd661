"""The queue of a room: the statement `sql/job/room_queue`."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from workroom.store.statement import Connection, Statement


class QueuedJob(NamedTuple):
    """A job at the head of a room's queue, with the totals of the queue."""

    id: UUID
    working: int
    waiting: int


_room_queue = Statement("job/room_queue", QueuedJob._make)


async def head(
    connection: Connection, room: str, *, viewer: UUID, most_working: int, most_waiting: int, most_own: int
) -> list[QueuedJob]:
    """The jobs that work, the next ones that wait, and the next ones of the viewer."""
    return await _room_queue.all(
        connection,
        room=room,
        viewer=viewer,
        most_working=most_working,
        most_waiting=most_waiting,
        most_own=most_own,
    )
