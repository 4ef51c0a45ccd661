"""Leader election: an advisory lock that a session holds until it ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import psycopg

from workroom.store.statement import Connection, Statement, first

_acquire_leadership = Statement[bool]("upkeep/acquire_leadership", first)
_ping = Statement[bool]("upkeep/ping", first)


@asynccontextmanager
async def candidate(url: str) -> AsyncGenerator[Connection]:
    """A session outside the pool: a pooled one would be reused with the lock still held."""
    connection: Connection = await psycopg.AsyncConnection.connect(
        url, autocommit=True, application_name="workroom upkeep", connect_timeout=5
    )
    try:
        yield connection
    finally:
        await connection.close()


async def lead(connection: Connection) -> bool:
    return bool(await _acquire_leadership.one(connection))


async def still_leads(connection: Connection) -> bool:
    """Whether the session, and with it the lock, still exists."""
    try:
        return bool(await _ping.one(connection))
    except psycopg.OperationalError:
        return False
