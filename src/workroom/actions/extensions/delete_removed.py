"""Retention of extensions: deletes those that were removed long ago, and functions that are no longer used."""

from __future__ import annotations

from datetime import datetime

from workroom.actions.delete_in_batches import delete_in_batches, seconds_before
from workroom.actions.engine import Engine
from workroom.store.queue_tables import extensions


async def delete_removed_extensions(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete extensions that were removed long ago and have no jobs, postings or profiles left.

    Functions are never removed. The time counts from their last registration, and those of live workers stay.
    """
    before = seconds_before(engine.timing.retention.extensions, now)
    return await delete_in_batches(
        engine, lambda connection, limit: extensions.delete_removed(connection, before=before, limit=limit)
    )
