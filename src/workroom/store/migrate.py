"""Bringing a database's schema to this program's: each step one SQL file in one transaction.

Where the database stands is read without alembic, which takes longer to import than a second start may last.
"""

from __future__ import annotations

from pathlib import Path

import psycopg

from workroom.domain.errors import SchemaTooNew, SchemaTooOld
from workroom.store.connect import connect, redacted

MIGRATIONS = Path(__file__).parent / "migrations"


def head() -> str:
    """The newest schema this program knows."""
    return max(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def revision(url: str) -> str | None:
    """The schema the database has, or None if it has none yet."""
    with connect(url) as connection:
        try:
            row = connection.execute("select version_num from alembic_version").fetchone()
        except psycopg.errors.UndefinedTable:
            return None
    return str(row[0]) if row else None


def upgrade(url: str) -> bool:
    """Bring the schema to `head`; True if anything had to be done. Two at once do it once."""
    if not _is_behind(url, revision(url)):
        return False
    from workroom.store.migrations.run import run_to_head

    run_to_head(url)
    return True


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
