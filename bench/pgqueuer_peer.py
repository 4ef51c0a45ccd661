"""The same no-op jobs through PgQueuer, the fastest durable queue on PostgreSQL for Python that we know of.

It runs as its documentation recommends for speed: through asyncpg, on uvloop, jobs enqueued in one call for each ten
thousand, one manager in each process that drains the queue in batches of 200.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import asyncpg
from pgqueuer import AsyncpgDriver, Job, PgQueuer, Queries
from pgqueuer.types import QueueExecutionMode

from bench.parallel_loops import run_in_processes
from workroom.client.portal import new_loop

BATCH = 200
_CHUNK = 10_000


def rate(url: str, jobs: int, processes: int) -> float:
    """Jobs a second, from the first job enqueued to the last job done."""
    with asyncio.Runner(loop_factory=new_loop) as runner:
        enqueue_seconds = runner.run(_enqueue(url, jobs))
        done, seconds = run_in_processes(drain, url, batch=BATCH, processes=processes)
        assert sum(done) == jobs, f"{jobs} jobs enqueued, {done} done"
        remaining = runner.run(_count_queued(url))
    assert remaining == 0, f"{remaining} jobs are still queued"
    return jobs / (enqueue_seconds + seconds)


async def _enqueue(url: str, jobs: int) -> float:
    async with _connected(url) as connection:
        queries = Queries(AsyncpgDriver(connection))
        await queries.install()
        started = time.perf_counter()
        for start in range(0, jobs, _CHUNK):
            chunk = range(start, min(start + _CHUNK, jobs))
            await queries.enqueue(["noop"] * len(chunk), [b"%d" % n for n in chunk], [0] * len(chunk))
        return time.perf_counter() - started


async def drain(url: str, wait_until_all_are_ready: Callable[[], None], batch: int) -> int:
    """Run queued jobs until none is left; how many this process ran."""
    logging.getLogger("pgqueuer").setLevel(logging.ERROR)
    done = 0
    async with _connected(url) as connection:
        queuer = PgQueuer(AsyncpgDriver(connection))

        @queuer.entrypoint("noop")
        async def noop(job: Job) -> None:  # pyright: ignore[reportUnusedFunction]
            nonlocal done
            done += 1

        wait_until_all_are_ready()
        await queuer.run(batch_size=batch, mode=QueueExecutionMode.drain)
    return done


@asynccontextmanager
async def _connected(url: str) -> AsyncGenerator[Any]:
    connection = await cast(Any, asyncpg).connect(url)  # asyncpg declares no types
    try:
        yield connection
    finally:
        await connection.close()


async def _count_queued(url: str) -> int:
    async with _connected(url) as connection:
        return await connection.fetchval("SELECT count(*) FROM pgqueuer")
