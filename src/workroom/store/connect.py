"""Connect to the PostgreSQL of a URL, with errors that explain what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from workroom.domain.errors import BadInput, DatabaseError, DatabaseRefused, DatabaseTooOld, DatabaseUnreachable

OLDEST_MAJOR_VERSION = 15
CONNECT_SECONDS = 5
_IDENTITY = "SELECT system_identifier || '/' || current_database() FROM pg_control_system()"

# libpq reports the server's message without its error code, so the message is matched.
REFUSALS = (
    "authentication failed",
    "no password supplied",
    "no pg_hba.conf entry",
    "pg_hba.conf rejects",
    "does not exist",
    "permission denied for database",
    "is not permitted to log in",
    "not currently accepting connections",
)


@dataclass(frozen=True)
class ServerInfo:
    """Version and address of a checked server."""

    version: str  # without the suffix of the packager
    address: str  # the URL without its password
    user: str
    database: str


def check_database(url: str) -> ServerInfo:
    """Connect, or raise an error that names the problem and its solution."""
    with connect(url) as connection:
        version = server_version(connection)
        if version // 10_000 < OLDEST_MAJOR_VERSION:
            raise DatabaseTooOld(
                f"{redacted(url)} is PostgreSQL {version // 10_000}: Workroom needs {OLDEST_MAJOR_VERSION} or newer. "
                f"Upgrade it, or leave the database URL out to use the embedded one.",
                version=version,
            )
        spelled = connection.info.parameter_status("server_version") or str(version)
        return ServerInfo(spelled.partition(" ")[0], redacted(url), connection.info.user, connection.info.dbname)


def database_identity(url: str) -> str:
    """The same for all addresses of a database, and another for each other database."""
    with connect(url) as connection:
        (identity,) = connection.execute(_IDENTITY).fetchone() or ("",)
        return str(identity)


def connect(url: str, *, application_name: str = "workroom") -> psycopg.Connection:
    """A connection in autocommit; fails after CONNECT_SECONDS."""
    _parts(url)
    try:
        return psycopg.connect(url, connect_timeout=CONNECT_SECONDS, autocommit=True, application_name=application_name)
    except psycopg.OperationalError as trouble:
        raise _explained(url, str(trouble)) from None  # the original may repeat the URL


def server_version(connection: psycopg.Connection) -> int:
    """As one number: 18.4 is 180004."""
    return connection.info.server_version


def redacted(url: str) -> str:
    """The URL without its password, for messages and logs."""
    parts = _parts(url)
    user = quote(parts.get("user", ""), safe="")
    host, port, name = parts.get("host", ""), parts.get("port", ""), parts.get("dbname", "")
    who = f"{user}@" if user else ""
    if host.startswith("/"):
        return f"postgresql://{who}/{name}?host={host}" + (f"&port={port}" if port else "")
    return f"postgresql://{who}{host}{f':{port}' if port else ''}/{name}"


def _parts(url: str) -> dict[str, str]:
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise _unreadable() from None  # libpq quotes what it could not read, perhaps the password
    parts = {name: str(value) for name, value in given.items() if value is not None}
    if "@" in parts.get("host", "") or not all(port.isdigit() for port in parts.get("port", "0").split(",") if port):
        raise _unreadable()  # an unescaped @, : or / in the password has spilled into the address
    return parts


def _unreadable() -> BadInput:
    return BadInput(
        "The database URL cannot be read. It looks like postgresql://user:password@host:5432/name; "
        "in the password write @ as %40, : as %3A, / as %2F and % as %25."
    )


def _explained(url: str, message: str) -> DatabaseError:
    where, reason = redacted(url), _last_line(url, message)
    if any(refusal in message for refusal in REFUSALS):
        return DatabaseRefused(
            f"PostgreSQL refused {where}: {reason}. Check the user, the password and the database's name in the URL, "
            f"and that the database exists."
        )
    return DatabaseUnreachable(
        f"No PostgreSQL answers at {where}: {reason}. Check the host and the port in the URL and that the server runs, "
        f"or leave the database URL out to use the embedded one."
    )


def _last_line(url: str, message: str) -> str:
    """The reason for the last address that was tried, without libpq's own advice."""
    lines = [
        line.strip() for line in message.splitlines() if line.strip() and not line.strip().startswith("Is the server")
    ]
    reason = lines[-1].rpartition("FATAL:")[2].rpartition(" failed: ")[2].strip() if lines else "no answer"
    password = _parts(url).get("password", "")
    return reason.replace(password, "***") if len(password) > 3 else reason  # a shorter one could be part of any word
