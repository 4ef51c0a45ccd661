"""The steps of the schema: `versions/<number>_<name>.py` runs `sql/<number>_<name>.sql`.

A step that was released is never edited; the next one corrects it.
"""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import op

SQL = Path(__file__).parent / "sql"


def run_sql(name: str) -> None:
    """Run a file of many statements within the step's transaction."""
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, psycopg.Connection)  # tells the type; we made it ourselves
    # The raw driver without parameters: only then PostgreSQL takes several statements at once, and % is just a %.
    connection.execute((SQL / name).read_bytes(), prepare=False)
