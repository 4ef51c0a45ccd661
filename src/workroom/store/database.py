"""The connections, transactions that are tried again when they collide, and errors in our own words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import orjson
import psycopg
from psycopg import errors as pg
from psycopg.pq import TransactionStatus
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from workroom.domain.errors import (
    Conflict,
    DatabaseBusy,
    DatabaseError,
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

# So long the connection at hand is kept from the pool, which sees to its age.
_SECONDS_AT_HAND = 60

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
    """PostgreSQL through a pool of connections; each runs its own statements until a transaction is asked for.

    The connection used last stays at hand and is used next: a pool takes turns, and each turn would wake a process of
    the database whose memory has grown cold.
    """

    def __init__(
        self, url: str, *, connections: int = 10, wait_seconds: float = 10.0, one_at_hand: bool = True
    ) -> None:
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
        self._one_at_hand = one_at_hand  # else the pool's take turns
        self._at_hand: Connection | None = None
        self._at_hand_until = 0.0
        self._asking = 0  # how many want a connection from the pool

    async def open(self) -> None:
        with _own_words():
            await self._pool.open(wait=True)

    async def close(self) -> None:
        if self._at_hand is not None:
            kept, self._at_hand = self._at_hand, None
            await self._pool.putconn(kept)
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
            connection = await self._take()
            try:
                yield connection
            finally:
                await self._put_back(connection)

    async def atomically(self, work: Callable[[Connection], Awaitable[T]], *, most: int = _TRIES) -> T:
        """Run `work` in one transaction; again from the start, so many times at most, when it collided with another."""

        async def within(connection: Connection) -> T:
            async with connection.transaction():
                return await work(connection)

        return await self.repeatedly(within, most=most)

    async def once(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work`, a single statement, whatever comes of it."""
        with _own_words():
            connection = await self._take()
            try:
                return await work(connection)
            finally:
                await self._put_back(connection)

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
        stats = self._pool.get_stats()
        stats["pool_available"] += self._at_hand is not None
        return stats

    async def _take(self) -> Connection:
        connection, self._at_hand = self._at_hand, None
        if connection is not None:
            return connection
        self._asking += 1
        try:
            connection = await self._pool.getconn()
        finally:
            self._asking -= 1
        return connection

    async def _put_back(self, connection: Connection) -> None:
        sound = connection.pgconn.transaction_status == TransactionStatus.IDLE
        wanted = self._one_at_hand and self._at_hand is None and not self._asking
        if not wanted or not sound or self._pool.closed:
            await self._pool.putconn(connection)
        elif time.monotonic() < self._at_hand_until:
            self._at_hand = connection
        else:
            self._at_hand_until = time.monotonic() + _SECONDS_AT_HAND
            await self._pool.putconn(connection)


class _own_words:  # noqa: N801 - reads as a word in `with _own_words():`
    """Turns the driver's errors into ours."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _COLLISIONS):
            raise DatabaseBusy from error
        if isinstance(error, PoolTimeout):
            raise DatabaseError("Every database connection is in use, or the database does not answer.") from error
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
