"""PgBouncer in front of PostgreSQL: what may go through it, and errors that name the setting to change.

A pooler in session mode is as good as PostgreSQL itself. In transaction mode a client has a session only while its
transaction runs: LISTEN, advisory locks of a session, prepared statements and SET do not work. So the setting `pooler`
names such a pooler, statements go through it, and `database` stays the address of PostgreSQL for the rest.
"""

from __future__ import annotations

import secrets

import psycopg

from workroom.domain.errors import BadInput
from workroom.store.connect import ServerInfo, check_database, connect, redacted
from workroom.store.database import PLANNER_SETTINGS

# Another client may take the session between two queries, so one look could miss that sessions are shared.
_LOOKS = 3
_BACKEND = "SELECT pg_backend_pid()"
_LOCK = "SELECT pg_advisory_xact_lock(%s)"
_TRY_LOCK = "SELECT pg_try_advisory_xact_lock(%s)"
_SETTINGS = "SELECT name, current_setting(name) FROM unnest(%s::text[]) AS name"


def check_address(url: str, pooler: str | None) -> ServerInfo:
    """Check the addresses of a database and of its pooler; raise an error that names the problem and its solution."""
    found = check_database(url)
    check_sessions(url)
    if pooler is not None:
        check_pooler(url, pooler)
    return found


def check_sessions(url: str) -> None:
    """BadInput if the address is that of a pooler in transaction mode, where a session cannot be kept."""
    if _shares_sessions(url):
        raise BadInput(
            f"{redacted(url)} is a pooler in transaction or statement mode: Workroom cannot listen or hold locks "
            f"there. Set WORKROOM_DATABASE to the address of PostgreSQL itself, and WORKROOM_POOLER to this one."
        )


def check_pooler(url: str, pooler: str) -> None:
    """BadInput if statements cannot go through this pooler: it leads elsewhere, or lacks the planner settings."""
    key = secrets.randbits(62)
    with connect(url) as direct, connect(pooler) as pooled, direct.transaction():
        direct.execute(_LOCK, [key], prepare=False)
        if pooled.execute(_TRY_LOCK, [key], prepare=False).fetchone() == (True,):
            raise BadInput(
                f"The pooler {redacted(pooler)} does not lead to the database {redacted(url)}. "
                f"Set WORKROOM_POOLER and WORKROOM_DATABASE to addresses of the same database."
            )
        found = dict(pooled.execute(_SETTINGS, [list(PLANNER_SETTINGS)], prepare=False).fetchall())
    missing = [name for name, value in PLANNER_SETTINGS.items() if found[name] != value]
    if missing:
        raise BadInput(
            f"Sessions of the pooler {redacted(pooler)} do not set {', '.join(missing)}, without which PostgreSQL "
            f"reads whole tables. Add connect_query='{connect_query()}' to the line of the database in pgbouncer.ini, "
            f"and restart PgBouncer."
        )


def connect_query() -> str:
    """The setting `connect_query` of PgBouncer, without quotes that would end its value."""
    return "; ".join(f"SET {name} = {value}" for name, value in PLANNER_SETTINGS.items())


def _shares_sessions(url: str) -> bool:
    """Whether one session of PostgreSQL serves two clients that are connected at once."""
    with connect(url) as first, connect(url) as second:
        for _ in range(_LOOKS):
            before = first.execute(_BACKEND, prepare=False).fetchone()
            try:
                with second.transaction():
                    if second.execute(_BACKEND, prepare=False).fetchone() == before:
                        return True
            except psycopg.OperationalError:  # a pooler in statement mode refuses transactions
                return True
    return False
