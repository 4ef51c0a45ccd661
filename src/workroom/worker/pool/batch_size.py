"""How many jobs a process takes at a time."""

from __future__ import annotations

LARGEST = 500
_BATCH_SECONDS = 0.1  # what a helping should take to run
_GROWTH = 8


class AdaptiveBatchSize:
    """Small helpings of long jobs, so that every process has some; large ones of short jobs: fetching costs little."""

    def __init__(self) -> None:
        self._size = 1
        self._mean: float | None = None

    @property
    def size(self) -> int:
        return self._size

    @property
    def prefetches(self) -> bool:
        """Whether to fetch the next helping before this one is eaten: not where a job takes its time."""
        return self._size >= 4

    def record(self, jobs: int, seconds: float) -> None:
        """So many jobs took so long."""
        if jobs == 0:
            return
        mean = seconds / jobs
        self._mean = mean if self._mean is None else 0.5 * self._mean + 0.5 * mean
        wanted = int(_BATCH_SECONDS / max(self._mean, 1e-6))
        self._size = max(1, min(wanted, LARGEST, self._size * _GROWTH))
