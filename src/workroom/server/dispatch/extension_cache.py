"""A cache of extensions by name, so that a submission need not look its extension up.

An entry may be a second old. That is safe: a submission carries the hash of the schema that its arguments were checked
against, and the insert writes nothing when the extension has another schema or is gone.
"""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.actions.extensions.resolve import find_extension
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.ttl_cache import TtlCache

_SECONDS = 1.0
_LIMIT = 10_000
_Key = tuple[str, str, str, str | None]


class ExtensionCache:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._extensions = TtlCache[_Key, ExtensionRow](seconds=_SECONDS, limit=_LIMIT)

    def get(self, room: str, category: str, name: str, scope: str | None) -> ExtensionRow | None:
        return self._extensions.get((room, category, name, scope))

    async def fetch(self, room: str, category: str, name: str, scope: str | None) -> ExtensionRow:
        """Read an extension from the database and cache it."""
        extension = await find_extension(self._engine, room, category, name, scope)
        self._extensions.put((room, category, name, scope), extension)
        return extension

    def invalidate(self) -> None:
        """Empty the cache, because some extension has changed."""
        self._extensions.clear()
