"""The schema goes to the next version while pools, workers and clients of this one go on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from tests.acceptance import pool_functions
from tests.acceptance.live import PROGRAM, ROOT, LiveServer, Someone
from tests.acceptance.replicas.servers import external_database
from tests.acceptance.server.database.next_version import NextVersion
from tests.posting_backend import close_backend
from tests.workshop import MISCOUNTED

from workroom import ClusterPool, Registry
from workroom.store.migrate import revision


@pytest.mark.full
def test_a_pool_goes_on_while_the_schema_is_upgraded(database: str, tmp_path: Path) -> None:
    """A long transaction keeps the migration from its locks; calls must not wait behind the migration."""
    new = NextVersion(tmp_path)
    with ClusterPool(2, [pool_functions.__name__], database), psycopg.connect(database) as reader:
        assert list(Registry["square"].post_work([(2,)]).wait(30).results()) == [4]
        reader.execute("SELECT count(*) FROM job")  # its transaction stays open
        with new.running("db", "upgrade", "--database", database) as upgrading:
            _until(lambda: _migration_waits(database))
            for _ in range(3):
                assert len(list(Registry["square"].post_work([(n,) for n in range(200)]).wait(20).results())) == 200
            assert upgrading.poll() is None and revision(database) == "0001"
            reader.rollback()
            output, errors = upgrading.communicate(timeout=60)
        assert (upgrading.returncode, "The schema is now 0002" in output) == (0, True), errors
        after = Registry["square"].post_work([(n,) for n in range(500)])
        assert len(list(after.wait(20).results())) == 500, "the old version works with the new schema"
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM job WHERE attempt <> 1 OR state <> 'completed'").fetchone() == (
            0,
        )
        assert connection.execute(MISCOUNTED.encode()).fetchall() == []
    old = subprocess.run(
        [sys.executable, *PROGRAM, "db", "check", "--database", database], capture_output=True, text=True, check=False
    )
    assert old.returncode == 1 and "Upgrade this program" in old.stderr


def _until(true: Any) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


def _migration_waits(database: str) -> bool:
    with psycopg.connect(database) as connection:
        waits = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock')"
        return connection.execute(waits).fetchone() == (True,)


@pytest.mark.full
async def test_workers_and_clients_ride_through_an_upgrade_of_the_server(tmp_path: Path) -> None:
    """A server of this version is replaced by one of the next; every acknowledged job ends once, none is lost."""
    new = NextVersion(tmp_path)
    with external_database() as database:
        server = LiveServer(WORKROOM_DATABASE=database, WORKROOM_SECRET="the same for both" * 3)
        server.program = PROGRAM
        server.start()
        ada = await Someone.signs_in(server, "ada")
        room = await ada.makes_room("lab")
        worker = _worker(ada, room)
        try:
            posting = Registry["square"].post_work([(n,) for n in range(20_000)], database=database)
            with ClusterPool(2, [pool_functions.__name__], database):
                acknowledged: list[str] = []
                stop = asyncio.Event()
                submitting = asyncio.create_task(_submits(ada, room, acknowledged, stop))
                await _grows_by(acknowledged, 50)
                await asyncio.to_thread(server.stop)
                server.change(PYTHONPATH=new.path)
                await asyncio.to_thread(server.start)
                assert revision(database) == "0002"
                await _grows_by(acknowledged, 50)
                stop.set()
                await submitting
                for job_id in acknowledged:
                    assert (await ada.sees(job_id, "completed", "failed", within=60))["status"] == "completed"
                assert len(list(posting.wait(60).results())) == 20_000
        finally:
            worker.terminate()
            worker.wait(20)
            await ada.close()
            server.remove()
            close_backend(database)
        print(f"{len(acknowledged)} jobs acknowledged around the upgrade")
        with psycopg.connect(database) as connection:
            counts = connection.execute("SELECT state::text, count(*), max(attempt) FROM job GROUP BY 1").fetchall()
            assert counts == [("completed", 20_000 + len(acknowledged), 1)], counts


def _worker(owner: Someone, room: str) -> subprocess.Popen[bytes]:
    noop = str(ROOT / "bench" / "noop_extension.py")
    options = ["--room", room, "--url", owner.server.url, "--token", owner.token]
    return subprocess.Popen([sys.executable, *PROGRAM, "worker", noop, *options])


async def _grows_by(acknowledged: list[str], jobs: int) -> None:
    wanted = len(acknowledged) + jobs
    async with asyncio.timeout(60):
        while len(acknowledged) < wanted:  # noqa: ASYNC110 - another task fills it
            await asyncio.sleep(0.02)


async def _submits(ada: Someone, room: str, acknowledged: list[str], stop: asyncio.Event) -> None:
    """Submit one job after the other, again and again with the same key while no server answers."""
    while not stop.is_set():
        body = {"data": {"n": 1}, "idempotencyKey": f"job {len(acknowledged)}"}
        try:
            answer = await ada.http.post(f"/api/rooms/{room}/extensions/modifiers/Noop/submit", json=body)
        except httpx2.HTTPError:
            await asyncio.sleep(0.05)
            continue
        if answer.status_code == 202:
            acknowledged.append(answer.json()["jobId"])
        else:  # the worker has not registered yet, or the server stops
            assert answer.status_code in (404, 503), answer.text
            await asyncio.sleep(0.05)
