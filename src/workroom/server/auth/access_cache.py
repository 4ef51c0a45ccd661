"""Who was let into which room a moment ago.

What is remembered may be a second old. That is safe for whoever has the database check it: a submission names what its
submitter was seen to be, and the database refuses it when anything of that has changed.
"""

from __future__ import annotations

import time

from workroom.server.auth.tokens import PersonToken
from workroom.store.room_tables.rooms import RoomAccessRow

_SECONDS = 1.0
_MOST = 10_000


class AccessCache:
    def __init__(self) -> None:
        self._seen: dict[tuple[PersonToken, str], tuple[float, RoomAccessRow]] = {}

    def put(self, token: PersonToken, room: str, row: RoomAccessRow) -> None:
        if len(self._seen) >= _MOST:
            self._seen.clear()
        self._seen[token, room] = time.monotonic(), row

    def get(self, token: PersonToken, room: str) -> RoomAccessRow | None:
        seen = self._seen.get((token, room))
        return None if seen is None or time.monotonic() - seen[0] > _SECONDS else seen[1]

    def clear(self) -> None:
        """Something about people or rooms has changed: nothing in here is to be gone by any more."""
        self._seen.clear()
