"""The connection pool, transactions with retries, and the translation of driver errors."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import orjson
import psycopg
from psycopg import errors as pg
from psycopg.pq import TransactionStatus
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from workroom.domain.errors import (
    Conflict,
    DatabaseBusy,
    DatabaseDiskFull,
    DatabaseError,
    DatabaseUnreachable,
    NameTaken,
    NotFound,
    TooLarge,
    WorkroomError,
)
from workroom.store import array_parameters
from workroom.store.database_disk import DatabaseDisk
from workroom.store.statement import Connection, Statement, first

T = TypeVar("T")

# Two transactions locked the same rows in different order, or a race was resolved against one of them.
_COLLISIONS = (pg.DeadlockDetected, pg.SerializationFailure)
_TRIES = 6

# A limit of PostgreSQL, e.g. 256 MB of jsonb in one value. The driver counts these as operational errors; repeating the
# statement cannot help.
_LIMITS = (pg.ProgramLimitExceeded, pg.StatementTooComplex, pg.TooManyArguments, pg.TooManyColumns)

# After this time the kept connection goes back to the pool, which closes connections of a certain age.
_KEEP_SECONDS = 60

# psycopg_pool doubles the pause between two attempts to connect, so that a database that was away for a minute would be
# noticed half a minute late. Here each series of attempts ends after so many seconds, and the next one begins.
_RECONNECT_SECONDS = 1.0

# Planner settings of every session. Each statement is written for an index and prepared once (`force_generic_plan`).
# The plan is often made while the tables are empty or their statistics are out of date, as they always are on a queue;
# with scans and sorts enabled the planner then reads and sorts whole tables, and keeps that plan for the session.
# Setting this per statement would need SET LOCAL in a transaction, two more round trips for each job. JIT compilation
# takes longer than any of these statements. `tests/store/test_plans.py` checks the plans of all frequent statements.
# They are not given as options of the connection, which PgBouncer refuses.
PLANNER_SETTINGS = {
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_sort": "off",
    "jit": "off",
}
_SET_PLANNER = "; ".join(f"SET {name} = {value}" for name, value in PLANNER_SETTINGS.items()).encode()

# The error for a violated constraint.
_CONSTRAINTS: dict[str, type[WorkroomError]] = {
    "job_moves_as_allowed": Conflict,
    # The room or the account was deleted while the statement ran.
    "extension_room_fkey": NotFound,
    "worker_room_fkey": NotFound,
    "posting_room_fkey": NotFound,
    "room_member_room_fkey": NotFound,
    "share_link_room_fkey": NotFound,
    "setting_value_room_fkey": NotFound,
    "chat_message_room_fkey": NotFound,
    "room_lock_room_fkey": NotFound,
    "room_frame_room_fkey": NotFound,
    "change_room_fkey": NotFound,
}


# The message for a name that is in use.
_TAKEN = {
    "account_name_taken": "There is an account {name!r} already. Choose another name.",
    "api_token_name_taken": "You have a token {name!r} already. Revoke it first, or choose another name.",
    "room_pkey": "There is a room {name!r} already. Choose another name, or open that room.",
}
_VALUES_OF_KEY = re.compile(r"\)=\((.*)\)", re.DOTALL)  # in every language: Key (name)=(lab) already exists.


_probe_disk = Statement[None]("upkeep/probe_disk", first)


class Database:
    """A connection pool in autocommit mode; a transaction is explicit.

    psycopg_pool rotates connections (FIFO), which touches a cold backend every time. Reusing the connection used last
    is about 13 % faster, so one connection is kept outside the pool.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 10,
        wait_seconds: float = 10.0,
        reuse_last: bool = True,
        folder: Path | None = None,
        pooler: str | None = None,
    ) -> None:
        """`folder` is on the disk of the database, if it is a disk of this machine.

        With `pooler`, the URL of a PgBouncer, statements go through it. Each transaction may then run in another
        session: nothing is prepared, and the pooler sets the planner settings (`store/connections` checks that).
        `url` remains the address of PostgreSQL itself, for what needs a session of its own.
        """
        self.url = url
        self.pooler = pooler
        self.connections = connections
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            pooler or url,
            min_size=1,
            max_size=connections,
            timeout=wait_seconds,
            kwargs={
                "autocommit": True,
                "prepare_threshold": None if pooler else 0,
                "application_name": "workroom",
            },
            configure=_configure if pooler else _configure_session,
            check=None,
            open=False,
            reconnect_timeout=_RECONNECT_SECONDS,
            reconnect_failed=self._try_again,
        )
        self._trying: asyncio.Task[None] | None = None
        self._reuse_last = reuse_last  # false: only the pool's rotation
        self._kept: Connection | None = None
        self._keep_until = 0.0
        self._waiting = 0  # tasks that wait for a connection of the pool
        self._disk = DatabaseDisk(folder)

    async def open(self) -> None:
        with self._translated():
            await self._pool.open(wait=True)

    async def close(self) -> None:
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.gather(self._trying, return_exceptions=True)
        if self._kept is not None:
            kept, self._kept = self._kept, None
            await self._pool.putconn(kept)
        await self._pool.close()

    async def __aenter__(self) -> Database:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection in autocommit: each statement is its own transaction."""
        with self._translated():
            connection = await self._take()
            try:
                yield connection
            finally:
                await self._put_back(connection)

    async def atomically(self, work: Callable[[Connection], Awaitable[T]], *, most: int = _TRIES) -> T:
        """Run `work` in one transaction; retry it from the start, at most `most` times in all, after a collision."""

        async def within(connection: Connection) -> T:
            async with connection.transaction():
                return await work(connection)

        return await self.repeatedly(within, most=most)

    async def once(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work`, a single statement, without a retry."""
        with self._translated():
            connection = await self._take()
            try:
                return await work(connection)
            finally:
                await self._put_back(connection)

    async def repeatedly(self, work: Callable[[Connection], Awaitable[T]], *, most: int = _TRIES) -> T:
        """Run `work`, a single statement, with retries after a collision."""
        for tries in range(1, most + 1):
            try:
                return await self.once(work)
            except DatabaseBusy:
                if tries == most:
                    raise
                await asyncio.sleep(0.002 * 2**tries)
        raise AssertionError("unreachable")

    async def check_disk(self) -> None:
        """Raise DatabaseDiskFull while the disk of the database is full."""
        if self._disk.is_full:
            raise DatabaseDiskFull
        if self._disk.was_full:
            # Reading works on a full disk, so only a write shows whether there is space again.
            await self.once(_probe_disk.run)
            self._disk.was_full = False

    def _translated(self) -> _translated_errors:
        return _translated_errors(self._disk)

    def stats(self) -> dict[str, int]:
        """Statistics of the pool, for metrics."""
        stats = self._pool.get_stats()
        stats["pool_available"] += self._kept is not None
        return stats

    async def _try_again(self, _: AsyncConnectionPool[Connection]) -> None:
        """The pool no longer tries to connect: a request for a connection makes it try again."""

        async def ask() -> None:
            with suppress(PoolTimeout, PoolClosed):
                connection = await self._pool.getconn(timeout=2 * _RECONNECT_SECONDS)
                await self._pool.putconn(connection)

        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(ask(), name="reconnect")

    async def _take(self) -> Connection:
        connection, self._kept = self._kept, None
        if connection is not None:
            return connection
        self._waiting += 1
        try:
            connection = await self._pool.getconn()
        finally:
            self._waiting -= 1
        return connection

    async def _put_back(self, connection: Connection) -> None:
        idle = connection.pgconn.transaction_status == TransactionStatus.IDLE
        keep = self._reuse_last and self._kept is None and not self._waiting
        if not keep or not idle or self._pool.closed:
            await self._pool.putconn(connection)
        elif time.monotonic() < self._keep_until:
            self._kept = connection
        else:
            self._keep_until = time.monotonic() + _KEEP_SECONDS
            await self._pool.putconn(connection)


class _translated_errors:  # noqa: N801 - reads as a function in `with _translated_errors():`
    """Raises the errors of `domain.errors` for those of the driver."""

    def __init__(self, disk: DatabaseDisk) -> None:
        self._disk = disk

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _COLLISIONS):
            raise DatabaseBusy from error
        if isinstance(error, pg.DiskFull):
            self._disk.was_full = True
        if isinstance(error, pg.DiskFull) or (isinstance(error, psycopg.OperationalError) and self._disk.is_full):
            # On a full disk PostgreSQL may also exit, and not start again before there is space.
            raise DatabaseDiskFull from error
        if isinstance(error, PoolTimeout):
            raise DatabaseError("Every database connection is in use, or the database does not answer.") from error
        if isinstance(error, psycopg.errors.IntegrityError):
            constraint = error.diag.constraint_name or ""
            if constraint in _TAKEN:
                raise _name_taken(_TAKEN[constraint], error.diag.message_detail or "") from error
            if constraint in _CONSTRAINTS:
                raise _CONSTRAINTS[constraint] from error
        if isinstance(error, _LIMITS):
            reason = error.diag.message_primary or "a limit is exceeded"
            raise TooLarge(f"PostgreSQL cannot store this: {reason}. Send less at a time.") from error
        if isinstance(error, psycopg.OperationalError):
            raise DatabaseUnreachable("The database does not answer; it may be restarting.") from error


def _name_taken(message: str, detail: str) -> NameTaken:
    """The name is the last value of the key. PostgreSQL leaves the detail out for roles that may not read the table."""
    values = _VALUES_OF_KEY.search(detail)
    return NameTaken(message.format(name=values[1].rpartition(", ")[2])) if values else NameTaken()


async def _configure_session(connection: psycopg.AsyncConnection[Any]) -> None:
    await connection.execute(_SET_PLANNER, prepare=False)
    await _configure(connection)


async def _configure(connection: psycopg.AsyncConnection[Any]) -> None:
    set_json_loads(orjson.loads, connection)
    set_json_dumps(orjson.dumps, connection)
    array_parameters.register(connection)
