"""How many jobs a pool process claims at a time."""

from __future__ import annotations

LARGEST = 500
_BATCH_SECONDS = 0.1  # a batch should take about so long to run
_GROWTH = 8


class AdaptiveBatchSize:
    """Small batches of long jobs, so that each process gets some. Large batches of short jobs, to save claims."""

    def __init__(self) -> None:
        self._size = 1
        self._mean: float | None = None

    @property
    def size(self) -> int:
        return self._size

    @property
    def prefetches(self) -> bool:
        """Whether to claim the next batch before this one is done. Not for long jobs: another process may be idle."""
        return self._size >= 4

    def record(self, jobs: int, seconds: float) -> None:
        """So many jobs ran for so long in all."""
        if jobs == 0:
            return
        mean = seconds / jobs
        self._mean = mean if self._mean is None else 0.5 * self._mean + 0.5 * mean
        size = int(_BATCH_SECONDS / max(self._mean, 1e-6))
        self._size = max(1, min(size, LARGEST, self._size * _GROWTH))
