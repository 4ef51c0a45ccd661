"""P9-db: how soon the embedded database is there. (P9, the whole server, will stand beside it.)"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

import psycopg

from bench.place import Place, throw_away_folder
from bench.row import Group, Row
from workroom.store.embedded import EmbeddedPostgres
from workroom.store.migrate import upgrade

STARTS = 5
MILLISECONDS = 500


def measure(_place: Place) -> Iterator[Row]:
    """From nothing running to the first answer of an embedded PostgreSQL whose data folder is there already.

    A folder of its own, made and given its schema first; then stopped and started 5 times, the median counts. There is
    no floor: the target is what P9's 3 s leave to the database.
    """
    with throw_away_folder() as folder:
        with EmbeddedPostgres(folder) as postgres:
            upgrade(postgres.url)
        times: list[float] = []
        for _ in range(STARTS):
            started = time.perf_counter()
            with EmbeddedPostgres(folder) as postgres:
                with psycopg.connect(postgres.url) as connection:
                    connection.execute("SELECT version_num FROM alembic_version")
                times.append((time.perf_counter() - started) * 1000)
    value = median(times)
    yield Row(
        "P9-db",
        "second start of the embedded database to its first answer",
        value,
        "ms",
        None,
        f"≤ {MILLISECONDS}",
        value <= MILLISECONDS,
    )


GROUP = Group(("P9-db",), measure)
