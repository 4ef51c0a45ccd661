"""Whether a database answers; its clock, live workers, servers and size, for monitoring."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import psycopg

from workroom.domain.errors import DatabaseUnreachable
from workroom.store.connect import connect
from workroom.store.statement import Connection, Statement


class DatabaseHealth(NamedTuple):
    clock: float  # the database's, in seconds since 1970
    function_workers: int  # live workers that run posted functions: processes of pools, Celery, remote workers
    builtin_workers: int  # live workers that run built-in extensions
    waiting_calls: int  # of posted functions


class ServerFacts(NamedTuple):
    servers: int  # processes on the database
    leaders: int  # of upkeep: none or one, a server or a pool
    bytes: int  # of the database on disk


_facts = Statement("server/facts", ServerFacts._make)


async def server_facts(connection: Connection) -> ServerFacts:
    found = await _facts.one(connection)
    assert found is not None
    return found


def answers(url: str) -> bool:
    """Whether the database accepts connections; raises when it refuses this user or this database."""
    try:
        connect(url).close()
    except DatabaseUnreachable:
        return False
    return True


def database_health(url: str) -> DatabaseHealth:
    query = (files("workroom.store") / "sql/worker/health.sql").read_bytes()
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return DatabaseHealth(*row)
