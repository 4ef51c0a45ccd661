"""Retention of accounts and the audit log: deletes idle guests and old audit rows."""

from __future__ import annotations

from datetime import datetime

from workroom.actions.delete_in_batches import delete_in_batches, seconds_before
from workroom.actions.engine import Engine
from workroom.store import accounts


async def delete_idle_guests(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete guests that did not sign in for long and that no room, job, change or message refers to."""
    before = seconds_before(engine.timing.retention.guests, now)
    return await delete_in_batches(
        engine, lambda connection, limit: accounts.delete_idle_guests(connection, before=before, limit=limit)
    )


async def delete_old_audit(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete audit rows that are older than they are kept."""
    before = seconds_before(engine.timing.retention.audit, now)
    return await delete_in_batches(
        engine, lambda connection, limit: accounts.delete_old_audit(connection, before=before, limit=limit)
    )
