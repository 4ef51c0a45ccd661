"""A cache of what accounts may do in rooms, so that a submission need not read it from the database.

An entry may be a second old. That is safe for submissions: each carries the cached facts as an `AccessSnapshot`, and
the insert writes nothing when they differ from the tables.
"""

from __future__ import annotations

from workroom.server.auth.tokens import PersonToken
from workroom.store.room_tables.rooms import RoomAccessRow
from workroom.ttl_cache import TtlCache

_SECONDS = 1.0
_LIMIT = 10_000


class AccessCache:
    def __init__(self) -> None:
        self.version = 0  # raised with each change of an account, a room or a membership
        self._rows = TtlCache[tuple[PersonToken, str], RoomAccessRow](seconds=_SECONDS, limit=_LIMIT)

    def put(self, token: PersonToken, room: str, row: RoomAccessRow) -> None:
        self._rows.put((token, room), row)

    def get(self, token: PersonToken, room: str) -> RoomAccessRow | None:
        return self._rows.get((token, room))

    def clear(self) -> None:
        """Empty the cache, because some account, room or membership has changed."""
        self.version += 1
        self._rows.clear()
