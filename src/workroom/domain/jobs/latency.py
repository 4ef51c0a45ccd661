"""How long jobs wait and run, counted in the buckets of a histogram."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

WAIT = "wait"  # from the submission to the start
RUN = "run"  # from the start to the end

# Upper bounds in seconds. The largest bucket of Prometheus has no bound.
BOUNDS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0, 600.0, 3_600.0, 86_400.0, inf)


class BucketCount(NamedTuple):
    kind: str
    bound: float
    jobs: int
    seconds: float  # of all these jobs together


class LatencyCounts:
    """Counts that are not written yet."""

    def __init__(self) -> None:
        self._jobs = {kind: [0] * len(BOUNDS) for kind in (WAIT, RUN)}
        self._seconds = {kind: [0.0] * len(BOUNDS) for kind in (WAIT, RUN)}

    def add(self, kind: str, seconds: float) -> None:
        bucket = bisect_left(BOUNDS, seconds)
        self._jobs[kind][bucket] += 1
        self._seconds[kind][bucket] += seconds

    def add_all(self, kind: str, times: Iterable[float]) -> None:
        """The same for a batch, sorted and cut at the bounds. A negative time, of a late clock, counts as none."""
        ordered = sorted(times)
        start = 0
        for bucket, bound in enumerate(BOUNDS):
            if start == len(ordered):
                return
            end = bisect_right(ordered, bound, start)
            self._jobs[kind][bucket] += end - start
            self._seconds[kind][bucket] += sum(time for time in ordered[start:end] if time > 0.0)
            start = end

    def put_back(self, counts: list[BucketCount]) -> None:
        """Counts that could not be written."""
        for kind, bound, jobs, seconds in counts:
            bucket = bisect_left(BOUNDS, bound)
            self._jobs[kind][bucket] += jobs
            self._seconds[kind][bucket] += seconds

    def take(self) -> list[BucketCount]:
        taken = list(self._counted())
        self.__init__()
        return taken

    def _counted(self) -> Iterator[BucketCount]:
        for kind, counts in self._jobs.items():
            for bound, jobs, seconds in zip(BOUNDS, counts, self._seconds[kind], strict=True):
                if jobs:
                    yield BucketCount(kind, bound, jobs, seconds)
