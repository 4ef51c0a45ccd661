"""What a pool process is doing, in shared memory: the pool can read it even after the process has died."""

from __future__ import annotations

import struct
import time
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple
from uuid import UUID

_WORKER = struct.Struct("=16s")
_JOB = struct.Struct("=16sIddB")  # id, attempt, start, timeout, whether a job runs
_NO_WORKER = bytes(16)


class StatusSnapshot(NamedTuple):
    worker_id: UUID | None  # None before the process has registered
    job_id: UUID | None  # None between jobs
    attempt: int
    started_at: float  # on the machine's monotonic clock
    timeout: float  # seconds; 0: none

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started_at

    def is_overdue(self, grace: float) -> bool:
        """Whether the job runs longer than its timeout and `grace` seconds more."""
        return self.job_id is not None and self.timeout > 0 and self.elapsed > self.timeout + grace


class SharedStatus:
    """Written by the process for each job, read by the pool. Without a lock, since it is written for every job."""

    def __init__(self) -> None:
        self._memory: Any = RawArray("B", _WORKER.size + _JOB.size)

    def registered(self, worker_id: UUID) -> None:
        _WORKER.pack_into(self._memory, 0, worker_id.bytes)

    def begin(self, job_id: UUID, attempt: int, timeout: float | None) -> None:
        _JOB.pack_into(self._memory, _WORKER.size, job_id.bytes, attempt, time.monotonic(), timeout or 0.0, 1)

    def idle(self) -> None:
        self._memory[_WORKER.size + _JOB.size - 1] = 0

    def read(self) -> StatusSnapshot:
        (worker,) = _WORKER.unpack_from(self._memory, 0)
        job, attempt, started_at, timeout, is_running = _JOB.unpack_from(self._memory, _WORKER.size)
        return StatusSnapshot(
            UUID(bytes=worker) if worker != _NO_WORKER else None,
            UUID(bytes=job) if is_running else None,
            attempt,
            started_at,
            timeout,
        )
