"""Throughput of workers: ended attempts, counted in memory and written a few times a minute.

Counting adds no write and no index to a job. If the process stops, the counts of a few seconds are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from workroom.store.queue_tables import workers

if TYPE_CHECKING:
    from workroom.actions.engine import Engine


class PendingCounts:
    """Counts of ended attempts that are not written yet."""

    def __init__(self) -> None:
        self._counts: dict[UUID, tuple[int, int]] = {}

    def add(self, worker_id: UUID, ended: int, failed: int) -> None:
        before = self._counts.get(worker_id, (0, 0))
        self._counts[worker_id] = before[0] + ended, before[1] + failed

    def take(self) -> Sequence[tuple[UUID, int, int]]:
        taken, self._counts = self._counts, {}
        return [(worker_id, *counts) for worker_id, counts in taken.items()]


async def flush(engine: Engine) -> None:
    """Write the pending counts; on an error they stay pending."""
    counts = engine.pending_counts.take()
    if not counts:
        return
    ids, ended, failed = zip(*counts, strict=True)
    try:
        async with engine.database.connection() as connection:
            await workers.add_throughput(connection, ids, ended=ended, failed=failed)
    except BaseException:
        for count in counts:
            engine.pending_counts.add(*count)
        raise
