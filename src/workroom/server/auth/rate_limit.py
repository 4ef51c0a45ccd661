"""How often somebody may do something: a sliding window for each key, in memory.

What falls within the same sixtieth of the window is counted as one entry, and keys not seen for longest are forgotten
first, so the memory is bounded whatever is asked.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from workroom.domain.errors import TooManyRequests

_SLOTS = 60
_MOST_KEYS = 10_000


@dataclass(slots=True)
class _Window:
    entries: deque[tuple[float, int]] = field(default_factory=deque[tuple[float, int]])  # when, how much; oldest first
    used: int = 0


class RateLimiter:
    """At most `limit` within any `seconds`, for each key."""

    def __init__(self, limit: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._windows: OrderedDict[str, _Window] = OrderedDict()

    def hit(self, key: str, cost: int = 1) -> None:
        """Count it, or refuse. What costs more than the limit is let through once nothing else was asked lately."""
        now = self._clock()
        window = self._window(key, now)
        if window.used and window.used + cost > self._limit:
            wait = self._wait(window, cost, now)
            raise TooManyRequests(f"Too many requests: try again in {wait} s.", retryAfter=wait)
        if window.entries and now - window.entries[-1][0] < self._seconds / _SLOTS:
            when, before = window.entries.pop()
            window.entries.append((when, before + cost))
        else:
            window.entries.append((now, cost))
        window.used += cost

    def refund(self, key: str, cost: int = 1) -> None:
        """Uncount what was counted last: it turned out to be no reason to be careful."""
        window = self._windows.get(key)
        if window is None or not window.entries:
            return
        when, before = window.entries.pop()
        if before > cost:
            window.entries.append((when, before - cost))
        window.used -= min(before, cost)

    def _window(self, key: str, now: float) -> _Window:
        window = self._windows.setdefault(key, _Window())
        self._windows.move_to_end(key)
        while len(self._windows) > _MOST_KEYS:
            self._windows.popitem(last=False)
        while window.entries and window.entries[0][0] <= now - self._seconds:
            window.used -= window.entries.popleft()[1]
        return window

    def _wait(self, window: _Window, cost: int, now: float) -> int:
        """Whole seconds until enough has left the window."""
        left = window.used
        for when, spent in window.entries:
            left -= spent
            if left == 0 or left + cost <= self._limit:
                return max(1, math.ceil(when + self._seconds - now))
        return math.ceil(self._seconds)
