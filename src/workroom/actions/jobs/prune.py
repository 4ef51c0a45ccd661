"""Delete old jobs and the rows that only they needed."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from workroom.actions.delete_in_batches import delete_in_batches, seconds_before
from workroom.actions.engine import Engine
from workroom.domain.ids import oldest_id
from workroom.store.queue_tables import ended_job_counts, extensions, jobs, postings, profiles, workers

_JOBS = 5_000  # of one batch


async def delete_old_history(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete hours of the history that are older than they are kept."""
    before = seconds_before(engine.timing.retention.history, now)
    return await delete_in_batches(
        engine, lambda connection, limit: ended_job_counts.delete_old(connection, before=before, limit=limit)
    )


async def prune(engine: Engine, *, now: datetime | None = None) -> int:
    """Delete jobs that ended before the retention period, and what only they needed; returns how many jobs."""
    before = seconds_before(engine.timing.keep, now)
    made_before = oldest_id(before.timestamp())
    timing = engine.timing
    pruned = await delete_in_batches(
        engine, lambda c, limit: jobs.prune(c, made_before=made_before, ended_before=before, limit=limit), rows=_JOBS
    )
    for delete in (
        partial(jobs.prune_fair_turns, seconds=timing.fair_turns),
        partial(postings.prune, ended_before=before),
        partial(profiles.prune, recorded_before=before),
        partial(workers.prune, seconds=timing.keep),
    ):
        await delete_in_batches(engine, lambda c, limit, delete=delete: delete(c, limit=limit))
    async with engine.database.connection() as connection:
        await extensions.fold_job_counts(connection)
    return pruned
