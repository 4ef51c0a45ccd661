"""Connections: the one used last is used next, and none is kept from those who need it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from workroom.domain.errors import DatabaseError, DatabaseUnreachable, TooLarge
from workroom.store import database as module
from workroom.store.database import Database
from workroom.store.statement import Connection, Statement


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    async with Database(database_url, connections=3, wait_seconds=1.0) as opened:
        yield opened


async def _process(connection: Connection) -> int:
    """Which process of the database serves this connection."""
    row = await (await connection.execute("SELECT pg_backend_pid()")).fetchone()
    assert row is not None
    return row[0]


async def test_the_connection_used_last_is_used_next(database: Database) -> None:
    await asyncio.gather(*(database.once(lambda one: one.execute("SELECT pg_sleep(0.05)")) for _ in range(3)))
    used = [await database.once(_process) for _ in range(10)]
    assert len(set(used[1:])) == 1
    assert database.stats()["pool_size"] > 1


async def test_whoever_waits_gets_the_next_that_is_free(database: Database) -> None:
    async def some(_: int) -> int:
        async with database.connection() as connection:
            await asyncio.sleep(0.01)
            return await _process(connection)

    used = await asyncio.gather(*(some(number) for number in range(30)))
    assert len(set(used)) <= 3
    assert database.stats()["pool_available"] == database.stats()["pool_size"]


async def test_it_goes_back_to_the_pool_now_and_then(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEEP_SECONDS", 0.0)
    await asyncio.gather(*(database.once(lambda one: one.execute("SELECT pg_sleep(0.05)")) for _ in range(3)))
    used = [await database.once(_process) for _ in range(6)]
    assert len(set(used)) > 1, "the pool takes turns"


async def test_a_broken_connection_is_not_kept(database: Database) -> None:
    first = await database.once(_process)
    with pytest.raises(DatabaseUnreachable):
        await database.once(lambda one: one.execute("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert await database.once(_process) != first
    assert await database.once(_process) != first


async def test_neither_is_one_with_an_open_transaction(database: Database) -> None:
    async with database.connection() as connection:
        await connection.execute("BEGIN")
        await connection.execute("CREATE TABLE half_done ()")
    for _ in range(4):
        found = await database.once(_exists)
        assert not found, "what was not committed is gone"


async def _exists(connection: Connection) -> bool:
    row = await (await connection.execute("SELECT to_regclass('half_done') IS NOT NULL")).fetchone()
    assert row is not None
    return row[0]


async def test_a_cancelled_statement_leaves_a_sound_connection(database: Database) -> None:
    await database.once(_process)
    asked = asyncio.create_task(database.once(lambda one: one.execute("SELECT pg_sleep(60)")))
    await asyncio.sleep(0.05)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    async with asyncio.timeout(10):
        assert await database.once(_process)


async def test_who_waits_too_long_is_told(database: Database) -> None:
    end = asyncio.Event()

    async def hold(holds: asyncio.Event) -> None:
        async with database.connection():
            holds.set()
            await end.wait()

    held = [asyncio.Event() for _ in range(3)]
    holders = [asyncio.create_task(hold(one)) for one in held]
    async with asyncio.timeout(10):
        await asyncio.gather(*(one.wait() for one in held))
    with pytest.raises(DatabaseError, match="in use"):
        await database.once(_process)
    end.set()
    await asyncio.gather(*holders)
    assert await database.once(_process)


async def test_nothing_is_left_open(database_url: str) -> None:
    async with Database(database_url, connections=3) as database:
        await database.once(_process)
        late = asyncio.create_task(database.once(lambda one: one.execute("SELECT pg_sleep(0.3)")))
        await asyncio.sleep(0.05)
    await late  # its connection comes back to a pool that is closed
    async with Database(database_url) as other:
        until = asyncio.get_running_loop().time() + 5
        while True:
            rows = await other.once(_others)
            if rows == 0:
                return
            assert asyncio.get_running_loop().time() < until, f"{rows} connections are still open"
            await asyncio.sleep(0.05)


async def _others(connection: Connection) -> int:
    row = await (
        await connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    ).fetchone()
    assert row is not None
    return row[0]


def _statement(query: bytes, *parameters: str) -> Statement[Any]:
    statement = Statement[Any]("job/submit", tuple, frequent=True)
    statement.__dict__.update(query=query, _parameters=parameters)
    return statement


async def test_a_statement_returns_to_each_execution_its_own_rows(database: Database) -> None:
    """Neither an earlier execution, nor a failed one, nor one at the same moment on the same connection shows."""
    statement = _statement(b"SELECT $1::text, $2::int, $3::uuid", "text", "number", "id")
    some = UUID(int=7)
    given: list[tuple[Any, ...]] = [("a", 1, some), (None, None, None), ("b", 2**31 - 1, None), ("", -5, some)]
    async with database.connection() as connection:
        for row in given * 3:
            assert await statement.one(connection, text=row[0], number=row[1], id=row[2]) == row
        with pytest.raises(psycopg.DataError):
            await statement.one(connection, text="a", number=2**40, id=None)
        assert await statement.one(connection, text="c", number=3, id=None) == ("c", 3, None)
        answers = await asyncio.gather(*(statement.all(connection, text="x", number=n, id=None) for n in range(50)))
        assert answers == [[("x", n, None)] for n in range(50)]


@pytest.mark.parametrize("limit", ["program_limit_exceeded", "statement_too_complex"])
async def test_a_limit_of_postgresql_is_not_taken_for_an_outage(database: Database, limit: str) -> None:
    """Callers repeat what an outage interrupted; what exceeds a limit would be repeated for ever."""
    raises = f"DO $$ BEGIN RAISE {limit} USING MESSAGE = 'total size of jsonb array elements is too large'; END $$"
    with pytest.raises(TooLarge, match="total size of jsonb array elements is too large"):
        await database.once(lambda one: one.execute(raises.encode()))
