"""Advisory locks that a session holds until it ends: the upkeep leader, and the only server of a database."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from importlib.resources import files
from typing import NamedTuple

import psycopg

from workroom.domain.errors import ServerRunning
from workroom.store.connect import connect, redacted
from workroom.store.statement import Connection, Statement, first

_acquire_leadership = Statement[bool]("upkeep/acquire_leadership", first)
_ping = Statement[bool]("upkeep/ping", first)

# PostgreSQL drops the session, and with it the lock, of a machine that is gone after about ten seconds.
_KEEPALIVES = "-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
# The session of a server that was just killed ends within milliseconds.
_PATIENCE = 2.0
_LOOK = 0.02
_LONGEST_NAME = 63  # bytes of a session's name that PostgreSQL keeps


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


class _Holder(NamedTuple):
    """The session that holds the lock of the server."""

    name: str
    since: datetime | None  # None where another role may not see it


class ServerLock:
    """Makes this process the only server of a database.

    Without a channel between servers a second one could not send events to the sockets of the first, and would take the
    first one's workers for disconnected. The session is not of the pool, and a killed server loses it at once.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._session: psycopg.Connection | None = None

    def acquire(self) -> None:
        """Take the lock; ServerRunning, which names the holder, if another server has it."""
        self.release()
        name = f"workroom server {os.getpid()} on {platform.node()}".encode()[:_LONGEST_NAME].decode(errors="ignore")
        session = connect(self._url, application_name=name, options=_KEEPALIVES)
        deadline = time.monotonic() + _PATIENCE
        try:
            while not _ask(session, "upkeep/acquire_server_lock"):
                if time.monotonic() > deadline:
                    raise _running(self._url, _ask(session, "upkeep/server_lock_holder"))
                time.sleep(_LOOK)
        except BaseException:
            session.close()
            raise
        self._session = session

    @property
    def is_held(self) -> bool:
        """Whether the session, and with it the lock, still exists."""
        if self._session is None:
            return False
        try:
            return bool(_ask(self._session, "upkeep/ping"))
        except psycopg.OperationalError:
            return False

    def release(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


def _ask(session: psycopg.Connection, statement: str) -> tuple[object, ...] | None:
    """The row that a statement returns; None for a row that only says no."""
    query = (files("workroom.store") / "sql" / f"{statement}.sql").read_bytes()
    row = session.execute(query).fetchone()
    return None if row is None or row[0] is False else row


def _running(url: str, row: tuple[object, ...] | None) -> ServerRunning:
    holder = _Holder(str(row[0]), row[1] if isinstance(row[1], datetime) else None) if row else None
    who = holder.name.removeprefix("workroom server ") if holder else ""
    process = f"process {who}" if who else "another process"
    since = f", since {holder.since.astimezone():%Y-%m-%d %H:%M:%S %Z}" if holder and holder.since else ""
    return ServerRunning(
        f"A server already runs on {redacted(url)}: {process}{since}. Stop it first, or give this one a database of "
        f"its own: two servers on one database do not see each other's workers and browsers."
    )
