"""Read the queue of a room."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.store.queue_tables import jobs, room_queue
from workroom.store.queue_tables.job_rows import JobSummary

_MOST_WORKING = 50
_MOST_WAITING = 5
_MOST_OWN = 5


@dataclass(frozen=True, slots=True)
class RoomQueue:
    """How many jobs of a room work and wait, and the jobs at the head of its queue."""

    working: int
    waiting: int
    head: list[JobSummary]


async def of_room(engine: Engine, room: str, viewer: UUID) -> RoomQueue:
    """The queue of a room without the jobs of postings; the next jobs of the viewer are in its head, too."""
    async with engine.database.connection() as connection:
        rows = await room_queue.head(
            connection,
            room,
            viewer=viewer,
            most_working=_MOST_WORKING,
            most_waiting=_MOST_WAITING,
            most_own=_MOST_OWN,
        )
        found = {row.id: row for row in await jobs.summaries(connection, [row.id for row in rows])}
    return RoomQueue(
        working=rows[0].working if rows else 0,
        waiting=rows[0].waiting if rows else 0,
        head=[found[row.id] for row in rows if row.id in found],
    )
