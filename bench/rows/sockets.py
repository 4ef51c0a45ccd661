"""P7: memory for thousands of idle sockets, and the latency of jobs beside them; with one server and with Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx2

from bench.environment import Environment
from bench.live_processes import RestClient, running, server_process, workroom_server
from bench.redis_server import redis_server
from bench.row import Group, Row, measured
from bench.rows.push import quantile, workroom_roundtrips

SOCKETS, ROUNDTRIPS = 5_000, 400
KILOBYTES, MILLISECONDS = 100.0, 250.0


def measure(environment: Environment) -> Iterator[Row]:
    """5,000 sockets, connected and answering pings; then 400 jobs one after the other through a bare worker.

    Memory: the growth of the server's process divided by the sockets. Dispatch: p99 of the jobs, from submit to result.
    There is no floor.
    """
    yield from _rows("P7", environment.size(SOCKETS))


def measure_redis(environment: Environment) -> Iterator[Row]:
    """The same with two server processes, which reach each other through Redis. The memory is that of both together."""
    with redis_server() as redis:
        yield from _rows("P7-redis", environment.size(SOCKETS), "--replicas", "2", "--redis", redis)


def _rows(name: str, count: int, *options: str) -> Iterator[Row]:
    with workroom_server(*options) as (address, folder):
        grown, times = asyncio.run(_measure(address, folder, count))
    each = grown * 1024 / count
    what = f"server memory for each of {count:,} idle sockets" + (", 2 servers and Redis" if options else "")
    yield measured(name, what, each, "KB", target=f"≤ {KILOBYTES:g}", met=each <= KILOBYTES)
    slowest = quantile(times, 0.99)
    what = "submit to result by push beside them, p99"
    yield measured(f"{name}-dispatch", what, slowest, "ms", target=f"≤ {MILLISECONDS:g}", met=slowest <= MILLISECONDS)


async def _measure(address: str, folder: Path, count: int) -> tuple[float, list[float]]:
    async with workroom_roundtrips(address) as roundtrips:
        await roundtrips(100)
        before = _megabytes(folder)
        async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
            guest = await RestClient.sign_in(http, "listener")
        with running("bench.idle_sockets", address, guest.token, str(count), ready="ready"):
            await asyncio.sleep(2)  # memory of the handshakes is freed
            grown = _megabytes(folder) - before
            return grown, await roundtrips(ROUNDTRIPS)


def _megabytes(folder: Path) -> float:
    """The resident memory of the server of this folder, and of its processes on the port."""
    server = server_process(folder)
    replicas = [process for process in server.children() if "workroom.cli.serving.replica_process" in process.cmdline()]
    return sum(process.memory_info().rss for process in [server, *replicas]) / 2**20


GROUP = Group(("P7", "P7-dispatch"), measure)
REDIS_GROUP = Group(("P7-redis", "P7-redis-dispatch"), measure_redis)
