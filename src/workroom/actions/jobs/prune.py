"""Delete old jobs and the rows that only they needed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from workroom.actions.delete_in_batches import delete_in_batches, seconds_before
from workroom.actions.engine import Engine
from workroom.domain.ids import oldest_id
from workroom.store.queue_tables import ended_job_counts, extensions, jobs, postings, profiles, workers

_AT_ONCE = 5_000


async def delete_old_history(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete hours of the history that are older than they are kept."""
    before = seconds_before(engine.timing.retention.history, now)
    return await delete_in_batches(
        engine, lambda connection, limit: ended_job_counts.delete_old(connection, before=before, limit=limit)
    )


async def prune(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete jobs that ended before the retention period, and what only they needed; returns how many jobs."""
    before = (now or datetime.now(UTC)) - timedelta(seconds=engine.timing.keep)
    made_before = oldest_id(before.timestamp())
    pruned = 0
    async with engine.database.connection() as connection:
        while True:
            deleted = await jobs.prune(connection, made_before=made_before, ended_before=before, limit=_AT_ONCE)
            pruned += deleted
            if deleted < _AT_ONCE:
                break
        await jobs.prune_fair_turns(connection, seconds=engine.timing.fair_turns)
        await postings.prune(connection, ended_before=before)
        await profiles.prune(connection, recorded_before=before)
        await workers.prune(connection, seconds=engine.timing.keep)
        await extensions.fold_job_counts(connection)
    return pruned
