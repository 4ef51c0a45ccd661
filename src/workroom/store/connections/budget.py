"""How many connections of PostgreSQL a process needs, and whether the server allows so many."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import NamedTuple

from workroom.domain.errors import BadInput
from workroom.logs import get_logger
from workroom.store.connect import connect, redacted

log = get_logger(__name__)

# Outside the connection pool a server process has the lock of servers, the candidacy for upkeep, and the listener; with
# the engine `celery` also the candidacy for publishing.
SESSIONS_OF_A_SERVER = 3
# A pool has one connection pool for upkeep and for jobs that post, the candidacy for upkeep, and a listener for each of
# its own waits; each of its processes has a listener and a connection pool.
CONNECTIONS_OF_A_CLIENT = 4
SESSIONS_OF_A_CLIENT = 1
CONNECTIONS_OF_A_POOL_PROCESS = 3
SESSIONS_OF_A_POOL_PROCESS = 1


class Limits(NamedTuple):
    allowed: int  # connections that this role may have in this database
    used: int  # connections of all clients now


class Need(NamedTuple):
    """Connections at the same time, at most."""

    sessions: int  # always to PostgreSQL itself
    statements: int  # through the pooler, where there is one


def of_servers(processes: int, connections: int, *, publishes: bool = False) -> Need:
    """Of `workroom serve`. Several processes have a supervisor, which holds the lock of servers too."""
    return Need(processes * (SESSIONS_OF_A_SERVER + publishes) + (processes > 1), processes * connections)


def of_pool(processes: int) -> Need:
    """Of `workroom pool`."""
    sessions = SESSIONS_OF_A_CLIENT + 1 + processes * SESSIONS_OF_A_POOL_PROCESS
    return Need(sessions, CONNECTIONS_OF_A_CLIENT + processes * CONNECTIONS_OF_A_POOL_PROCESS)


def limits(url: str) -> Limits:
    query = (files("workroom.store") / "sql/server/connection_limits.sql").read_bytes()
    with connect(url) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return Limits(*row)


def check_budget(url: str, need: Need, *, pooler: bool, fix: Callable[[int], str]) -> None:
    """BadInput if PostgreSQL never allows so many connections; a warning if it does not at the moment.

    `fix` says what else to change when so many are allowed.

    Connections are opened when they are needed, so a server can start with less; under load it would fail.
    """
    wanted = need.sessions + (0 if pooler else need.statements)
    allowed, used = limits(url)
    if wanted > allowed:
        raise BadInput(
            f"This needs up to {wanted} connections, and {redacted(url)} allows {allowed}. Raise max_connections of "
            f"PostgreSQL (or the limit of the role or database), or {fix(allowed)}."
        )
    if wanted > allowed - used:
        log.warning(
            "connections of the database may run out",
            needed=wanted,
            allowed=allowed,
            used=used,
            hint=fix(allowed - used),
        )
