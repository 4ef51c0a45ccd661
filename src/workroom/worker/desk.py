"""Where postings are handed in: the database, reached from whatever process asks.

One desk for each database and process, opened on the background loop when first needed, closed when the program ends.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from workroom.client.portal import background
from workroom.domain.errors import DatabaseUnreachable, WorkroomError

if TYPE_CHECKING:
    from workroom.actions.engine import Engine
    from workroom.actions.register import ExtensionSpec
    from workroom.store.extensions import ExtensionRow
    from workroom.worker.functions import Function, Wishes
    from workroom.worker.posting import AsyncPosting

_CONNECTIONS = 4


def database_url(given: str | None = None) -> str:
    """The database asked for, the one WORKROOM_DATABASE names, or the embedded one that runs on this machine."""
    if url := given or os.environ.get("WORKROOM_DATABASE"):
        return url
    from workroom.store.embedded import default_data_folder, running_url

    if url := running_url(default_data_folder()):
        return url
    raise DatabaseUnreachable(
        "No database is known: none runs here. Start one with `workroom serve` or `workroom pool`, "
        "or set WORKROOM_DATABASE to the URL of a PostgreSQL."
    )


def spec(function: Function[..., Any]) -> ExtensionSpec:
    """The function as the database knows it."""
    from workroom.actions import register

    return register.function(function.name, tries=function.tries, timeout_seconds=function.timeout)


class Desk:
    """One database, from this process."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._submitter: UUID | None = None
        self._functions: dict[str, tuple[ExtensionSpec, ExtensionRow]] = {}

    async def post(self, function: Function[..., Any], calls: Iterable[Any], wishes: Wishes) -> AsyncPosting:
        from workroom.actions.post import post
        from workroom.actions.wishes import Wish
        from workroom.worker.posting import AsyncPosting

        wish = Wish(
            await self.submitter(),
            priority=wishes.priority,
            tries=wishes.tries,
            run_at=wishes.run_at,
            needs=await self._needs(wishes.depends_on),
        )
        row = await self._row(function)
        posting_id = await post(self.engine, row, calls, wish, label=wishes.label)
        return AsyncPosting(self, posting_id, function.name)

    async def submitter(self) -> UUID:
        """The account of whoever runs this program; a guest's, made where there is none."""
        if self._submitter is None:
            from workroom.actions.accounts import credentials, welcome_guest

            name = _name()
            account = await credentials(self.engine, name) or await welcome_guest(self.engine, name)
            if account is None:
                account = await credentials(self.engine, name)
            assert account is not None, "an account is there, or could be made"
            self._submitter = account.id
        return self._submitter

    async def close(self) -> None:
        _desks.pop((os.getpid(), self.engine.database.url), None)
        await self.engine.database.close()

    async def _row(self, function: Function[..., Any]) -> ExtensionRow:
        from workroom.actions.register import register_extensions
        from workroom.store import extensions

        wanted = spec(function)
        known = self._functions.get(function.name)
        if known is None or known[0] != wanted:
            registered = (await register_extensions(self.engine, [wanted]))[0]
            async with self.engine.database.connection() as connection:
                row = await extensions.get(connection, registered.id)
            assert row is not None, "functions are never removed"
            known = self._functions[function.name] = (wanted, row)
        return known[1]

    async def _needs(self, ids: tuple[UUID, ...]) -> Any:
        """Which of these are postings, and which are jobs: a posting's id has no position."""
        from workroom.actions.wishes import Needs
        from workroom.store import postings

        found: tuple[UUID, ...] = ()
        if ids:
            async with self.engine.database.connection() as connection:
                found = tuple([one for one in ids if await postings.get(connection, one) is not None])
        # The first job of a posting has the posting's own id; whoever names it means all of it.
        return Needs(jobs=tuple(one for one in ids if one not in found), postings=found)


_desks: dict[tuple[int, str], asyncio.Task[Desk]] = {}


async def desk(database: str | None = None) -> Desk:
    """The desk of a database. To be called on the background loop, whose connections it holds."""
    url = database or os.environ.get("WORKROOM_DATABASE") or await asyncio.to_thread(database_url)
    key = (os.getpid(), url)
    if key not in _desks:
        _desks[key] = asyncio.create_task(_open(url))
    try:
        return await asyncio.shield(_desks[key])
    except WorkroomError:
        _desks.pop(key, None)
        raise


async def _open(url: str) -> Desk:
    from workroom.actions.engine import Engine
    from workroom.store.connect import check_database
    from workroom.store.database import Database

    await asyncio.to_thread(check_database, url)  # says clearly what is wrong, if anything
    database = Database(url, connections=_CONNECTIONS)
    await database.open()
    opened = Desk(Engine(database))
    background().hold(opened)
    return opened


def _name() -> str:
    """Who runs this program, as an account may be called."""
    try:
        name = os.environ.get("WORKROOM_USER") or getpass.getuser()
    except (KeyError, OSError):
        name = f"uid-{os.getuid()}"
    return re.sub(r"[^A-Za-z0-9._@+-]", "-", name).lstrip("._@+-")[:64] or "somebody"
