"""P9: how long the server and the embedded database take to start."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

import psycopg

from bench.environment import Environment, temporary_folder
from bench.live_processes import running
from bench.row import Group, Row, measured
from workroom.store.embedded import EmbeddedPostgres
from workroom.store.migrate import upgrade

STARTS = 5
MILLISECONDS, SECONDS = 500, 3


def measure_database(_environment: Environment) -> Iterator[Row]:
    """From the start of an embedded PostgreSQL on an existing data folder to its first answer.

    The folder gets its schema first; then the server is stopped and started 5 times, the median counts. There is no
    floor: the target is the database's share of the 3 s of P9.
    """
    with temporary_folder() as folder:
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
    what, target = "second start of the embedded database to its first answer", f"≤ {MILLISECONDS}"
    yield measured("P9-db", what, value, "ms", target=target, met=value <= MILLISECONDS)


def measure_server(_environment: Environment) -> Iterator[Row]:
    """From the command to the line with the address, on an existing data folder; the median of 3."""
    times: list[float] = []
    with temporary_folder() as folder:
        arguments = ("workroom.cli", "serve", "--port", "0", "--data", str(folder))
        for _ in range(4):
            started = time.perf_counter()
            with running(*arguments, ready="listens at"):
                times.append(time.perf_counter() - started)
    value = median(times[1:])
    yield measured("P9", "second start of the server to ready", value, "s", target=f"≤ {SECONDS}", met=value <= SECONDS)


DATABASE_GROUP = Group(("P9-db",), measure_database)
GROUP = Group(("P9",), measure_server)
