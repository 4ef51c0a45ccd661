"""PgBouncer between Workroom and PostgreSQL: transaction mode for statements, session mode for everything."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Generator
from typing import NamedTuple

import psycopg
import pytest
from tests.acceptance import pool_functions
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher
from tests.acceptance.server.database.pgbouncer import FILE, SESSIONS, pgbouncer
from tests.posting_backend import close_backend
from tests.store.postgres_server import TcpServer, tcp_server
from tests.structures import Atoms

from workroom import BadInput, ClusterPool, Registry, Room
from workroom.store.connections.pooler import check_address, connect_query
from workroom.store.migrate import upgrade

SECRET = "the same for all" * 4


class Poolers(NamedTuple):
    postgres: TcpServer
    direct: str
    transaction: str  # the pooler's address, without the name of a database
    session: str


@pytest.fixture(scope="module")
def poolers() -> Generator[Poolers]:
    with (
        tcp_server() as postgres,
        pgbouncer(postgres, "transaction") as transaction,
        pgbouncer(postgres, "session") as session,
    ):
        upgrade(postgres.url())
        yield Poolers(postgres, postgres.url(), transaction, session)


@pytest.fixture(scope="module")
def pooled_server(poolers: Poolers) -> Generator[LiveServer]:
    settings = {"WORKROOM_DATABASE": poolers.direct, "WORKROOM_POOLER": f"{poolers.transaction}/workroom"}
    server = LiveServer(**settings, WORKROOM_SECRET=SECRET).start()
    yield server
    server.remove()


def test_a_pooler_in_transaction_mode_is_refused_as_the_database(poolers: Poolers) -> None:
    wrong = f"{poolers.transaction}/workroom"
    with pytest.raises(BadInput, match=r"transaction or statement mode.*WORKROOM_POOLER"):
        check_address(wrong, None)
    for words in (["serve", "--port", "0"], ["pool", "--import", "tests.acceptance.pool_functions"], ["db", "check"]):
        command = [sys.executable, "-m", "workroom.cli", *words, "--database", wrong]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (ended.returncode, "WORKROOM_POOLER" in ended.stderr) == (1, True), ended.stderr
    with pytest.raises(BadInput, match="WORKROOM_POOLER"):
        Registry["square"].post_work([(1,)], database=wrong)


def test_a_pooler_that_cannot_carry_the_statements_is_refused(poolers: Poolers) -> None:
    check_address(poolers.direct, f"{poolers.transaction}/workroom")
    with pytest.raises(BadInput, match="connect_query='SET plan_cache_mode"):
        check_address(poolers.direct, f"{poolers.transaction}/bare")
    with pytest.raises(BadInput, match="does not lead to the database"):
        check_address(poolers.direct, f"{poolers.transaction}/elsewhere")


def test_the_file_in_deploy_sets_what_is_needed() -> None:
    assert f"connect_query='{connect_query()}'" in FILE.read_text()


async def whole_path_of_a_job(server: LiveServer, name: str) -> None:
    ada = await Someone.signs_in(server, f"ada-{name}")
    room = await ada.makes_room(name)
    watcher = await Watcher.joins(ada, room)
    worker = await PlainWorker.online(ada, room, "Relax", capacity=20)
    submitted = await asyncio.gather(*(ada.submits(room, "Relax", {"n": n}) for n in range(20)))
    jobs = [job["jobId"] for job in submitted]
    for _ in jobs:
        await worker.runs(await worker.gets(), result={"energy": -1.5})
    for job_id in jobs:
        await ada.sees(job_id, "completed")
    await watcher.until("job:state_changed", lambda body: body["jobId"] == jobs[-1] and body["status"] == "completed")
    await worker.leaves()
    await watcher.leaves()
    await ada.close()
    with Room(f"{name}-frames", server.url, f"ada-{name}") as frames, frames.lock():
        frames.extend([Atoms("OH2")] * 50)
        del frames[10:]
        frames.undo()
        assert len(frames) == 50


async def test_a_server_sends_statements_through_transaction_mode(
    pooled_server: LiveServer, poolers: Poolers, name: str
) -> None:
    await whole_path_of_a_job(pooled_server, name)
    with psycopg.connect(poolers.direct) as connection:
        own = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'workroom' AND datname = 'workroom'"
        ).fetchone()
    # One more is of a database of the pooler that was refused.
    assert own is not None and own[0] <= SESSIONS + 1, "all statements share the sessions of the pooler"


def test_a_pool_sends_statements_through_transaction_mode(
    pooled_server: LiveServer, poolers: Poolers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKROOM_DATABASE", poolers.direct)
    monkeypatch.setenv("WORKROOM_POOLER", f"{poolers.transaction}/workroom")
    try:
        posting = Registry["square"].post_work([(n,) for n in range(3_000)])
        with ClusterPool(3, imports=[pool_functions.__name__]):
            assert list(posting.wait(60).results()) == [n * n for n in range(3_000)]
            one = Registry["square"].post_work([(12,)])
            assert list(one.wait(20).results()) == [144]
    finally:
        close_backend(poolers.direct)


@pytest.mark.full
async def test_everything_goes_through_session_mode(poolers: Poolers, pooled_server: LiveServer, name: str) -> None:
    pooled_server.stop()  # a database has one server
    server = LiveServer(WORKROOM_DATABASE=f"{poolers.session}/workroom", WORKROOM_SECRET=SECRET).start()
    try:
        await whole_path_of_a_job(server, name)
    finally:
        server.remove()
        pooled_server.start()


def test_too_few_connections_are_told_at_the_start(poolers: Poolers) -> None:
    with psycopg.connect(poolers.direct, autocommit=True) as connection:
        connection.execute("CREATE ROLE few LOGIN SUPERUSER CONNECTION LIMIT 12 PASSWORD 'let me in'")
    command = [
        sys.executable,
        "-m",
        "workroom.cli",
        "serve",
        "--port",
        "0",
        "--database",
        poolers.postgres.url(user="few"),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "needs up to 23 connections" in ended.stderr and "allows 12" in ended.stderr
    assert "set `connections` to at most 9" in ended.stderr
