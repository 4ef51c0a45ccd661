"""One server for each database: a second one is refused, and a dead one is in nobody's way."""

from __future__ import annotations

import os
import platform
import shutil
import stat
from collections.abc import Generator
from datetime import datetime

import psycopg
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually
from tests.shared_database import create_database, drop_database, named

from workroom.store.embedded import EmbeddedPostgres

LOCK = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 7733 AND objid = 2 AND granted"


@pytest.fixture
def servers(own_database_url: str) -> Generator[tuple[LiveServer, LiveServer]]:
    """Two servers that share a database; neither is started."""
    settings = {"WORKROOM_DATABASE": own_database_url, "WORKROOM_LEASE_SECONDS": "60"}
    pair = LiveServer(**settings), LiveServer(**settings)
    yield pair
    for server in pair:
        server.remove()


async def test_a_second_server_is_refused_and_told_of_the_first(servers: tuple[LiveServer, LiveServer]) -> None:
    first, second = servers
    first.start()
    ada = await Someone.signs_in(first, "ada")
    room = await ada.makes_room("lab")
    worker = await PlainWorker.online(ada, room, "Relax")
    await ada.submits(room, "Relax")
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]

    with pytest.raises(AssertionError, match="did not start"):
        second.start()
    assert second.ended() == 1
    said = second.log()
    assert f"process {first.pid} on {platform.node()}, since {datetime.now():%Y-%m-%d}" in said
    assert "Traceback" not in said and "database of its own" in said

    await worker.is_seen("busy")
    assert (await worker.says(job, "completed"))["ok"], "the first one's worker was left alone"
    await worker.leaves()
    await ada.close()


def test_a_killed_server_does_not_keep_the_next_one_waiting(servers: tuple[LiveServer, LiveServer]) -> None:
    first, second = servers
    first.start()
    first.kill()
    second.start()  # it would be refused if the lock were not free within two seconds
    second.stop()
    first.start()


def test_a_data_folder_made_beside_an_external_database_fits_the_embedded_one(
    servers: tuple[LiveServer, LiveServer],
) -> None:
    """The account that runs PostgreSQL for root passes through it."""
    server, outer = servers[0], servers[0].data
    server.data, server.log_file = outer / "new", outer / "server.log"
    try:
        server.start().stop()
        assert stat.S_IMODE(server.data.stat().st_mode) == (0o711 if os.geteuid() == 0 else 0o700)
        with EmbeddedPostgres(server.data) as postgres, psycopg.connect(postgres.url):
            assert not (server.data / "postgres").is_symlink()
    finally:
        shutil.rmtree(outer)


def test_a_server_on_another_database_is_refused_in_the_same_folder(
    servers: tuple[LiveServer, LiveServer], postgres_url: str
) -> None:
    first, second = servers
    second.log_file, other = second.data / "server.log", f"test_{os.getpid()}_folder"
    outer, second.data = second.data, first.data
    create_database(postgres_url, other)
    try:
        second.change(WORKROOM_DATABASE=named(postgres_url, other))
        first.start()
        with pytest.raises(AssertionError, match="did not start"):
            second.start()
        assert second.ended() == 1
        said = second.log_file.read_text()
        assert f"{first.data} is in use by process {first.pid}" in said and "another database" in said
        first.stop()
        second.start().stop()
    finally:
        shutil.rmtree(outer)
        drop_database(postgres_url, other)


async def test_a_server_that_lost_its_lock_takes_it_again(
    servers: tuple[LiveServer, LiveServer], own_database_url: str
) -> None:
    server = servers[0].start()
    with psycopg.connect(own_database_url, autocommit=True) as connection:
        rows = connection.execute(LOCK).fetchall()
        connection.execute("SELECT pg_terminate_backend(%s)", rows[0])

        async def holders() -> list[tuple[int, ...]]:
            return connection.execute(LOCK).fetchall()

        await eventually(holders, lambda now: len(now) == 1 and now != rows, wanted="another session with the lock")
    ada = await Someone.signs_in(server, "ada")
    await ada.close()


@pytest.mark.full
def test_a_server_whose_database_was_taken_over_stops(
    servers: tuple[LiveServer, LiveServer], own_database_url: str
) -> None:
    server = servers[0].start()
    with psycopg.connect(own_database_url, autocommit=True) as connection, psycopg.connect(own_database_url) as other:
        (holder,) = connection.execute(LOCK).fetchone() or (None,)
        connection.execute("SELECT pg_terminate_backend(%s)", [holder])
        other.execute("SELECT pg_advisory_lock(7733, 2)")
        server.ended()
    assert "another server has taken over the database" in server.log()
