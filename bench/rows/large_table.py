"""P6: how long a claim, statistics and a queue position take in a large table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from uuid import UUID

import psycopg

from bench.environment import Environment
from bench.noop_queue import NoopQueue, open_noop_queue, payloads
from bench.row import Group, Row, measured
from workroom.actions.engine import new_id
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.report import report
from workroom.actions.queries.extensions import stats
from workroom.actions.queries.jobs import queue_outlook
from workroom.domain import ids
from workroom.domain.jobs.outcomes import Report, Succeeded
from workroom.store.room_tables import rooms

FINISHED, PENDING, FEW = 1_000_000, 100_000, 100
CLAIMS_OF_ONE, CLAIMS_OF_MANY, MANY = 500, 100, 100
READS = 200
TIMES_SMALL, READ_MILLISECONDS = 1.5, 5.0
FINISHED_SQL = (Path(__file__).parent.parent / "finished_jobs.sql").read_bytes()


def measure(environment: Environment) -> Iterator[Row]:
    """A claim with 1,000,000 finished and 100,000 pending jobs in the table; also `stats` and `queue_outlook`.

    The floor is the same claim in a database of the same schema on the same server with 100 pending jobs and nothing
    else. The two take turns, claim by claim. Claimed jobs are completed and as many posted, untimed, so both tables
    keep their size. P6 is a claim of one job, P6-100 a claim of 100; medians, from the call in Python to its answer.
    P6-position is the slowest of three medians: for a job at the front, in the middle and at the end of the queue.
    """
    with ExitStack() as databases, asyncio.Runner() as runner:
        rows = _measure(environment, databases)
        while (row := runner.run(anext(rows, None))) is not None:  # each row as soon as it is measured
            yield row


async def _measure(environment: Environment, databases: ExitStack) -> AsyncGenerator[Row]:
    large_url, small_url = (databases.enter_context(environment.database()) for _ in range(2))
    async with open_noop_queue(large_url) as large_queue, open_noop_queue(small_url) as small_queue:
        await _fill_with_finished(large_url, large_queue, environment.size(FINISHED))
        large = await ClaimedQueue.open(large_queue, environment.size(PENDING))
        small = await ClaimedQueue.open(small_queue, FEW)
        for url in (large_url, small_url):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")
        beside = f"{environment.size(FINISHED):,} finished + {environment.size(PENDING):,} pending jobs in the table"
        yield await _claims("P6", large, small, 1, environment.size(CLAIMS_OF_ONE), beside)
        yield await _claims("P6-100", large, small, MANY, environment.size(CLAIMS_OF_MANY), beside)
        yield await _stats(large, environment.size(READS))
        yield await _position(large, environment.size(READS))


@dataclass(slots=True)
class ClaimedQueue:
    """A queue with one worker and a constant number of pending jobs."""

    queue: NoopQueue
    worker_id: UUID
    posting: UUID
    pending: int

    @classmethod
    async def open(cls, queue: NoopQueue, pending: int) -> ClaimedQueue:
        return cls(queue, await queue.register_worker(MANY), await queue.post(payloads(pending)), pending)

    async def claim(self, jobs: int) -> float:
        """The milliseconds of a claim. The claimed jobs are completed and replaced."""
        engine = self.queue.engine
        started = time.perf_counter()
        claimed = await claim(engine, self.worker_id, jobs)
        seconds = time.perf_counter() - started
        assert len(claimed) == jobs
        done = [Report(job.id, job.attempt, Succeeded(job.arguments), 0.1, 0.01) for job in claimed]
        assert not await report(engine, self.worker_id, done)
        await self.queue.post(payloads(jobs))
        return seconds * 1000


async def _claims(name: str, large: ClaimedQueue, small: ClaimedQueue, jobs: int, times: int, beside: str) -> Row:
    large_times: list[float] = []
    small_times: list[float] = []
    for _ in range(max(10, times)):
        large_times.append(await large.claim(jobs))
        small_times.append(await small.claim(jobs))
    value, floor = median(large_times), median(small_times)
    what = f"a claim of {jobs}, {beside}; floor: {small.pending} pending jobs alone"
    target = f"≤ {TIMES_SMALL} x floor"
    return measured(name, what, value, "ms", floor, target=target, met=value <= TIMES_SMALL * floor)


async def _stats(queue: ClaimedQueue, times: int) -> Row:
    engine, extension_id = queue.queue.engine, queue.queue.extension.id
    assert (await stats(engine, extension_id)).pending == queue.pending
    value = await _median_milliseconds(lambda: stats(engine, extension_id), times)
    target = f"≤ {READ_MILLISECONDS}"
    return measured("P6-stats", "stats of that queue", value, "ms", target=target, met=value <= READ_MILLISECONDS)


async def _position(queue: ClaimedQueue, times: int) -> Row:
    engine = queue.queue.engine
    front, middle, end = await _pending_jobs(queue)
    medians: list[float] = []
    for job_id in (front, middle, end):
        outlook = await queue_outlook(engine, job_id)
        assert outlook.queue_position is not None
        medians.append(await _median_milliseconds(lambda job_id=job_id: queue_outlook(engine, job_id), times))
    value = max(medians)
    at = " / ".join(f"{milliseconds:.1f}" for milliseconds in medians)
    what = f"queue position of a pending job, at the front / in the middle / at the end: {at}"
    target = f"≤ {READ_MILLISECONDS}"
    return measured("P6-position", what, value, "ms", target=target, met=value <= READ_MILLISECONDS)


async def _pending_jobs(queue: ClaimedQueue) -> tuple[UUID, UUID, UUID]:
    """Jobs of the posting at the front of the queue, in its middle and at its end."""
    with psycopg.connect(queue.queue.engine.database.url) as connection:
        rows = connection.execute(
            "SELECT id FROM job WHERE posting_id = %s AND state = 'pending' ORDER BY turn, id", [queue.posting]
        ).fetchall()
    assert rows
    return rows[min(10, len(rows) - 1)][0], rows[len(rows) // 2][0], rows[-1][0]


async def _median_milliseconds(read: Callable[[], Awaitable[object]], reads: int) -> float:
    times: list[float] = []
    for _ in range(max(20, reads)):
        started = time.perf_counter()
        await read()
        times.append((time.perf_counter() - started) * 1000)
    return median(times)


async def _fill_with_finished(url: str, queue: NoopQueue, jobs: int) -> None:
    async with queue.engine.database.connection() as connection:
        await rooms.create(connection, name="bench", owner_id=None, description="", visibility="public")
    values = {
        "prefix": _old_posting_id().bytes[:12],
        "jobs": jobs,
        "extension_id": queue.extension.id,
        "submitter": queue.submitter,
        "worker_id": await queue.register_worker(MANY),
    }
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(FINISHED_SQL, values)


def _old_posting_id() -> UUID:
    """The id of a posting of twenty days ago."""
    fresh = new_id()
    milliseconds = int.from_bytes(fresh.bytes[:6], "big") - int(timedelta(days=20).total_seconds() * 1000)
    return ids.posting_id(UUID(bytes=milliseconds.to_bytes(6, "big") + fresh.bytes[6:]))


GROUP = Group(("P6", "P6-100", "P6-stats", "P6-position"), measure)
