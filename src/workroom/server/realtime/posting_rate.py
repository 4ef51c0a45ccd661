"""How many jobs of a posting run to their end in a second, as a moving average. Cancelled jobs do not count."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from datetime import UTC, datetime
from uuid import UUID

from workroom.domain.jobs.states import FINAL
from workroom.store.queue_tables.postings import PostingRow

_WINDOW_SECONDS = 10.0
_SAMPLE_SECONDS = 0.2  # the shortest time between two samples
_POSTINGS_LIMIT = 1_000

_Sample = tuple[float, int]  # the time, and how many jobs had run


class PostingRates:
    """Keeps the samples of the last ten seconds for each open posting."""

    def __init__(self) -> None:
        self._samples: OrderedDict[UUID, deque[_Sample]] = OrderedDict()

    def rate(self, row: PostingRow) -> float | None:
        """Jobs per second: within the window for an open posting, over its whole life for one that has ended.

        None for a paused posting, and where no job has run.
        """
        if row.status in FINAL:
            self._samples.pop(row.id, None)
            return _mean(row, row.finished_at)
        if row.status == "paused":
            self._samples.pop(row.id, None)  # drop samples from before a pause
            return None
        first, last = self._add_sample(row)
        if last[0] - first[0] < 1.0:
            return _mean(row, datetime.now(UTC))
        return max(0.0, (last[1] - first[1]) / (last[0] - first[0]))

    def _add_sample(self, row: PostingRow) -> tuple[_Sample, _Sample]:
        """Add a sample if the last is old enough. Returns the oldest and the newest sample of the window."""
        samples = self._samples.setdefault(row.id, deque())
        self._samples.move_to_end(row.id)
        while len(self._samples) > _POSTINGS_LIMIT:
            self._samples.popitem(last=False)
        now = time.monotonic()
        if not samples or now - samples[-1][0] >= _SAMPLE_SECONDS:
            samples.append((now, _ran(row)))
        while len(samples) > 2 and now - samples[1][0] > _WINDOW_SECONDS:
            samples.popleft()
        return samples[0], samples[-1]


def _mean(row: PostingRow, until: datetime | None) -> float | None:
    seconds = 0.0 if until is None else (until - row.created_at).total_seconds()
    return _ran(row) / seconds if _ran(row) and seconds > 0 else None


def _ran(row: PostingRow) -> int:
    return row.completed + row.failed
