"""One PostgreSQL for each process of the run, and an empty database for every test that asks for one."""

from __future__ import annotations

import logging
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
from structlog.stdlib import ProcessorFormatter

from tests import prepared_cluster, temporary_files
from tests.posting_backend import close_backend
from tests.shared_database import SharedDatabase, create_database, drop_database, named
from tests.workshop import Workshop
from workroom.actions.engine import Engine
from workroom.store.database import Database
from workroom.store.embedded import EmbeddedPostgres
from workroom.store.migrate import upgrade

# An example that takes long on a busy machine says nothing about the code.
settings.register_profile("workroom", deadline=None)
settings.load_profile("workroom")

_numbers = count(1)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a process that xdist starts
        temporary_files.choose_folder()
        prepared_cluster.make_folder()
    # The secret of guests is stored below this folder; tests must not use the one of the person who runs them.
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="workroom-test-state-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        prepared_cluster.remove_folder()
        temporary_files.remove_folder()


# The folders whose files take longest come first, so that all processes end at about the same time.
_ORDER = ("web", "acceptance", "faults", "model", "store", "actions", "unit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        return _ORDER.index(folder) if folder in _ORDER else len(_ORDER)

    items.sort(key=place)


@pytest.fixture(autouse=True)
def log_settings_restored() -> Generator[None]:
    """Commands that a test runs in this process configure its log."""
    root, own = logging.getLogger(), logging.getLogger("workroom")
    levels = root.level, own.level
    yield
    for handler in list(root.handlers):
        if isinstance(handler.formatter, ProcessorFormatter):
            root.removeHandler(handler)
    root.setLevel(levels[0])
    own.setLevel(levels[1])


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


@pytest.fixture(scope="session")
def shared_database(postgres_url: str) -> Generator[SharedDatabase]:
    shared = SharedDatabase(postgres_url)
    yield shared
    shared.drop()


@pytest.fixture
def database_url(shared_database: SharedDatabase) -> Generator[str]:
    """The URL of an empty database, which all tests of this process use in turn."""
    yield shared_database.url()
    shared_database.clear()


@pytest.fixture
def own_database_url(postgres_url: str) -> Generator[str]:
    """The URL of a database of its own, for a test whose processes may still connect when it has ended."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    create_database(postgres_url, name)
    yield named(postgres_url, name)
    drop_database(postgres_url, name)


@pytest.fixture
def database(own_database_url: str, monkeypatch: pytest.MonkeyPatch) -> Generator[str]:
    """The URL of a database of its own, which postings and pools use by default."""
    monkeypatch.setenv("WORKROOM_DATABASE", own_database_url)
    yield own_database_url
    close_backend(own_database_url)


@pytest.fixture
async def engine(database_url: str) -> AsyncGenerator[Engine]:
    async with Database(database_url, connections=16) as database:
        yield Engine(database)


@pytest.fixture
async def workshop(engine: Engine) -> Workshop:
    """An engine with a person and a room, and factories for everything else."""
    return await Workshop.furnish(engine)
