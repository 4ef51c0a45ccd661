"""Rate limiter: a sliding window for each key, in a table of fixed size.

A key is hashed to one cell in each of four rows, and the least loaded of them counts: a count-min sketch. No entry is
ever evicted, so requests with other keys cannot make the limiter forget a key. Keys that share all four cells are
limited together, which a random hash key makes rare and unpredictable.
"""

from __future__ import annotations

import hashlib
import math
import mmap
import secrets
import time
from collections.abc import Callable

from workroom.domain.errors import TooManyRequests

_ROWS = 4
_CELLS = 8_192  # of each row
_SLOTS = 12  # of a window: requests within one slot count as simultaneous
_MOST = 2**31


class RateLimiter:
    """Allows a cost of `limit` within any `seconds`, for each key."""

    def __init__(
        self,
        limit: int,
        seconds: float,
        *,
        what: str = "Too many requests",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit = limit
        self._seconds = seconds
        self._slot_seconds = seconds / _SLOTS
        self._what = what
        self._clock = clock
        self._hash_key = secrets.token_bytes(32)
        self._counts = _zeros(_ROWS * _CELLS * _SLOTS)  # the slots of a cell are a ring
        self._totals = _zeros(_ROWS * _CELLS)
        self._newest = _zeros(_ROWS * _CELLS)  # the number of the slot that was last used

    def hit(self, key: str, cost: int = 1) -> None:
        """Count a request, or raise TooManyRequests.

        A request that costs more than the limit passes when the window is empty: otherwise it could never pass.
        """
        now = self._clock()
        cells = self._cells(key)
        slot = self._advance(cells, now)
        total = min(self._totals[cell] for cell in cells)
        if total and total + cost > self._limit:
            wait = min(self._wait(cell, cost, slot, now) for cell in cells)
            raise TooManyRequests(f"{self._what}: try again in {wait} s.", retryAfter=wait)
        added = min(cost, _MOST)
        for cell in cells:
            self._counts[cell * _SLOTS + slot % _SLOTS] += added
            self._totals[cell] += added

    def refund(self, key: str, cost: int = 1) -> None:
        """Undo the last hit, e.g. after a successful login: only failed ones count."""
        cells = self._cells(key)
        slot = self._advance(cells, self._clock())
        for cell in cells:
            rest = min(cost, _MOST)
            for back in range(_SLOTS):
                place = cell * _SLOTS + (slot - back) % _SLOTS
                taken = min(rest, self._counts[place])
                self._counts[place] -= taken
                self._totals[cell] -= taken
                rest -= taken
                if not rest:
                    break

    def _cells(self, key: str) -> list[int]:
        digest = hashlib.blake2b(key.encode(), key=self._hash_key, digest_size=4 * _ROWS).digest()
        return [row * _CELLS + int.from_bytes(digest[4 * row : 4 * row + 4], "little") % _CELLS for row in range(_ROWS)]

    def _advance(self, cells: list[int], now: float) -> int:
        """Empty the slots of the cells that have left the window. Returns the number of the current slot."""
        slot = int(now / self._slot_seconds)
        for cell in cells:
            passed = slot - self._newest[cell]
            if passed <= 0:
                continue
            self._newest[cell] = slot
            if not self._totals[cell]:
                continue
            for number in range(min(passed, _SLOTS)):
                place = cell * _SLOTS + (slot - number) % _SLOTS
                self._totals[cell] -= self._counts[place]
                self._counts[place] = 0
        return slot

    def _wait(self, cell: int, cost: int, slot: int, now: float) -> int:
        """Whole seconds until enough slots have left the window."""
        remaining = self._totals[cell]
        for number in range(slot - _SLOTS + 1, slot + 1):
            remaining -= self._counts[cell * _SLOTS + number % _SLOTS]
            if remaining == 0 or remaining + cost <= self._limit:
                return max(1, math.ceil((number + _SLOTS) * self._slot_seconds - now))
        return math.ceil(self._seconds)


def _zeros(length: int) -> memoryview[int]:
    """So many integers. The kernel provides a page of them with the first write, so an idle limiter takes no memory."""
    return memoryview(mmap.mmap(-1, 8 * length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)).cast("Q")
