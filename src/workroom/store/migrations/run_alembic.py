"""Run alembic inside the program: no ini file, no command line, one process at a time."""

from __future__ import annotations

import time
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from workroom.domain.errors import DatabaseBusy
from workroom.logs import get_logger

log = get_logger(__name__)

# The key of the advisory lock, the same in every version: "workroom" in ASCII.
LOCK = int.from_bytes(b"workroom", "big")

# Pools and programs may work while the schema is upgraded. A migration that waits for the lock of a table makes all
# others wait behind it. So it waits a short time, is rolled back, and is tried again after a pause.
_WAIT_MILLISECONDS = 1_000
_PAUSE_SECONDS = 1.0
_TRIES = 300


def run_to_head(url: str) -> None:
    # The URL goes to the driver unchanged: SQLAlchemy parses the URL of a Unix socket differently.
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.connect() as connection:
        # Held by the session across all migrations; a second process then finds nothing to do.
        connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.execute(text(f"set lock_timeout = {_WAIT_MILLISECONDS}"))
        connection.commit()
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
        config.attributes["connection"] = connection
        for tries in range(_TRIES):
            try:
                command.upgrade(config, "head")
                return
            except (LockNotAvailable, DeadlockDetected):
                connection.rollback()
                if tries == 0:
                    log.warning("upgrade of the schema waits for other programs, and is tried again")
                time.sleep(_PAUSE_SECONDS)
    raise DatabaseBusy(
        "The schema was not upgraded, because other programs use its tables all the time. Nothing was changed. Stop "
        "the pools and all long transactions, and try again."
    )
