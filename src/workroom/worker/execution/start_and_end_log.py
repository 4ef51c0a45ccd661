"""The log of a worker or pool process: one line for the start and one for the end of each job.

A process may run thousands of short calls in a second. Lines beyond a rate are counted instead, and the counts logged
every few seconds, so that the log costs nothing that matters and fills no disk.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from logging import INFO
from typing import Any
from uuid import UUID

from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome
from workroom.logs import get_logger

log = get_logger("workroom.jobs")

LINES_PER_SECOND = 10.0
SUMMARY_SECONDS = 5.0
_ALWAYS_SECONDS = 1.0  # the end of a job that ran longer is always logged


class JobLog:
    """The log of one process. Its methods may be called from any thread."""

    def __init__(self, *, lines_per_second: float = LINES_PER_SECOND, summary_seconds: float = SUMMARY_SECONDS) -> None:
        self._rate = lines_per_second
        self._summary_seconds = summary_seconds
        self._lines_left = lines_per_second
        self._refilled_at = time.monotonic()
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def started(self, job_id: UUID, name: str, attempt: int, room: str | None = None) -> None:
        if log.isEnabledFor(INFO) and self._may_write():
            log.info("job started", **_fields(job_id, name, attempt, room))

    def ended(
        self, job_id: UUID, name: str, attempt: int, outcome: Outcome, seconds: float, room: str | None = None
    ) -> None:
        match outcome:
            case Failed(error):
                verb, write = "failed", log.warning
                more = {"error": error_line(error)}
            case Cancelled():
                verb, write, more = "cancelled", log.info, {}
            case _:
                if not log.isEnabledFor(INFO):
                    return
                verb, write, more = "completed", log.info, {}
        if seconds >= _ALWAYS_SECONDS or self._may_write():
            write(f"job {verb}", **_fields(job_id, name, attempt, room), seconds=round(seconds, 3), **more)
        else:
            self._count(name, verb)

    def _may_write(self) -> bool:
        now = time.monotonic()
        with self._lock:
            self._lines_left = min(self._rate, self._lines_left + (now - self._refilled_at) * self._rate)
            self._refilled_at = now
            if self._lines_left < 1:
                return False
            self._lines_left -= 1
            return True

    def _count(self, name: str, verb: str) -> None:
        with self._lock:
            if not self._left_out:
                timer = threading.Timer(self._summary_seconds, self._summarise)
                timer.daemon = True
                timer.start()
            self._left_out[name, verb] += 1

    def _summarise(self) -> None:
        with self._lock:
            counted, self._left_out = self._left_out, Counter()
        for (name, verb), jobs in counted.items():
            write = log.warning if verb == "failed" else log.info
            write(f"more jobs {verb}", name=name, jobs=jobs, within_seconds=self._summary_seconds)


def error_line(error: dict[str, Any]) -> str:
    """The type and the message of a job's exception, as the end of a traceback shows them, on one line."""
    first, newline, _ = str(error.get("message", "")).partition("\n")
    return f"{error.get('type', 'Error')}: {first}{' …' if newline else ''}"


def _fields(job_id: UUID, name: str, attempt: int, room: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"job": str(job_id), "name": name, "attempt": attempt}
    return fields if room is None else fields | {"room": room}
