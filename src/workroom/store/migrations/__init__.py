"""The migrations of the schema.

    versions/  one module per migration; `<number>_<name>.py` runs `sql/<number>_<name>.sql`
    sql/       the statements
    env        configuration of alembic
    run_alembic  runs alembic without its command line

A released migration is never edited; the next one corrects it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import psycopg
from alembic import op

SQL = Path(__file__).parent / "sql"


def run_sql(name: str) -> None:
    """Run a file of many statements in the transaction of the migration, and record its digest."""
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, psycopg.Connection)  # for the type checker; run_alembic.py made the connection
    # Without parameters PostgreSQL accepts several statements at once, and % needs no escape.
    statements = (SQL / name).read_bytes()
    connection.execute(statements, prepare=False)
    connection.execute(
        "INSERT INTO applied_migration (file, digest) VALUES (%s, %s)", (name, sha256(statements).hexdigest())
    )
