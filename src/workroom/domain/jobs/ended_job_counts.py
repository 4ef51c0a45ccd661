"""How many jobs ended and how long they took, counted by extension and room until the counts are written.

Times are counted in buckets, each twice as long as the one before. A percentile is interpolated within its bucket, so
it is off by a fifth at most where the times of a bucket are spread evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import frexp
from typing import NamedTuple
from uuid import UUID

# The first bucket is for times up to 1 ms, the last for those above 6 days.
BUCKETS = 30
# A process that never writes its counts, such as a program that cancels postings, keeps at most so many.
_MOST_KEYS = 10_000


class HistoryKey(NamedTuple):
    """What jobs are counted by. A call has no room here: that of its posting is looked up when counts are written."""

    extension_id: int
    room: str | None
    posting_id: UUID | None


def _no_times() -> list[int]:
    return [0] * BUCKETS


@dataclass(slots=True)
class EndedJobs:
    """Jobs of one extension and room that ended."""

    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    waits: list[int] = field(default_factory=_no_times)  # jobs by bucket, from the submission to the start
    runs: list[int] = field(default_factory=_no_times)  # jobs by bucket, from the start to the end

    def add(self, other: EndedJobs) -> None:
        self.completed += other.completed
        self.failed += other.failed
        self.cancelled += other.cancelled
        self.waits = [one + more for one, more in zip(self.waits, other.waits, strict=True)]
        self.runs = [one + more for one, more in zip(self.runs, other.runs, strict=True)]


class HistoryCounts:
    """Counts that are not written yet."""

    def __init__(self) -> None:
        self._counts: dict[HistoryKey, EndedJobs] = {}

    def add_ended(self, key: HistoryKey, state: str, jobs: int = 1) -> None:
        """Count jobs that reached a final state, which is the name of their count."""
        if ended := self._of(key):
            setattr(ended, state, getattr(ended, state) + jobs)

    def add_times(self, key: HistoryKey, waited: float, ran: float) -> None:
        """Count how long a job waited and ran, in seconds. Of many jobs that end together, some are enough."""
        if ended := self._of(key):
            ended.waits[bucket(waited)] += 1
            ended.runs[bucket(ran)] += 1

    def put_back(self, counts: dict[HistoryKey, EndedJobs]) -> None:
        """Counts that could not be written."""
        for key, ended in counts.items():
            if known := self._of(key):
                known.add(ended)

    def take(self) -> dict[HistoryKey, EndedJobs]:
        taken, self._counts = self._counts, {}
        return taken

    def _of(self, key: HistoryKey) -> EndedJobs | None:
        known = self._counts.get(key)
        if known is None and len(self._counts) < _MOST_KEYS:
            known = self._counts[key] = EndedJobs()
        return known


def bucket(seconds: float) -> int:
    """The bucket of a time. A negative time, of a late clock, counts as none."""
    milliseconds = seconds * 1000
    if milliseconds <= 1:
        return 0
    mantissa, exponent = frexp(milliseconds)
    # A power of two belongs to the bucket that it bounds.
    return min(exponent - (mantissa == 0.5), BUCKETS - 1)


def percentile(counts: Sequence[int], share: float) -> float | None:
    """The time, in milliseconds, that this share of the counted times does not exceed; none without times."""
    wanted = sum(counts) * share
    if not wanted:
        return None
    seen = 0
    for place, jobs in enumerate(counts):
        if jobs and seen + jobs >= wanted:
            low = 0.0 if place == 0 else 2.0 ** (place - 1)
            return low + (2.0**place - low) * (wanted - seen) / jobs
        seen += jobs
    return 2.0 ** (len(counts) - 1)
