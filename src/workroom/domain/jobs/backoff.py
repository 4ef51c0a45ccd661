"""How long a failed try waits before the next."""

from __future__ import annotations

DEFAULT_BASE_SECONDS = 1.0
DEFAULT_CAP_SECONDS = 300.0

# Beyond this the doubling has long met any sensible cap; it keeps the power finite.
_MAX_DOUBLINGS = 40


def backoff_seconds(failures: int, base: float, cap: float, luck: float) -> float:
    """The pause after the `failures`-th failed try; `luck` in [0, 1) spreads equal failures apart."""
    ceiling = min(cap, base * 2 ** min(failures - 1, _MAX_DOUBLINGS))
    return ceiling * (0.5 + 0.5 * luck)
