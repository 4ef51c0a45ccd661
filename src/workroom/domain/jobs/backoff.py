"""Exponential back-off with jitter: the pause before a failed job is tried again."""

from __future__ import annotations

DEFAULT_BASE_SECONDS = 1.0
DEFAULT_CAP_SECONDS = 300.0

# Keeps the power finite; any sensible cap is reached long before.
_MAX_DOUBLINGS = 40


def backoff_seconds(failures: int, base: float, cap: float, jitter: float) -> float:
    """The pause after the `failures`-th failure. `jitter` in [0, 1) spreads retries of simultaneous failures."""
    ceiling = min(cap, base * 2 ** min(failures - 1, _MAX_DOUBLINGS))
    return ceiling * (0.5 + 0.5 * jitter)
