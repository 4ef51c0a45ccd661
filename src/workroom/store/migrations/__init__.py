"""The migrations of the schema.

    versions/  one module per migration; `<number>_<name>.py` runs `sql/<number>_<name>.sql`
    sql/       the statements
    env        configuration of alembic
    run        runs alembic without its command line

A released migration is never edited; the next one corrects it.
"""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import op

SQL = Path(__file__).parent / "sql"


def run_sql(name: str) -> None:
    """Run a file of many statements in the transaction of the migration."""
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, psycopg.Connection)  # for the type checker; run.py made the connection
    # Without parameters PostgreSQL accepts several statements at once, and % needs no escape.
    connection.execute((SQL / name).read_bytes(), prepare=False)
