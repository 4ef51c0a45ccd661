"""Circuit breaker: stops assigning an extension to a worker that keeps failing it.

Each (extension, worker) has one breaker. Consecutive failures of different inputs open it. While it is open, the worker
gets no job of that extension. After the reset time one probe job is assigned; its outcome closes the breaker or opens
it again.

An input is a submitter, a room and arguments: a job that is tried again, or submitted again, counts once. If all the
failures are of one submitter, their arguments may be at fault rather than the worker. The breaker then holds only while
no job of another submitter waits, so that the arguments of one person never keep others from the worker.
"""

from __future__ import annotations

from enum import StrEnum

DEFAULT_FAILURES = 5
DEFAULT_SECONDS = 60.0


class Breaker(StrEnum):
    """The states of a breaker."""

    CLOSED = "closed"  # jobs are assigned
    OPEN = "open"  # no job is assigned
    PROBING = "probing"  # one job at a time is assigned


def breaker_state(opened_at: float | None, reset_seconds: float, now: float) -> Breaker:
    """The state of a breaker that opened at `opened_at`; None means that it never opened."""
    if opened_at is None:
        return Breaker.CLOSED
    return Breaker.OPEN if now < opened_at + reset_seconds else Breaker.PROBING


def opens(failures: int, threshold: int) -> bool:
    """Whether consecutive failures of this many inputs open the breaker. A threshold of 0 disables it."""
    return 0 < threshold <= failures
