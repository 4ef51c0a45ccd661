"""When a worker stops getting an extension it keeps failing.

There is one breaker for each (extension, worker). Consecutive failures open it; while it is open the worker gets no
job of that extension; after a while one probe is let through, and its outcome closes the breaker or opens it anew.
"""

from __future__ import annotations

from enum import StrEnum

DEFAULT_FAILURES = 5
DEFAULT_SECONDS = 60.0


class Breaker(StrEnum):
    """What a breaker lets through."""

    CLOSED = "closed"  # everything
    OPEN = "open"  # nothing
    PROBING = "probing"  # one job at a time


def breaker_state(opened_at: float | None, reset_seconds: float, now: float) -> Breaker:
    """The state of a breaker that opened at `opened_at` (never: None)."""
    if opened_at is None:
        return Breaker.CLOSED
    return Breaker.OPEN if now < opened_at + reset_seconds else Breaker.PROBING


def opens(failures: int, threshold: int) -> bool:
    """Whether so many failures in a row open the breaker; a threshold of 0 switches it off."""
    return 0 < threshold <= failures
