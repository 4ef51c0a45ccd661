"""One leader among many processes, by a lock that the database holds for as long as the session lives."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import psycopg

from workroom.store.statement import Connection, Statement, first

_acquire_leadership = Statement[bool]("upkeep/acquire_leadership", first)
_ping = Statement[bool]("upkeep/ping", first)


@asynccontextmanager
async def candidate(url: str) -> AsyncGenerator[Connection]:
    """A session of its own to lead from: a pooled one would be handed on with the lock."""
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
    """Whether the session, and so the lock, is still there."""
    try:
        return bool(await _ping.one(connection))
    except psycopg.OperationalError:
        return False
