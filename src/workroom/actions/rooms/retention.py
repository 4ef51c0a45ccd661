"""Forgetting: what old changes did, and the frames that nothing refers to any more.

A frame is in trajectories, or it left them by changes that can still be undone. Whoever gives up one of these (a room
that is deleted, a change that is forgotten) puts its frames on a list; those on the list that nothing else has are
deleted here, some at a time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from workroom.actions.engine import Engine, Transaction
from workroom.domain.limits import CHANGES_KEPT
from workroom.store.room_tables import changes, frames

_ROOMS_AT_ONCE = 100
_CHANGES_AT_ONCE = 1_000
_FRAMES_AT_ONCE = 500


async def expire_changes(engine: Engine, *, kept: int = CHANGES_KEPT, now: datetime | None = None) -> int:
    """Forget what changes did that are old, or have many newer ones in their room; how many."""
    before = (now or datetime.now(UTC)) - timedelta(seconds=engine.timing.keep)
    forgotten = 0
    while True:
        async with engine.database.connection() as connection:
            rooms = await changes.rooms_to_expire(connection, kept=kept, before=before, limit=_ROOMS_AT_ONCE)
        if not rooms:
            return forgotten
        for room in rooms:
            forgotten += await _expire_in_room(engine, room, kept, before)


async def _expire_in_room(engine: Engine, room: str, kept: int, before: datetime) -> int:
    async def work(transaction: Transaction) -> int:
        # Held, so that nobody undoes meanwhile what is being forgotten.
        data = await changes.lock_room_data(transaction.connection, room)
        if data is None:
            return 0
        return await changes.expire(
            transaction.connection, room=data.number, kept=kept, before=before, limit=_CHANGES_AT_ONCE
        )

    return await engine.transaction(work)


async def delete_orphaned_frames(engine: Engine) -> int:
    """Delete frames on the list that nothing refers to; how many."""
    deleted = 0

    async def work(transaction: Transaction) -> tuple[int, int]:
        loose = await frames.take_orphans(transaction.connection, limit=_FRAMES_AT_ONCE)
        needed = await frames.still_needed(transaction.connection, loose) if loose else set[int]()
        free = [frame for frame in loose if frame not in needed]
        return len(loose), await frames.delete(transaction.connection, free) if free else 0

    while True:
        looked_at, gone = await engine.transaction(work)
        deleted += gone
        if looked_at == 0:
            return deleted
