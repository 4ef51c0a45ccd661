"""Extensions looked up a moment ago need not be looked up again.

What is in the book may be a second old. That is safe: a submission names the schema its arguments were checked against,
and the database refuses it when the extension has another one by now, or is gone.
"""

from __future__ import annotations

import time

from workroom.actions.engine import Engine
from workroom.actions.extensions.resolve import find_extension
from workroom.store.queue_tables.extensions import ExtensionRow

_SECONDS = 1.0
_MOST = 10_000
_Key = tuple[str, str, str, str | None]


class ExtensionCache:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[_Key, tuple[float, ExtensionRow]] = {}

    def get(self, room: str, category: str, name: str, scope: str | None) -> ExtensionRow | None:
        known = self._known.get((room, category, name, scope))
        return None if known is None or time.monotonic() - known[0] > _SECONDS else known[1]

    async def fetch(self, room: str, category: str, name: str, scope: str | None) -> ExtensionRow:
        found = await find_extension(self._engine, room, category, name, scope)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[room, category, name, scope] = time.monotonic(), found
        return found

    def invalidate(self) -> None:
        """Something about extensions has changed: nothing in here is to be gone by any more."""
        self._known.clear()
