"""Run alembic inside the program: no ini file, no command line, one process at a time."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

# The key of the advisory lock, the same in every version: "workroom" in ASCII.
LOCK = int.from_bytes(b"workroom", "big")


def run_to_head(url: str) -> None:
    # The URL goes to the driver unchanged: SQLAlchemy parses the URL of a Unix socket differently.
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.connect() as connection:
        # Held by the session across all migrations; a second process then finds nothing to do.
        connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.commit()
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
