"""Redis, a server or its session with the database is lost: jobs and events still arrive, and nothing runs twice."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Generator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, eventually
from tests.acceptance.replicas.conftest import Replicas
from tests.acceptance.replicas.servers import Redis, replica

LEADS = "this process does the upkeep now"


@pytest.fixture
def breakable(own_database_url: str) -> Generator[Replicas]:
    """Two servers for one test, which may break them."""
    with ExitStack() as stack:  # whatever fails, no process is left
        redis = Redis().start()
        stack.callback(redis.remove)
        servers = [replica(own_database_url, redis.url) for _ in range(2)]
        for server in servers:
            stack.callback(server.remove)
            server.start()
        yield Replicas(own_database_url, redis, servers[0], servers[1])


async def test_while_redis_is_away_jobs_and_events_go_through_postgresql(breakable: Replicas) -> None:
    ada, bob = await Someone.signs_in(breakable.first, "ada"), await Someone.signs_in(breakable.second, "ada")
    room = await ada.makes_room("no-redis")
    worker = await PlainWorker.online(bob, room, "Relax")
    watcher = await Watcher.joins(bob, room)
    await worker.is_seen("idle")

    async def one_job(n: int) -> None:
        job_id = (await ada.submits(room, "Relax", {"n": n}))["jobId"]
        job = await worker.gets(within=10)
        while job["jobId"] != job_id:  # sent again after a loss
            job = await worker.gets(within=10)
        await worker.runs(job)
        assert (await ada.sees(job_id, "completed"))["attempt"] == 1
        await watcher.until("job:state_changed", lambda body: body["jobId"] == job_id, within=10)

    await one_job(1)
    breakable.redis.kill()
    await one_job(2)
    long = "é" * 9_000  # more than fits into one notification
    assert (await ada.http.post(f"/api/rooms/{room}/chat", json={"text": long})).status_code == 201
    assert (await watcher.until("chat:message", lambda body: True, within=10))["text"] == long
    breakable.redis.start()
    await eventually(lambda: _log(breakable.second), lambda log: "redis is back" in log, within=20)
    await one_job(3)
    breakable.redis.pause()  # it neither answers nor closes its connections
    await one_job(4)
    breakable.redis.go_on()
    await one_job(5)
    await watcher.leaves()
    await worker.leaves()
    for someone in (ada, bob):
        await someone.close()


@pytest.mark.full
async def test_a_stopped_redis_delays_the_first_messages_only(breakable: Replicas) -> None:
    """For longer than a subscription may be silent: it is lost meanwhile, and tried again."""
    ada, bob = await Someone.signs_in(breakable.first, "ada"), await Someone.signs_in(breakable.second, "ada")
    room = await ada.makes_room("stopped-redis")
    worker = await PlainWorker.online(bob, room, "Relax")
    near, far = await Watcher.joins(ada, room), await Watcher.joins(bob, room)
    await worker.is_seen("idle")
    breakable.redis.pause()
    dispatches, local_events, far_events = list[float](), list[float](), list[float]()
    for n in range(12):
        began = time.monotonic()
        job_id = (await ada.submits(room, "Relax", {"n": n}))["jobId"]
        job = await worker.gets(within=10)
        assert job["jobId"] == job_id
        dispatches.append(time.monotonic() - began)
        await worker.runs(job)
        began = time.monotonic()
        assert (await ada.http.post(f"/api/rooms/{room}/chat", json={"text": str(n)})).status_code == 201
        for watcher, seconds in ((near, local_events), (far, far_events)):
            await watcher.until("chat:message", lambda body, n=n: body["text"] == str(n), within=10)
            seconds.append(time.monotonic() - began)
        await asyncio.sleep(0.8)
    breakable.redis.go_on()
    names = ("dispatch", "event at its server", "event at the other server")
    for name, seconds in zip(names, (dispatches, local_events, far_events), strict=True):
        print(
            f"\n{name} while redis is stopped: first {seconds[0]:.2f} s, then at most {max(seconds[1:]):.2f} s", end=""
        )
        assert max(seconds[1:]) < 0.5, name
        assert seconds[0] < 2, name
    await eventually(lambda: _log(breakable.second), lambda log: "redis is back" in log, within=20)
    for one in (near, far, worker):
        await one.leaves()
    for someone in (ada, bob):
        await someone.close()


async def test_after_lost_messages_clients_are_told_and_jobs_are_sent_again(breakable: Replicas) -> None:
    """The second server is stopped while the first sends, and its connections are cut."""
    ada, bob = await Someone.signs_in(breakable.first, "ada"), await Someone.signs_in(breakable.second, "ada")
    room = await ada.makes_room("lost-messages")
    worker = await PlainWorker.online(bob, room, "Relax")
    await worker.is_seen("idle")
    watcher = await Watcher.joins(bob, room)
    await watcher.until("presence:changed", lambda body: True)
    os.kill(breakable.second.pid, signal.SIGSTOP)
    try:
        with psycopg.connect(breakable.database, autocommit=True) as connection:
            job_id = (await ada.submits(room, "Relax"))["jobId"]
            # Redis believes that the second server is there. What Redis has for it is lost with the connection.
            breakable.redis.kill()
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'workroom listener' AND datname = current_database()"
            )
    finally:
        os.kill(breakable.second.pid, signal.SIGCONT)
    breakable.redis.start()
    job = await worker.gets(within=20)
    assert job["jobId"] == job_id
    await worker.runs(job)
    assert (await ada.sees(job_id, "completed"))["attempt"] == 1
    for someone in (ada, bob):
        await someone.close()
    await watcher.leaves()
    await worker.leaves()


async def test_the_workers_of_a_killed_server_are_offline_at_once_and_go_on_elsewhere(breakable: Replicas) -> None:
    ada = await Someone.signs_in(breakable.second, "ada")
    room = await ada.makes_room("killed")
    worker = PlainWorker(ada)
    assert (await worker.registers(room, "Relax", onWorkerLost="requeue")).status_code == 201
    await worker.sio.connect(breakable.first.url, auth={"token": worker.token}, transports=["websocket"])
    await worker.is_seen("idle")
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    breakable.first.kill()
    await worker.is_seen("offline")  # its lease would last for a minute
    back = PlainWorker(ada)
    back.id, back.token = worker.id, worker.token
    await back.attaches()
    assert (await back.says(job, "completed"))["ok"]
    assert (await ada.sees(job_id, "completed"))["attempt"] == 1
    await back.leaves()
    await worker.leaves()
    await ada.close()


async def test_another_server_leads_the_upkeep_within_a_lease_after_the_leader_was_killed(breakable: Replicas) -> None:
    lease = 3.0
    for server in (breakable.second, breakable.first):
        server.stop()
        server.change(WORKROOM_LEASE_SECONDS=str(lease))
    for server in (breakable.first, breakable.second):
        server.start()
        await eventually(lambda: _log(breakable.first), lambda log: log.count(LEADS) == 2, within=20)
    assert LEADS not in breakable.second.log()
    ada = await Someone.signs_in(breakable.second, "ada")
    room = await ada.makes_room("led")
    worker = await PlainWorker.online(ada, room, "Relax")
    due = datetime.now(UTC) + timedelta(seconds=1)
    job_id = (await ada.submits(room, "Relax", runAt=due.isoformat()))["jobId"]
    breakable.first.kill()
    began = time.monotonic()
    await eventually(lambda: _log(breakable.second), lambda log: LEADS in log, within=lease)
    print(f"\nthe upkeep has another leader {time.monotonic() - began:.2f} s after a kill -9 (lease {lease:g} s)")
    # A job whose time has come is queued by the leader alone.
    job = await worker.gets(within=lease)
    assert job["jobId"] == job_id
    await worker.runs(job)
    await ada.sees(job_id, "completed")
    await worker.leaves()
    await ada.close()


@pytest.mark.full
async def test_a_server_whose_session_was_cut_attaches_its_workers_again(breakable: Replicas) -> None:
    ada = await Someone.signs_in(breakable.first, "ada")
    room = await ada.makes_room("cut")
    worker = await PlainWorker.online(ada, room, "Relax")
    await worker.is_seen("idle")
    with psycopg.connect(breakable.database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name LIKE 'workroom replica %' AND datname = current_database()"
        )
    await eventually(lambda: _log(breakable.first), lambda log: "server lock taken again" in log, within=20)
    for n in range(3):
        await ada.submits(room, "Relax", {"n": n})
        await worker.runs(await worker.gets(within=10))
    await worker.leaves()
    await ada.close()


@pytest.mark.full
async def test_all_servers_together_allow_as_many_wrong_passwords_as_one(breakable: Replicas) -> None:
    for server in (breakable.first, breakable.second):
        server.stop()
        server.change(WORKROOM_LOGINS_PER_MINUTE="5")
        server.start()
    ada = await Someone.signs_in(breakable.first, "ada")
    bob = await Someone.signs_in(breakable.second, "bob")
    watcher = await Watcher.joins(ada, await ada.makes_room("limits"))
    other = await Watcher.joins(bob, "limits")
    await watcher.until("presence:changed", lambda body: body["total"] == 2, within=10)  # the servers know each other

    async def wrong(someone: Someone) -> int:
        answer = await someone.http.post("/api/login", json={"user": "admin", "password": "wrong"})
        await asyncio.sleep(0.2)  # the other server hears of it
        return answer.status_code

    statuses = [await wrong(someone) for someone in (ada, bob) * 3]
    assert statuses == [401] * 5 + [429]
    for one in (watcher, other):
        await one.leaves()
    for someone in (ada, bob):
        await someone.close()


async def _log(server: LiveServer) -> str:
    return server.log()
