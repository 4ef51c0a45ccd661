"""Rate limiter: a sliding window for each key, in memory.

Two bounds limit the memory: hits within the same sixtieth of the window share one entry, and the least recently used
keys are evicted.
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
    entries: deque[tuple[float, int]] = field(default_factory=deque[tuple[float, int]])  # (time, cost), oldest first
    total: int = 0


class RateLimiter:
    """Allows a cost of `limit` within any `seconds`, for each key."""

    def __init__(self, limit: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._windows: OrderedDict[str, _Window] = OrderedDict()

    def hit(self, key: str, cost: int = 1) -> None:
        """Count a request, or raise TooManyRequests.

        A request that costs more than the limit passes when the window is empty: otherwise it could never pass.
        """
        now = self._clock()
        window = self._window(key, now)
        if window.total and window.total + cost > self._limit:
            wait = self._wait(window, cost, now)
            raise TooManyRequests(f"Too many requests: try again in {wait} s.", retryAfter=wait)
        if window.entries and now - window.entries[-1][0] < self._seconds / _SLOTS:
            when, counted = window.entries.pop()
            window.entries.append((when, counted + cost))
        else:
            window.entries.append((now, cost))
        window.total += cost

    def refund(self, key: str, cost: int = 1) -> None:
        """Undo the last hit, e.g. after a successful login: only failed ones count."""
        window = self._windows.get(key)
        if window is None or not window.entries:
            return
        when, counted = window.entries.pop()
        if counted > cost:
            window.entries.append((when, counted - cost))
        window.total -= min(counted, cost)

    def _window(self, key: str, now: float) -> _Window:
        window = self._windows.setdefault(key, _Window())
        self._windows.move_to_end(key)
        while len(self._windows) > _MOST_KEYS:
            self._windows.popitem(last=False)
        while window.entries and window.entries[0][0] <= now - self._seconds:
            window.total -= window.entries.popleft()[1]
        return window

    def _wait(self, window: _Window, cost: int, now: float) -> int:
        """Whole seconds until enough entries have left the window."""
        remaining = window.total
        for when, counted in window.entries:
            remaining -= counted
            if remaining == 0 or remaining + cost <= self._limit:
                return max(1, math.ceil(when + self._seconds - now))
        return math.ceil(self._seconds)
