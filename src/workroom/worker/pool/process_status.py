"""What a pool process is doing, where the pool can see it even after the process has died."""

from __future__ import annotations

import struct
import time
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple
from uuid import UUID

_WORKER = struct.Struct("=16s")
_JOB = struct.Struct("=16sIddB")  # id, attempt, begun, timeout, whether one runs
_NO_WORKER = bytes(16)


class StatusSnapshot(NamedTuple):
    worker_id: UUID | None  # none before it is registered
    job_id: UUID | None  # none between jobs
    attempt: int
    started_at: float  # on the machine's monotonic clock
    timeout: float  # seconds; 0: as long as it likes

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started_at

    @property
    def overdue(self) -> bool:
        return self.job_id is not None and self.timeout > 0 and self.elapsed > self.timeout


class SharedStatus:
    """Written by the process for each job, read by the pool. No lock: writing it must cost next to nothing."""

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
        job, attempt, begun, timeout, runs = _JOB.unpack_from(self._memory, _WORKER.size)
        return StatusSnapshot(
            UUID(bytes=worker) if worker != _NO_WORKER else None,
            UUID(bytes=job) if runs else None,
            attempt,
            begun,
            timeout,
        )
