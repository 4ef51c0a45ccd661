"""REPLICAS: jobs through 1, 2 and 3 server processes on one port, which reach each other through Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2

from bench.environment import Environment
from bench.live_processes import RestClient, processor_seconds, running, server_processes, workroom_server
from bench.redis_server import redis_server
from bench.row import Group, Row, printed
from bench.rows.push import CHUNK, NOOP, SLOTS, quantile, workroom_roundtrips

COUNTS = (1, 2, 3)
JOBS, ROUNDTRIPS, WORKERS, SUBMITTERS = 12_000, 400, 4, 4


def measure(environment: Environment) -> Iterator[Row]:
    """No-op jobs through `workroom serve --replicas N` and 4 remote workers with 32 slots each, for N of 1, 2 and 3.

    4 submitters with connections of their own send 500 jobs at a time; the kernel distributes connections among the
    processes. Then jobs one after the other, from submit to result by push. There is no floor. On a machine whose cores
    are busy with PostgreSQL, workers and submitters, further processes cannot make it faster.
    """
    jobs, roundtrips = environment.size(JOBS), environment.size(ROUNDTRIPS)
    for count in COUNTS:
        with redis_server() as redis:
            options = ("--replicas", str(count), "--redis", redis)
            with workroom_server(*options) as (address, folder):
                rate, spent = asyncio.run(_rate(address, folder, jobs))
            with workroom_server(*options) as (address, _folder):
                times = asyncio.run(_roundtrips(address, roundtrips))
        name, processes = f"REPLICAS-{count}", f"{count} server process{'es' if count > 1 else ''}"
        yield printed(name, f"jobs through REST, push and {WORKERS} workers, {processes}", rate, "jobs/s")
        yield printed(f"{name}-server", f"processor time of servers for a job, {processes}", spent * 1000, "ms")
        for share in (0.5, 0.99):
            what = f"submit to result by push, idle, p{share * 100:g}, {processes}"
            yield printed(f"{name}-p{share * 100:g}", what, quantile(times, share), "ms")


async def _roundtrips(address: str, count: int) -> list[float]:
    async with workroom_roundtrips(address) as run:
        await run(50)
        return await run(count)


async def _rate(address: str, folder: Path, jobs: int) -> tuple[float, float]:
    """Jobs a second, and seconds of processor time of all server processes for a job."""
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        user = await RestClient.with_room(http)
        tokens = [await user.register_worker(SLOTS) for _ in range(WORKERS)]
        with ExitStack() as stack:
            for token in tokens:
                stack.enter_context(running("bench.bare_worker", address, token, ready="ready"))
            servers = server_processes(folder)
            before, started = processor_seconds(servers), time.perf_counter()
            shares = [range(first, jobs, SUBMITTERS) for first in range(SUBMITTERS)]
            await asyncio.gather(*(_submit(address, user.token, len(share)) for share in shares))
            stats = f"{NOOP}/stats".replace("/modifiers", "/room/modifiers")
            while (await http.get(stats)).json()["completedJobs"] < jobs:  # noqa: ASYNC110 - polls another process
                await asyncio.sleep(0.02)
            seconds, spent = time.perf_counter() - started, processor_seconds(servers) - before
            return jobs / seconds, spent / jobs


async def _submit(address: str, token: str, jobs: int) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(base_url=address, headers=headers, trust_env=False, timeout=60) as http:
        for first in range(0, jobs, CHUNK):
            data = [{"n": number} for number in range(first, min(first + CHUNK, jobs))]
            answer = await http.post(f"{NOOP}/submit-many", json={"data": data})
            assert answer.status_code == 202, answer.text


NAMES = tuple(f"REPLICAS-{count}{part}" for count in COUNTS for part in ("", "-server", "-p50", "-p99"))
GROUP = Group(NAMES, measure)
