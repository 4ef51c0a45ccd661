"""PgQueuer, the fastest durable queue on PostgreSQL for Python that we know of, doing the same no-op jobs.

Through its public API and as its documentation shows: jobs enqueued in one call for each ten thousand, one manager in
each process, draining the queue in batches of 200. It uses psycopg, as Workroom does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import psycopg
from pgqueuer import Job, PgQueuer, PsycopgDriver, Queries
from pgqueuer.types import QueueExecutionMode

from bench.processes import run_together

BATCH = 200
_PIECE = 10_000


def rate(url: str, jobs: int, processes: int) -> float:
    """Jobs a second from the first one enqueued to the last one done."""
    enqueuing = asyncio.run(_enqueue(url, jobs))
    done, seconds = run_together(loop, url, batch=BATCH, processes=processes)
    assert sum(done) == jobs, f"{jobs} enqueued, {done} done"
    with psycopg.connect(url) as connection:
        left = connection.execute("SELECT count(*) FROM pgqueuer").fetchone()
    assert left == (0,), f"left in the queue: {left}"
    return jobs / (enqueuing + seconds)


async def _enqueue(url: str, jobs: int) -> float:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        queries = Queries(PsycopgDriver(connection))
        await queries.install()
        started = time.perf_counter()
        for start in range(0, jobs, _PIECE):
            some = range(start, min(start + _PIECE, jobs))
            await queries.enqueue(["noop"] * len(some), [b"%d" % n for n in some], [0] * len(some))
        return time.perf_counter() - started


async def loop(url: str, wait_for_the_others: Callable[[], None], batch: int) -> int:
    logging.getLogger("pgqueuer").setLevel(logging.ERROR)
    done = 0
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        queuer = PgQueuer(PsycopgDriver(connection))

        @queuer.entrypoint("noop")
        async def noop(job: Job) -> None:  # pyright: ignore[reportUnusedFunction]
            nonlocal done
            done += 1

        wait_for_the_others()
        await queuer.run(batch_size=batch, mode=QueueExecutionMode.drain)
    return done
