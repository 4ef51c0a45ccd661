"""Retention of room data: expires and deletes old changes, and deletes what nothing refers to any more.

A change expires when it is older than ended jobs are kept, or when its room has many newer ones: its splices and values
are deleted, so that it cannot be undone, but it stays in the history. The row itself is deleted much later.

A frame is referred to by trajectories and by changes that can still be undone. Deleting a room and expiring a change
list the frames that may have lost their last reference in `orphaned_frame`; `delete_orphaned_frames` deletes those that
have none.
"""

from __future__ import annotations

from datetime import datetime

from workroom.actions.delete_in_batches import delete_in_batches, seconds_before
from workroom.actions.engine import Engine, Transaction
from workroom.domain.ids import oldest_id
from workroom.domain.limits import CHANGES_KEPT
from workroom.store import quotas
from workroom.store.room_tables import changes, chat, frames, share_links

_ROOMS_PER_BATCH = 100
_CHANGES_PER_BATCH = 1_000
_FRAMES_PER_BATCH = 500


async def expire_changes(engine: Engine, *, kept: int = CHANGES_KEPT, now: datetime | None = None) -> int:
    """Expire changes that are old, or have `kept` newer ones in their room. Returns how many."""
    before = seconds_before(engine.timing.keep, now)
    expired = 0
    while True:
        async with engine.database.connection() as connection:
            rooms = await changes.rooms_to_expire(connection, kept=kept, before=before, limit=_ROOMS_PER_BATCH)
        if not rooms:
            return expired
        for room in rooms:
            expired += await _expire_in_room(engine, room, kept, before)


async def _expire_in_room(engine: Engine, room: str, kept: int, before: datetime) -> int:
    async def work(transaction: Transaction) -> int:
        # Locked, so that no undo reads the splices while they are deleted.
        data = await changes.lock_room_data(transaction.connection, room)
        if data is None:
            return 0
        expired = await changes.expire(
            transaction.connection, room=data.number, kept=kept, before=before, limit=_CHANGES_PER_BATCH
        )
        if expired < _CHANGES_PER_BATCH:  # the last batch of the room
            await quotas.recount_room(transaction.connection, data.number)
        return expired

    return await engine.transaction(work)


async def delete_expired_changes(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete expired changes that are older than they are listed and the origins only they used. Returns how many."""
    before = seconds_before(engine.timing.retention.changes, now)
    made_before = oldest_id(before.timestamp())
    deleted = await delete_in_batches(
        engine,
        lambda connection, limit: changes.delete_expired(
            connection, made_before=made_before, before=before, limit=limit
        ),
    )
    if deleted:
        await delete_in_batches(
            engine,
            lambda connection, limit: changes.delete_unused_origins(connection, made_before=made_before, limit=limit),
        )
    return deleted


async def delete_orphaned_frames(engine: Engine) -> int:
    """Delete the listed frames that nothing refers to. Returns how many."""
    deleted = 0

    async def work(transaction: Transaction) -> tuple[int, int]:
        listed = await frames.take_orphans(transaction.connection, limit=_FRAMES_PER_BATCH)
        needed = await frames.still_needed(transaction.connection, listed) if listed else set[int]()
        unused = [frame for frame in listed if frame not in needed]
        return len(listed), await frames.delete(transaction.connection, unused) if unused else 0

    while True:
        checked, batch = await engine.transaction(work)
        deleted += batch
        if checked == 0:
            return deleted


async def delete_old_notices(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete old chat notices about failed jobs; a notice stays as long as its job. Returns how many."""
    made_before = oldest_id(seconds_before(engine.timing.retention.notices, now).timestamp())
    return await delete_in_batches(
        engine, lambda connection, limit: chat.delete_notices(connection, made_before=made_before, limit=limit)
    )


async def delete_expired_links(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete share links that expired long ago. Returns how many."""
    before = seconds_before(engine.timing.retention.links, now)
    return await delete_in_batches(
        engine, lambda connection, limit: share_links.delete_expired(connection, before=before, limit=limit)
    )
