"""Servers and pools under load open no more connections than the budget that they check at their start."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from tests.acceptance import pool_functions
from tests.acceptance.jobs.celery.celery_fleet import celery_server, celery_worker
from tests.acceptance.live import PROGRAM, ROOT, LiveServer, PlainWorker, Someone
from tests.acceptance.replicas.servers import Redis
from tests.faults.kill_campaign import wait_until
from tests.posting_backend import close_backend

from workroom.store.connections.budget import Need, of_pool, of_servers
from workroom.store.embedded import running_url

pytestmark = pytest.mark.full

# Transactions borrow connections of the name "workroom"; the sessions that last have longer names.
OPEN = """
SELECT count(*) FILTER (WHERE application_name LIKE 'workroom %'), count(*) FILTER (WHERE application_name = 'workroom')
FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
WAITS = b"SELECT EXISTS (SELECT FROM job WHERE posting_id = %s AND state <> 'completed')"


class Most:
    """The most connections of each kind that a database has had at a time."""

    def __init__(self) -> None:
        self.sessions = self.statements = self.together = 0

    def __str__(self) -> str:
        return f"at most {self.sessions} sessions, {self.statements} connections for statements, {self.together} in all"

    def keep_to(self, need: Need) -> None:
        assert self.sessions <= need.sessions
        assert self.statements <= need.statements
        assert self.together <= need.sessions + need.statements


@contextmanager
def watched(url: str) -> Generator[Most]:
    most, done = Most(), threading.Event()

    def look() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            while not done.wait(0.005):
                row = connection.execute(OPEN).fetchone()
                assert row is not None
                most.sessions, most.statements = max(most.sessions, row[0]), max(most.statements, row[1])
                most.together = max(most.together, row[0] + row[1])

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        done.set()
        thread.join()


async def test_replicas_keep_to_their_budget(own_database_url: str) -> None:
    replicas, connections = 2, 6
    server = LiveServer(
        WORKROOM_DATABASE=own_database_url, WORKROOM_REPLICAS=str(replicas), WORKROOM_CONNECTIONS=str(connections)
    )
    server.program = PROGRAM  # a real process: it starts others
    need = of_servers(replicas, connections)
    with watched(own_database_url) as most:
        server.start()
        try:
            ada = await Someone.signs_in(server, "ada")
            room = await ada.makes_room("load")
            await (await PlainWorker.online(ada, room, "Relax")).leaves()  # jobs wait for another one
            people = [await Someone.signs_in(server, f"user-{n}") for n in range(12)]  # of connections of their own
            for _ in range(5):
                await asyncio.gather(
                    *(one.submits(room, "Relax", {"n": n}) for one in people for n in range(10)),
                    *(one.get(f"/api/rooms/{room}/jobs") for one in people for _ in range(10)),
                )
            for someone in (ada, *people):
                await someone.close()
        finally:
            server.remove()
    print(f"\n{replicas} replicas with {connections} connections each: {most}; budget {need}")
    assert most.sessions == need.sessions and most.statements > connections, "the load reaches both processes"
    most.keep_to(need)


def test_a_celery_worker_and_its_server_keep_to_their_budgets(tmp_path: Path) -> None:
    redis = Redis().start()
    server = celery_server(redis.url, WORKROOM_CONNECTIONS="6").start()
    database = running_url(server.data)
    assert database is not None
    one, processes = of_servers(1, 6, publishes=True), 4
    try:
        with watched(database) as most:
            wait_until(lambda: most.sessions >= one.sessions, lambda: str(most))
        print(f"\na server that publishes: {most}; budget {one}")
        most.keep_to(one)
        with watched(database) as most:
            worker = celery_worker(server, redis.url, "--concurrency", str(processes), folder=tmp_path)
            posting = pool_functions.square.post_work([(n,) for n in range(500)], database=database)
            close_backend(database)
            worker.is_ready()
            with psycopg.connect(database, autocommit=True) as connection:
                wait_until(lambda: connection.execute(WAITS, [posting.id]).fetchone() == (False,))
            worker.stop()
        pool = of_pool(processes)
        # This process posts meanwhile: 4 and 1 of its own.
        both = Need(one.sessions + pool.sessions + 1, one.statements + pool.statements + 1 + 4)
        print(f"with a worker of {processes} processes: {most}; budget {both}")
        most.keep_to(both)
    finally:
        server.remove()
        redis.remove()


def test_a_pool_keeps_to_its_budget(database: str) -> None:
    processes = 4
    posting = pool_functions.square.post_work([(n,) for n in range(20_000)], database=database)
    close_backend(database)  # what is counted is the pool's
    need = of_pool(processes)
    command = ["pool", "--import", pool_functions.__name__, "--workers", str(processes), "--database", database]
    with watched(database) as most, psycopg.connect(database, autocommit=True) as connection:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        pool = subprocess.Popen([sys.executable, *PROGRAM, *command], env=environment, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: connection.execute(WAITS, [posting.id]).fetchone() == (False,))
        finally:
            pool.terminate()
            assert pool.wait(60) == 0
    print(f"\na pool of {processes} processes: {most}; budget {need}")
    assert most.sessions > processes and most.statements >= processes, "all processes are at work"
    most.keep_to(need)
