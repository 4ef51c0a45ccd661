"""Advisory locks that a session holds until it ends: the upkeep leader, and the servers of a database."""

from __future__ import annotations

import os
import platform
import re
import secrets
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from importlib.resources import files
from typing import Any, NamedTuple

import psycopg

from workroom.domain.errors import ServerRunning
from workroom.store.connect import connect, redacted
from workroom.store.statement import Connection, Statement, first

_acquire_leadership = Statement[bool]("upkeep/acquire_leadership", first)
_acquire_publishing = Statement[bool]("upkeep/acquire_publishing", first)
_ping = Statement[bool]("upkeep/ping", first)

# PostgreSQL drops the session, and with it the lock, of a machine that is gone after about ten seconds.
_KEEPALIVES = "SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
# The session of a server that was just killed ends within milliseconds.
_LOCK_TIMEOUT = 2.0
# A replica holds the lock alone only while it upgrades the schema.
_UPGRADE_TIMEOUT = 600.0
_POLL_SECONDS = 0.02
_LONGEST_NAME = 63  # bytes of a session's name that PostgreSQL keeps


@asynccontextmanager
async def candidate(url: str) -> AsyncGenerator[Connection]:
    """A session outside the pool: a pooled one would be reused with the lock still held."""
    connection: Connection = await psycopg.AsyncConnection.connect(
        url, autocommit=True, application_name="workroom upkeep", connect_timeout=5
    )
    try:
        await connection.execute(_KEEPALIVES)
        yield connection
    finally:
        await connection.close()


async def lead(connection: Connection) -> bool:
    return bool(await _acquire_leadership.one(connection))


async def acquire_publishing(connection: Connection) -> bool:
    """Become the only process that publishes jobs to the broker, for as long as the session exists."""
    return bool(await _acquire_publishing.one(connection))


async def still_leads(connection: Connection) -> bool:
    """Whether the session, and with it the lock, still exists."""
    try:
        return bool(await _ping.one(connection))
    except psycopg.OperationalError:
        return False


class _Holder(NamedTuple):
    """A session that holds the lock of the servers."""

    name: str
    since: datetime | None  # None where another role may not see it

    @property
    def is_replica(self) -> bool:
        return self.name.startswith(_REPLICA)

    @property
    def secret_digest(self) -> str | None:
        found = re.search(r" secret ([0-9a-f]+)", self.name)
        return found[1] if found else None

    @property
    def group(self) -> str | None:
        found = re.search(r" secret [0-9a-f]+\.([0-9a-f]+) ", self.name)
        return found[1] if found else None

    @property
    def process(self) -> str:
        found = re.match(r"workroom \w+ (\d+) (?:secret [\w.]+ )?on (.*)", self.name)
        return f"process {found[1]} on {found[2]}" if found else "another process"


_REPLICA = "workroom replica"


class ServerLock:
    """Makes this process the only server of a database, or one of several replicas.

    Servers that have no channel between them could not send events to each other's sockets. So the only server has the
    lock alone, and replicas share it. The session is not of the pool, and a killed server loses it at once. It also
    holds a lock of the server's number: while it does, the workers of that number are attached.
    """

    def __init__(
        self,
        url: str,
        *,
        replica: bool = False,
        secret_digest: str = "",
        group: str | None = None,
        serves: bool = True,
    ) -> None:
        """Replicas need the same secret; its digest is compared with that of the others.

        `group`: of replicas without Redis, the hexadecimal name of the command that started them; only they may share
        the lock. A process that only starts servers does not serve: it has no number.
        """
        self._group = group
        self._serves = serves
        self._url = url
        self._replica = replica
        self._secret_digest = secret_digest
        self._session: psycopg.Connection | None = None
        self.number = 1 + secrets.randbelow(2**31 - 1)

    def acquire(self, prepare: Callable[[], object] | None = None) -> None:
        """Take the lock; ServerRunning, which names the holder, if another server excludes this one.

        `prepare` is called while no other server runs, and not at all beside another replica.
        """
        self.release()
        session = connect(self._url, application_name=self._name())
        try:
            session.execute(_KEEPALIVES)
            if self._take(session):
                if prepare is not None:
                    prepare()
                if self._replica:
                    _rows(session, "upkeep/share_server_lock")
            if self._serves:
                _rows(session, "upkeep/acquire_number_lock", number=self.number)
        except BaseException:
            session.close()
            raise
        self._session = session

    def _name(self) -> str:
        kind = (
            f"{_REPLICA} {os.getpid()} secret {self._secret_digest}{f'.{self._group}' if self._group else ''}"
            if self._replica
            else f"workroom server {os.getpid()}"
        )
        return f"{kind} on {platform.node()}".encode()[:_LONGEST_NAME].decode(errors="ignore")

    def _take(self, session: psycopg.Connection) -> bool:
        """Take the lock alone, or share it with other replicas. Returns whether it was taken alone."""
        began = time.monotonic()
        while not _ask(session, "upkeep/acquire_server_lock"):
            if self._replica and _ask(session, "upkeep/acquire_server_lock_shared"):
                self._check_secret(session)
                if all(holder.group == self._group for holder in _holders(session)):
                    return False
                _ask(session, "upkeep/unshare_server_lock")
            holders = _holders(session)
            upgrades = self._replica and any(holder.is_replica and holder.group == self._group for holder in holders)
            if time.monotonic() - began > (_UPGRADE_TIMEOUT if upgrades else _LOCK_TIMEOUT):
                raise self._running(holders)
            time.sleep(_POLL_SECONDS)
        return True

    def _check_secret(self, session: psycopg.Connection) -> None:
        for holder in _holders(session):
            if holder.secret_digest not in (None, self._secret_digest):
                raise ServerRunning(
                    f"The server of {holder.process} on {redacted(self._url)} signs its tokens with another secret. "
                    f"Give all replicas the same setting `secret`, or the same data folder."
                )

    def _running(self, holders: list[_Holder]) -> ServerRunning:
        holder = holders[0] if holders else None
        process = holder.process if holder else "another process"
        since = f", since {holder.since.astimezone():%Y-%m-%d %H:%M:%S %Z}" if holder and holder.since else ""
        return ServerRunning(
            f"A server already runs on {redacted(self._url)}: {process}{since}. Stop it first, or give this one a "
            f"database of its own, or start both with the same `--redis` so that they reach each other."
        )

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


def _ask(session: psycopg.Connection, statement: str, **values: Any) -> bool:
    """Whether a statement returns a row that does not begin with false."""
    rows = _rows(session, statement, **values)
    return bool(rows) and rows[0][0] is not False


def _rows(session: psycopg.Connection, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    query = (files("workroom.store") / "sql" / f"{statement}.sql").read_bytes()
    return session.execute(query, values or None).fetchall()


def _holders(session: psycopg.Connection) -> list[_Holder]:
    """The other servers."""
    return [_Holder(name or "", since) for name, since in _rows(session, "upkeep/server_lock_holders")]
