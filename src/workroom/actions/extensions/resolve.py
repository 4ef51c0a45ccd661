"""Find the extension that a name refers to."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from workroom.actions.engine import Engine
from workroom.actions.extensions.register import FUNCTIONS, function, register_extensions
from workroom.domain.errors import NotFound
from workroom.domain.jobs.resources import Resources
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow


async def find_extension(
    engine: Engine, room: str | None, category: str, name: str, scope: str | None = None
) -> ExtensionRow:
    """The extension of this name in a room: its own, then a global, then a built-in one, unless `scope` is given."""
    async with engine.database.connection() as connection:
        found = await extensions.find(connection, room=room, category=category, name=name, scope=scope)
        if found is None:
            known = [] if room is None else await extensions.of_room(connection, room, category=None)
            raise _not_found(room, category, name, [f"{one.category}/{one.name}" for one in known])
    return found


def _not_found(room: str | None, category: str, name: str, known: Sequence[str]) -> NotFound:
    """The error for a name that a room does not know, with the names that look like it."""
    where = f"in room {room!r}" if room else "here"
    names = {one.partition("/")[2].lower() for one in known}
    close = get_close_matches(name.lower(), names, n=3)
    alike = [one for one in known if one.partition("/")[2].lower() in close]
    hint = f" Did you mean {' or '.join(alike)}?" if alike else ""
    return NotFound(f"There is no extension {category}/{name} {where}.{hint}", category=category, name=name)


async def function_named(
    engine: Engine, name: str, *, tries: int, timeout_seconds: float | None, resources: Resources
) -> ExtensionRow:
    """The function of this name. One that no worker offers yet is registered, and its jobs wait for a worker."""
    async with engine.database.connection() as connection:
        found = await extensions.find(connection, room=None, category=FUNCTIONS, name=name, scope="function")
    if found is not None:
        return found
    spec = function(name, tries=tries, timeout_seconds=timeout_seconds, resources=resources)
    await register_extensions(engine, [spec])
    return await find_extension(engine, None, FUNCTIONS, name, "function")
