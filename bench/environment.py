"""What rows are measured on: an embedded PostgreSQL with throw-away data and the durability of a real one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

from workroom.store.embedded import EmbeddedPostgres
from workroom.store.migrate import upgrade

DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


@dataclass(frozen=True)
class Environment:
    """A running PostgreSQL server, and the share of the full size to measure on it."""

    url: str
    share: float  # 1.0, or 0.1 for --quick
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def size(self, full: int) -> int:
        return max(1, round(full * self.share))

    def rounds(self, full: int) -> int:
        """How often a measurement is repeated: once shows that it works."""
        return full if self.share == 1 else 1

    @contextmanager
    def database(self) -> Generator[str]:
        """The URL of a fresh database with Workroom's schema. Dropping it makes a checkpoint for the next."""
        name = f"bench_{next(self._numbers)}"
        self._command(sql.SQL("CREATE DATABASE {} TEMPLATE workroom").format(sql.Identifier(name)))
        try:
            yield self.url.replace("/workroom?", f"/{name}?")
        finally:
            self._command(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def durability(self) -> dict[str, str]:
        """The server's settings that decide whether a commit is on disk."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT name, setting FROM pg_settings WHERE name = ANY (%s) ORDER BY name", [list(DURABLE)]
            ).fetchall()
        return dict(rows)

    def _command(self, command: sql.Composed) -> None:
        with psycopg.connect(self.url, dbname="postgres", autocommit=True) as connection:
            connection.execute(command)


@contextmanager
def temporary_folder() -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="workroom-bench-"))
    folder.chmod(0o711)  # as root the server runs under another account, which must be able to enter
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def open_environment(share: float) -> Generator[Environment]:
    with temporary_folder() as folder, EmbeddedPostgres(folder) as postgres:
        upgrade(postgres.url)
        environment = Environment(postgres.url, share)
        durability = environment.durability()
        assert durability == DURABLE, f"the server is not durable, so its speed means nothing: {durability}"
        yield environment
