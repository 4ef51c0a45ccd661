"""Where rows are measured: an embedded PostgreSQL with throw-away data, as durable as a real one."""

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
class Place:
    """A running server, and how much is to be measured on it."""

    url: str
    share: float  # of the full size: 0.1 for --quick
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def size(self, full: int) -> int:
        return max(1, round(full * self.share))

    @contextmanager
    def database(self) -> Generator[str]:
        """The URL of a fresh database with Workroom's schema; dropping it makes a checkpoint, so all start alike."""
        name = f"bench_{next(self._numbers)}"
        self._command(sql.SQL("CREATE DATABASE {} TEMPLATE workroom").format(sql.Identifier(name)))
        try:
            yield self.url.replace("/workroom?", f"/{name}?")
        finally:
            self._command(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def settings(self) -> dict[str, str]:
        """What decides whether a commit is on disk, as the server itself says."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT name, setting FROM pg_settings WHERE name = ANY (%s) ORDER BY name", [list(DURABLE)]
            ).fetchall()
        return dict(rows)

    def _command(self, command: sql.Composed) -> None:
        with psycopg.connect(self.url, dbname="postgres", autocommit=True) as connection:
            connection.execute(command)


@contextmanager
def throw_away_folder() -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="workroom-bench-"))
    folder.chmod(0o711)  # as root the server runs under another account, which must pass through
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def open_place(share: float) -> Generator[Place]:
    with throw_away_folder() as folder, EmbeddedPostgres(folder) as postgres:
        upgrade(postgres.url)
        place = Place(postgres.url, share)
        assert place.settings() == DURABLE, f"speed without durability is worth nothing: {place.settings()}"
        yield place
