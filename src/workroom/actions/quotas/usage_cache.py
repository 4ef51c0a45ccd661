"""Copies of the usage of accounts and rooms, which one engine keeps."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from uuid import UUID

from workroom.domain.quotas import Usage

_LONGEST_SECONDS = 10.0
_SHORTEST_SECONDS = 0.25  # an account at its limit causes no more queries than one for each interval
_MOST = 10_000


@dataclass(slots=True)
class CachedUsage:
    """A copy of the usage of an account or a room, and what was left of each quota when it was loaded."""

    usage: Usage
    owner: UUID | None  # of the room
    loaded_at: float
    left: dict[str, int | None] = field(default_factory=dict[str, int | None])

    def serves(self, quota: str, added: int) -> bool:
        """Whether the copy is recent enough to decide about `added` more."""
        age = time.monotonic() - self.loaded_at
        if age >= _LONGEST_SECONDS:
            return False
        left, before = self.usage.left(quota), self.left[quota]
        if left is None or before is None or left - added >= before // 2:
            return True
        return age < _SHORTEST_SECONDS


class UsageCache:
    """The copies by account id or room name. A full cache is emptied, which bounds its memory."""

    def __init__(self) -> None:
        self._entries: dict[UUID | str, CachedUsage] = {}

    def get(self, key: UUID | str) -> CachedUsage | None:
        return self._entries.get(key)

    def put(self, key: UUID | str, cached: CachedUsage) -> None:
        if len(self._entries) >= _MOST:
            self._entries.clear()
        self._entries[key] = cached

    def pop(self, key: UUID | str) -> CachedUsage | None:
        return self._entries.pop(key, None)

    def clear(self) -> None:
        self._entries.clear()
