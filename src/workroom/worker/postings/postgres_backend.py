"""Postings through the database itself.

A process has one backend for each database. It opens on the background loop at first use and closes at exit.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

import orjson

from workroom.client.portal import background
from workroom.domain import ids
from workroom.domain.errors import DatabaseUnreachable, Forbidden, WorkroomError
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import FOR_NOTHING, WaitReason
from workroom.domain.names import account_name_from
from workroom.worker.postings.backend import PAGE, FailedJob, JobOutcome
from workroom.worker.postings.completion_listener import CompletionListener

if TYPE_CHECKING:
    from workroom.actions.engine import Engine
    from workroom.actions.extensions.register import ExtensionSpec
    from workroom.store.queue_tables.extensions import ExtensionRow
    from workroom.store.queue_tables.postings import PostingRow
    from workroom.worker.function_registry import Function, PostingOptions

_CONNECTIONS = 4
_FUNCTION_SECONDS = 3_600.0  # after which a function is registered again before it is posted
_POLL_UNTIL_LISTENING = 0.002  # seconds between polls while the end may have been missed


def database_url(given: str | None = None) -> str:
    """The URL given, else WORKROOM_DATABASE, else that of the embedded database running on this machine."""
    if url := given or os.environ.get("WORKROOM_DATABASE"):
        return url
    from workroom.store.embedded import default_data_folder, running_url

    if url := running_url(default_data_folder()):
        return url
    raise DatabaseUnreachable(
        "No database is configured and none runs here. Start one with `workroom serve` or `workroom pool`, "
        "or set WORKROOM_DATABASE to the URL of a PostgreSQL."
    )


def pooler_of(url: str) -> str | None:
    """WORKROOM_POOLER, through which statements for the database of WORKROOM_DATABASE go; none for another database."""
    return os.environ.get("WORKROOM_POOLER") or None if url == os.environ.get("WORKROOM_DATABASE") else None


def extension_spec(function: Function[..., Any]) -> ExtensionSpec:
    """The registration of a function as an extension."""
    from workroom.actions.extensions import register as extension_registration

    return extension_registration.function(
        function.name, tries=function.tries, timeout_seconds=function.timeout, resources=function.resources
    )


class PostgresBackend:
    """One database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._submitter: UUID | None = None
        self._functions: dict[str, tuple[int, float | None, ExtensionRow, float]] = {}
        self._completions = CompletionListener(engine.database.url)

    async def post(self, function: Function[..., Any], calls: Iterable[Any], options: PostingOptions) -> UUID:
        from workroom.actions.jobs.checked_requests import resolve_dependencies
        from workroom.actions.jobs.options import JobOptions
        from workroom.actions.jobs.post import post

        job_options = JobOptions(
            await self.submitter(),
            room=options.room,
            priority=options.priority,
            tries=options.tries,
            run_at=options.run_at,
            dependencies=await resolve_dependencies(self.engine, list(options.depends_on)),
            idempotency_key=options.unique,
        )
        return await post(
            self.engine,
            await self._extension_row(function),
            calls,
            job_options,
            label=options.label,
            keyed=options.keyed,
        )

    async def newest(self, kind: Literal["posting", "job"], limit: int) -> list[UUID]:
        from workroom.actions.postings.postings import postings_of
        from workroom.actions.queries.jobs import jobs_of
        from workroom.domain.jobs.job_filter import JobFilter

        submitter = await self.submitter()
        if kind == "posting":
            return [one.id for one in await postings_of(self.engine, submitter=submitter, limit=limit)]
        return [one.job.id for one in (await jobs_of(self.engine, JobFilter(submitter=submitter), limit=limit)).rows]

    async def look(self, posting: UUID) -> PostingRow:
        from workroom.actions.postings.postings import look_up_posting

        return await look_up_posting(self.engine, posting)

    async def wait_reason(self, posting: UUID) -> WaitReason:
        from workroom.actions.postings.postings import at_workers, look_up_posting, wait_reasons

        row = await look_up_posting(self.engine, posting)
        reasons = await wait_reasons(self.engine, [row], {row.id: await at_workers(self.engine, row)})
        return reasons.get(row.id, FOR_NOTHING)

    async def ended(self, posting: UUID, since: float, seconds: float) -> bool:
        """Wait for the notification of the end; False after so many seconds. `since` is when it was posted."""
        completion = self._completions.completion(posting)
        if not self._completions.listening_since(since):
            seconds = min(seconds, _POLL_UNTIL_LISTENING)
        try:
            async with asyncio.timeout(seconds):
                return await completion.arrived.wait()
        except TimeoutError:
            return False

    async def outcomes(self, posting: UUID, position: int, limit: int = PAGE) -> tuple[list[JobOutcome], int | None]:
        from workroom.actions.postings.postings import outcomes

        if position == 0 and (inline := self._completions.inline_result(posting)) is not None:
            return [JobOutcome(inline[0], State.COMPLETED, orjson.loads(inline[1]), None)], None
        found = await outcomes(self.engine, posting, position=position, limit=limit)
        next_position = ids.position(found[-1].id) + 1 if found and found[-1].more else None
        return [JobOutcome(*row[:4]) for row in found], next_position

    async def failures(self, posting: UUID, position: int) -> tuple[list[FailedJob], int | None]:
        from workroom.actions.postings.postings import failures

        found = await failures(self.engine, posting, position=position, limit=PAGE)
        return [FailedJob(*row) for row in found], ids.position(found[-1].id) + 1 if found else None

    async def pause(self, posting: UUID) -> int:
        from workroom.actions.postings.postings import pause_posting

        return await pause_posting(self.engine, posting)

    async def resume(self, posting: UUID) -> int:
        from workroom.actions.postings.postings import resume_posting

        return await resume_posting(self.engine, posting)

    async def cancel(self, posting: UUID) -> int:
        from workroom.actions.postings.postings import cancel_posting

        return await cancel_posting(self.engine, posting)

    async def retry_failed(self, posting: UUID) -> UUID | None:
        from workroom.actions.postings.postings import retry_failed

        return await retry_failed(self.engine, posting, await self.submitter())

    async def submitter(self) -> UUID:
        """The account of the user who runs this program: the one of this name, or the guest with this user's key."""
        if self._submitter is None:
            from workroom.actions.accounts.accounts import credentials
            from workroom.actions.accounts.guests import create_guest, sign_in_guest
            from workroom.client.net.guest_key import guest_key

            name = _account_name()
            account = await credentials(self.engine, name)
            if account is None or account.role == "guest":
                key = guest_key(None, name)
                account = await sign_in_guest(self.engine, name, key) or await create_guest(self.engine, name, key)
            if account is None:
                raise Forbidden(f"The account {name} is disabled. Set WORKROOM_USER to another one.")
            self._submitter = account.id
        return self._submitter

    async def close(self) -> None:
        _backends.pop((os.getpid(), self.engine.database.url), None)
        await self._completions.close()
        await self.engine.database.close()

    async def _extension_row(self, function: Function[..., Any]) -> ExtensionRow:
        known = self._functions.get(function.name)
        now = time.monotonic()
        if known is None or known[:2] != (function.tries, function.timeout) or now > known[3]:
            from workroom.actions.extensions.register import register_extensions
            from workroom.store.queue_tables import extensions

            registered = (await register_extensions(self.engine, [extension_spec(function)]))[0]
            async with self.engine.database.connection() as connection:
                row = await extensions.get(connection, registered.id)
            assert row is not None, "registered a moment ago"
            # Registered again after a while: upkeep deletes functions that were not used for a long time.
            known = self._functions[function.name] = (function.tries, function.timeout, row, now + _FUNCTION_SECONDS)
        return known[2]


_backends: dict[tuple[int, str], asyncio.Task[PostgresBackend]] = {}


async def open_postgres_backend(database: str | None = None) -> PostgresBackend:
    """The backend of a database. To be called on the background loop, which owns its connections."""
    url = database or os.environ.get("WORKROOM_DATABASE") or await asyncio.to_thread(database_url)
    key = (os.getpid(), url)
    if key not in _backends:
        _backends[key] = asyncio.create_task(_open(url))
    elif (opened := _backends[key]).done() and opened.exception() is None:
        return opened.result()
    try:
        return await asyncio.shield(_backends[key])
    except WorkroomError:
        _backends.pop(key, None)
        raise


async def _open(url: str) -> PostgresBackend:
    from workroom.actions.engine import Engine
    from workroom.store.connections.pooler import check_address
    from workroom.store.database import Database
    from workroom.store.migrate import require_head

    pooler = pooler_of(url)
    for check in (lambda: check_address(url, pooler), lambda: require_head(url)):
        await asyncio.to_thread(check)  # raises an error that names the problem
    database = Database(url, connections=_CONNECTIONS, pooler=pooler)
    await database.open()
    opened = PostgresBackend(Engine(database, pushes=False))
    background().close_at_exit(opened)
    return opened


def _account_name() -> str:
    """The name of the user who runs this program, as a valid account name."""
    try:
        name = os.environ.get("WORKROOM_USER") or getpass.getuser()
    except (KeyError, OSError):
        name = f"uid-{os.getuid()}"
    return account_name_from(name, default="guest")
