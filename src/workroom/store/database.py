"""The pool of connections, transactions that are tried again when they collide, and errors in our own words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import orjson
import psycopg
from psycopg import errors as pg
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from workroom.domain.errors import (
    Conflict,
    DatabaseBusy,
    DatabaseTrouble,
    DatabaseUnreachable,
    NameTaken,
    NotFound,
    WorkroomError,
)
from workroom.store import arrays
from workroom.store.statement import Connection

T = TypeVar("T")

# Two transactions that lock the same rows in different order, or a race the database resolved against one of them.
_COLLISIONS = (pg.DeadlockDetected, pg.SerializationFailure)
_TRIES = 6

# Every statement is written for its index and prepared once. Statistics that are out of date, as they always are on a
# queue, must not talk the planner into reading and sorting the whole table instead; nor into compiling a statement that
# takes less time than its compilation.
_STEADY_PLANS = (
    "plan_cache_mode=force_generic_plan",
    "enable_seqscan=off",
    "enable_bitmapscan=off",
    "enable_sort=off",
    "jit=off",
)

# What a violated constraint means to people.
_CONSTRAINTS: dict[str, type[WorkroomError]] = {
    "account_name_taken": NameTaken,
    "room_pkey": NameTaken,
    "job_moves_as_allowed": Conflict,
    # The room or the account went while the statement was on its way.
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


class Database:
    """PostgreSQL through a pool of connections; each runs its own statements until a transaction is asked for."""

    def __init__(self, url: str, *, connections: int = 10, wait_seconds: float = 10.0) -> None:
        self.url = url
        self.connections = connections
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            timeout=wait_seconds,
            kwargs={
                "autocommit": True,
                "prepare_threshold": 0,
                "application_name": "workroom",
                "options": " ".join(f"-c {setting}" for setting in _STEADY_PLANS),
            },
            configure=_configure,
            check=None,
            open=False,
        )

    async def open(self) -> None:
        with _own_words():
            await self._pool.open(wait=True)

    async def close(self) -> None:
        await self._pool.close()

    async def __aenter__(self) -> Database:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection on which each statement is its own transaction."""
        with _own_words():
            async with self._pool.connection() as connection:
                yield connection

    async def atomically(self, work: Callable[[Connection], Awaitable[T]], *, most: int = _TRIES) -> T:
        """Run `work` in one transaction; again from the start, so many times at most, when it collided with another."""

        async def within(connection: Connection) -> T:
            async with connection.transaction():
                return await work(connection)

        return await self.repeatedly(within, most=most)

    async def once(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work`, a single statement, whatever comes of it."""
        async with self.connection() as connection:
            return await work(connection)

    async def repeatedly(self, work: Callable[[Connection], Awaitable[T]], *, most: int = _TRIES) -> T:
        """Run `work`, a single statement; again when it collided."""
        for tries in range(1, most + 1):
            try:
                return await self.once(work)
            except DatabaseBusy:
                if tries == most:
                    raise
                await asyncio.sleep(0.002 * 2**tries)
        raise AssertionError("unreachable")

    def stats(self) -> dict[str, int]:
        """How the pool fares, for metrics."""
        return self._pool.get_stats()


class _own_words:  # noqa: N801 - reads as a word in `with _own_words():`
    """Turns the driver's errors into ours."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _COLLISIONS):
            raise DatabaseBusy from error
        if isinstance(error, PoolTimeout):
            raise DatabaseTrouble("Every database connection is in use, or the database does not answer.") from error
        if isinstance(error, psycopg.errors.IntegrityError):
            meaning = _CONSTRAINTS.get(error.diag.constraint_name or "")
            if meaning is not None:
                raise meaning from error
        if isinstance(error, psycopg.OperationalError):
            raise DatabaseUnreachable("The database does not answer; it may be restarting.") from error


async def _configure(connection: psycopg.AsyncConnection[Any]) -> None:
    set_json_loads(orjson.loads, connection)
    set_json_dumps(orjson.dumps, connection)
    arrays.register(connection)
