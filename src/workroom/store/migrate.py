"""Migrate the schema of a database: each migration is one SQL file in one transaction.

The current version is read without alembic, whose import would take longer than the whole restart of a server.
"""

from __future__ import annotations

from pathlib import Path

import psycopg

from workroom.domain.errors import SchemaTooNew, SchemaTooOld
from workroom.store.connect import connect, redacted

MIGRATIONS = Path(__file__).parent / "migrations"


def head() -> str:
    """The newest version of the schema that this program knows."""
    return max(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def revision(url: str) -> str | None:
    """The version of the database's schema; None if it has none yet."""
    with connect(url) as connection:
        try:
            row = connection.execute("select version_num from alembic_version").fetchone()
        except psycopg.errors.UndefinedTable:
            return None
    return str(row[0]) if row else None


def upgrade(url: str) -> bool:
    """Migrate to `head`; returns whether anything had to be done. Concurrent calls migrate once."""
    if not _is_behind(url, revision(url)):
        return False
    from workroom.store.migrations.run import run_to_head

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
    if _is_behind(url, current := revision(url)):
        raise SchemaTooOld(
            f"The database {redacted(url)} has schema {current or 'none'} and this program needs {head()}. "
            f"Run `workroom db upgrade`.",
            revision=current,
            head=head(),
        )


def _is_behind(url: str, current: str | None) -> bool:
    if current is not None and (not current.isdigit() or int(current) > int(head())):
        raise SchemaTooNew(
            f"The database {redacted(url)} has schema {current}, and this program knows only up to {head()}: "
            f"a newer Workroom upgraded it. Upgrade this program.",
            revision=current,
            head=head(),
        )
    return current != head()
