"""Three servers: the leader of the upkeep is killed, one is restarted, Redis is flushed and killed.

In the complete test they are behind Caddy, and 50 workers run jobs meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from tests.acceptance.live import LiveServer, Someone, eventually
from tests.acceptance.replicas.servers import Redis, replica
from tests.acceptance.server.deploy.proxies import caddy
from tests.faults.fault_table import FaultRecorder

from workroom import AsyncRoom

JOBS = int(os.environ.get("WORKROOM_TEST_REPLICA_JOBS", "10000"))
PROCESSES, WORKERS_EACH = 5, 10
LEASE = 20  # seconds
LEADS = "this process does the upkeep now"


@contextmanager
def counting_workers(folder: Path, *urls: str) -> Generator[None]:
    program = Path(__file__).with_name("counting_workers.py")
    processes = [
        subprocess.Popen(
            [sys.executable, str(program), url, str(folder), str(WORKERS_EACH)], stdout=subprocess.PIPE, text=True
        )
        for url in urls
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "online\n"
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


@pytest.mark.fault("F13", "F5")
async def test_a_killed_server_and_a_flushed_redis_lose_and_double_nothing(
    own_database_url: str, fault: FaultRecorder
) -> None:
    """In every run: few jobs, and no proxy. The workers of the killed server wait until it is back."""
    database, jobs = own_database_url, 300
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    redis = Redis().start()
    settings = {"WORKROOM_LEASE_SECONDS": str(LEASE), "WORKROOM_GRACE_SECONDS": "15", "WORKROOM_CONFIRM_SECONDS": "2"}
    servers = [replica(database, redis.url, **settings).start() for _ in range(3)]
    ada = await Someone.signs_in(servers[0], "ada")
    await ada.makes_room("lab")
    assert (await ada.http.patch("/api/rooms/lab", json={"extensionsFrom": "guests"})).status_code == 200

    async def completed(wanted: int) -> None:
        await eventually(lambda: _counts(database), lambda now: now.get("completed", 0) >= wanted, within=60)

    try:
        with counting_workers(folder, servers[0].url, servers[1].url):
            submitting = asyncio.create_task(_submit_all(servers[2].url, jobs))
            await completed(jobs // 10)
            servers[0].kill()
            redis.flush()
            await completed(jobs // 5)
            await asyncio.to_thread(servers[0].start)
            await submitting
            await completed(jobs)
    finally:
        for server in servers:
            server.remove()
        redis.remove()
    runs = _executions(folder)
    shutil.rmtree(folder)
    lost = jobs - len({line.partition(" ")[0] for line in runs})
    doubled = sum(count > 1 for count in runs.values())
    for of in ("F13", "F5"):
        fault.record(of=of, runs=1, lost=lost, doubled=doubled)
    assert (lost, doubled) == (0, 0)
    await ada.close()


@pytest.mark.full
@pytest.mark.fault("F13", "F5")
async def test_nothing_is_lost_or_doubled_among_three_servers(own_database_url: str, fault: FaultRecorder) -> None:
    database = own_database_url
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    redis = Redis().start()
    settings = {"WORKROOM_LEASE_SECONDS": str(LEASE), "WORKROOM_GRACE_SECONDS": "15", "WORKROOM_CONFIRM_SECONDS": "10"}
    servers = [
        replica(database, redis.url, WORKROOM_CONNECTIONS="10", WORKROOM_PROXIES="127.0.0.1", **settings).start()
        for _ in range(3)
    ]
    ada = await Someone.signs_in(servers[0], "ada")
    await ada.makes_room("lab")
    assert (await ada.http.patch("/api/rooms/lab", json={"extensionsFrom": "guests"})).status_code == 200
    servers_lost, redis_lost = list[float](), list[float]()  # seconds until the next completion
    try:
        with caddy("Caddyfile", folder, *servers) as proxy, counting_workers(folder, *[proxy.url] * PROCESSES):
            began = time.monotonic()
            faults = asyncio.create_task(_faults(database, servers, redis, servers_lost, redis_lost))
            await _submit_all(proxy.url, JOBS)
            await faults
            counts = await eventually(
                lambda: _counts(database),
                lambda now: now.get("completed", 0) == JOBS,
                within=300,
                wanted="the end",
            )
            seconds = time.monotonic() - began
    finally:
        for server in servers:
            server.remove()
        redis.remove()
    runs = _executions(folder)
    shutil.rmtree(folder)
    jobs = Counter(line.partition(" ")[0] for line in runs)
    print(
        f"{JOBS:,} jobs, {PROCESSES * WORKERS_EACH} workers, 3 servers in {seconds:.0f} s: {counts}; "
        f"attempts begun twice {sum(count > 1 for count in runs.values())}, "
        f"jobs with several attempts {sum(count > 1 for count in jobs.values())}"
    )
    assert len(jobs) == JOBS
    doubled = sum(count > 1 for count in runs.values())
    lost = JOBS - counts["completed"]
    fault.record(of="F13", runs=2, lost=lost, doubled=doubled, recovery=servers_lost)
    fault.record(of="F5", runs=2, lost=lost, doubled=doubled, recovery=redis_lost)
    assert doubled == 0
    await ada.close()


async def _submit_all(url: str, jobs: int) -> None:
    slots = asyncio.Semaphore(50)
    async with AsyncRoom("lab", url, "ada") as room:

        async def submit(number: int) -> None:
            async with slots:
                await room.run("modifiers/Counted", seconds=0.001, idempotency_key=f"job-{number}")

        await asyncio.gather(*(submit(number) for number in range(jobs)))


async def _faults(
    database: str, servers: list[LiveServer], redis: Redis, servers_lost: list[float], redis_lost: list[float]
) -> None:
    """Each fault, once a further tenth of the jobs has completed."""
    await _completed(database, 0.1)
    leader, *others = servers
    assert LEADS in leader.log() and not any(LEADS in other.log() for other in others), "the first one leads"
    leader.kill()
    led_again = asyncio.create_task(_lead(others))
    await _completed(database, 0.2, servers_lost)
    await led_again
    await asyncio.to_thread(leader.start)
    await _completed(database, 0.3)
    redis.flush()
    await _completed(database, 0.4, redis_lost)
    redis.kill()
    await _completed(database, 0.5, redis_lost)
    redis.start()
    await _completed(database, 0.6)
    await asyncio.to_thread(servers[2].stop)
    await asyncio.to_thread(servers[2].start)
    await _completed(database, 0.7, servers_lost)


async def _lead(servers: list[LiveServer]) -> None:
    """One of them does the upkeep, within a lease."""
    began = time.monotonic()

    async def leaders() -> int:
        return sum(LEADS in server.log() for server in servers)

    await eventually(leaders, lambda count: count == 1, within=LEASE, wanted="another leader")
    print(f"another server does the upkeep {time.monotonic() - began:.2f} s after its leader was killed", flush=True)


async def _completed(database: str, share: float, recovery: list[float] | None = None) -> None:
    """Wait until this share of the jobs has completed. `recovery`: record how long the next completion took."""
    began, first = time.monotonic(), None
    while (now := (await _counts(database)).get("completed", 0)) < share * JOBS:
        first = now if first is None else first
        if recovery is not None and now > first:
            recovery.append(time.monotonic() - began)
            recovery = None
        await asyncio.sleep(0.05)
    print(f"{now:,} jobs completed, {time.monotonic() - began:.1f} s later", flush=True)


def _executions(folder: Path) -> Counter[str]:
    """How often each attempt, by job and number, has begun."""
    logs = [file for file in folder.glob("*.log") if file.stem.isdigit()]
    return Counter(line for file in logs for line in file.read_text().splitlines())


async def _counts(database: str) -> dict[str, int]:
    with psycopg.connect(database) as connection:
        return dict(connection.execute("SELECT state, count(*) FROM job GROUP BY state").fetchall())
