"""One server for each database: a second one is refused, and a dead one is in nobody's way."""

from __future__ import annotations

import platform
from collections.abc import Generator
from datetime import datetime

import psycopg
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually

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
