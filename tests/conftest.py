"""One PostgreSQL for the whole run, and a fresh database for every test that asks for one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from psycopg import sql

from tests import prepared_cluster
from tests.posting_backend import close_backend
from tests.workshop import Workshop
from workroom.actions.engine import Engine
from workroom.store.database import Database
from workroom.store.embedded import EmbeddedPostgres
from workroom.store.migrate import upgrade

# An example that takes long on a busy machine says nothing about the code.
settings.register_profile("workroom", deadline=None)
settings.load_profile("workroom")

_numbers = count(1)
# The secret of guests is stored below this folder; tests must not use the one of the person who runs them.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="workroom-test-state-")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a process that xdist starts
        prepared_cluster.make_folder()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        prepared_cluster.remove_folder()


# The folders whose files take longest come first, so that all processes end at about the same time.
_ORDER = ("web", "acceptance", "faults", "model", "store", "actions", "unit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        return _ORDER.index(folder) if folder in _ORDER else len(_ORDER)

    items.sort(key=place)


@pytest.fixture(scope="session")
def postgres_url() -> Generator[str]:
    """An embedded PostgreSQL with throw-away data, its database `workroom` brought up to date.

    WORKROOM_TEST_DATABASE names another one instead: the URL of an empty database `workroom`, as its superuser.
    """
    if url := os.environ.get("WORKROOM_TEST_DATABASE"):
        upgrade(url)
        yield url
        return
    data = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    data.chmod(0o711)
    prepared_cluster.copy_cluster(data)
    try:
        with EmbeddedPostgres(data) as postgres:
            upgrade(postgres.url)
            _write_without_fsync(postgres.url)
            yield postgres.url
    finally:
        shutil.rmtree(data, ignore_errors=True)


def _write_without_fsync(url: str) -> None:
    """Tests that kill PostgreSQL start their own. Here every test makes and drops a database: five times as fast so."""
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
def database_url(postgres_url: str) -> Generator[str]:
    """The URL of a database of its own, copied from the one brought up to date."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(postgres_url, dbname="postgres", autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE workroom STRATEGY file_copy").format(sql.Identifier(name))
        )
    yield postgres_url.replace("/workroom?", f"/{name}?")
    with psycopg.connect(postgres_url, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Generator[str]:
    """The same as the database that postings and pools use by default."""
    monkeypatch.setenv("WORKROOM_DATABASE", database_url)
    yield database_url
    close_backend(database_url)


@pytest.fixture
async def engine(database_url: str) -> AsyncGenerator[Engine]:
    async with Database(database_url, connections=16) as database:
        yield Engine(database)


@pytest.fixture
async def workshop(engine: Engine) -> Workshop:
    """An engine with a person and a room, and factories for everything else."""
    return await Workshop.furnish(engine)
