"""Copies of the usage of accounts and rooms, which one engine keeps."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from uuid import UUID

from workroom.domain.quotas import Usage
from workroom.ttl_cache import TtlCache

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
        left, before = self.usage.left(quota), self.left[quota]
        if left is None or before is None or left - added >= before // 2:
            return True
        return time.monotonic() - self.loaded_at < _SHORTEST_SECONDS


def usage_cache() -> TtlCache[UUID | str, CachedUsage]:
    """The copies by account id or room name."""
    return TtlCache(seconds=_LONGEST_SECONDS, limit=_MOST)
