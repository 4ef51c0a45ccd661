"""Migrate the schema of a database: each migration is one SQL file in one transaction.

The current version is read without alembic, whose import would take longer than the whole restart of a server.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import psycopg

from workroom.domain.errors import SchemaDiffers, SchemaTooNew, SchemaTooOld
from workroom.store.connect import connect, redacted

MIGRATIONS = Path(__file__).parent / "migrations"


def head() -> str:
    """The newest version of the schema that this program knows."""
    return max(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def digests() -> dict[str, str]:
    """The SHA-256 of each migration of this program, by the name of its file."""
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in (MIGRATIONS / "sql").glob("*.sql")}


def revision(url: str) -> str | None:
    """The version of the database's schema; None if it has none yet."""
    with connect(url) as connection:
        return _revision(connection)


def upgrade(url: str) -> bool:
    """Migrate to `head`; returns whether anything had to be done. Concurrent calls migrate once."""
    if _usable_revision(url) == head():
        return False
    from workroom.store.migrations.run_alembic import run_to_head

    run_to_head(url)
    return True


def prepare_for_pool(url: str) -> None:
    """Create the schema in an empty database. Another version is refused: only a server or an admin upgrades it.

    A newer pool on some node must not change the schema under a running older server.
    """
    if revision(url) is None:
        upgrade(url)
    require_head(url)


def require_head(url: str) -> None:
    if (current := _usable_revision(url)) != head():
        found = "has no tables of Workroom" if current is None else f"has schema {current}"
        raise SchemaTooOld(
            f"The database {redacted(url)} {found} and this program needs schema {head()}. "
            f"Run `workroom db upgrade` for this database.",
            revision=current,
            head=head(),
        )


def _usable_revision(url: str) -> str | None:
    """The version of the schema, if this program has it or can upgrade it."""
    with connect(url) as connection:
        current = _revision(connection)
        applied = {} if current is None else _applied(connection)
    if current is not None and (not current.isdigit() or int(current) > int(head())):
        raise SchemaTooNew(
            f"The database {redacted(url)} has schema {current}, and this program knows only up to {head()}: "
            f"a newer Workroom upgraded it. Upgrade this program.",
            revision=current,
            head=head(),
        )
    if current is not None and _differs(applied):
        raise SchemaDiffers(
            f"The database {redacted(url)} was made by an unreleased version of Workroom: its schema has the number "
            f"{current} as here, but other content, and there is no upgrade. Start with another data folder (--data) "
            f"or database (--database), or install the version that made it, which can also save what is in the rooms: "
            f"`workroom rooms download`.",
            revision=current,
        )
    return current


def _differs(applied: dict[str, str]) -> bool:
    """Whether the schema was made by other files of the same names, or before digests were kept."""
    known = digests()
    return not applied or any(known.get(file, digest) != digest for file, digest in applied.items())


def _revision(connection: psycopg.Connection) -> str | None:
    try:
        row = connection.execute("select version_num from alembic_version").fetchone()
    except psycopg.errors.UndefinedTable:
        return None
    return str(row[0]) if row else None


def _applied(connection: psycopg.Connection) -> dict[str, str]:
    """The digest of each applied migration; none if the schema was made before digests were kept."""
    try:
        return dict(connection.execute("select file, digest from applied_migration").fetchall())
    except psycopg.errors.UndefinedTable:
        return {}
