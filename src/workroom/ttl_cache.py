"""A dictionary of bounded size whose entries expire."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class TtlCache(Generic[Key, Value]):
    """Keeps each value for `seconds`. At `limit` entries it is emptied, which bounds its memory in constant time."""

    def __init__(self, *, seconds: float, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._limit = limit
        self._clock = clock
        self._entries: dict[Key, tuple[float, Value]] = {}  # expiry time and value

    def get(self, key: Key) -> Value | None:
        entry = self._entries.get(key)
        return None if entry is None or entry[0] <= self._clock() else entry[1]

    def put(self, key: Key, value: Value, *, seconds: float | None = None) -> None:
        """Keep a value, for `seconds` if they are fewer than the cache's own."""
        if len(self._entries) >= self._limit:
            self._entries.clear()
        lifetime = self._seconds if seconds is None else min(seconds, self._seconds)
        self._entries[key] = self._clock() + lifetime, value

    def pop(self, key: Key) -> Value | None:
        entry = self._entries.pop(key, None)
        return None if entry is None else entry[1]

    def clear(self) -> None:
        self._entries.clear()
