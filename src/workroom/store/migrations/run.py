"""Running alembic inside the program: no ini file, no command line, one runner at a time."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

# Any number will do, as long as every Workroom takes the same: "workroom" in ASCII.
LOCK = int.from_bytes(b"workroom", "big")


def run_to_head(url: str) -> None:
    # Our URL goes to the driver as it is: SQLAlchemy would read a Unix socket's differently.
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.connect() as connection:
        # Held by the session, across the steps' transactions; whoever comes second finds nothing left to do.
        connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.commit()
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
