"""P1: how many jobs a second are claimed and completed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from statistics import median
from uuid import UUID

import psycopg

from bench import floor
from bench.place import Place
from bench.processes import run_together
from bench.row import Group, Row
from bench.shop import open_shop, payloads, pool_worker
from workroom.actions.engine import Engine, new_id
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.report import report
from workroom.domain import ids
from workroom.domain.jobs.outcomes import Report, Succeeded
from workroom.store.database import Database
from workroom.store.queue_tables import postings

JOBS, BATCH, PROCESSES, ROUNDS = 100_000, 500, 2, 5
PER_SECOND, SHARE_OF_FLOOR = 30_000, 0.7


def measure(place: Place) -> Iterator[Row]:
    """100,000 no-op jobs of a posting, claimed and completed by 2 processes in batches of 500, through the actions.

    Store level: no pool around it, no function called, the next batch not prefetched. Attempts are checked, times and
    results kept, counters and the posting's counts raised. The floor is a bare table with the same arguments, claimed
    and completed in the same batches by as many processes: as anybody would write it for P1, and with every trick of
    ours for P1-tuned (`bench/floor.py`). All take turns for 5 rounds, always in a fresh database; the
    medians count. After each round every job is looked at: all completed, none twice.
    """
    jobs = place.size(JOBS)
    ours: list[float] = []
    plain: list[float] = []
    tuned: list[float] = []
    for _ in range(ROUNDS):
        plain.append(_plain_floor(place, jobs))
        ours.append(_ours(place, jobs))
        tuned.append(_tuned_floor(place, jobs))
    value, beside = median(ours), median(plain)
    yield Row(
        "P1",
        f"claim + complete {jobs:,} no-op jobs, {PROCESSES} processes, batches of {BATCH}",
        value,
        "jobs/s",
        beside,
        f"≥ {SHARE_OF_FLOOR} x floor, ≥ {PER_SECOND:,}",
        value >= PER_SECOND and value >= SHARE_OF_FLOOR * beside,
    )
    yield Row(
        "P1-tuned",
        "the same beside a bare table with every trick of ours",
        value,
        "jobs/s",
        median(tuned),
        f"≥ {SHARE_OF_FLOOR} x floor",
        value >= SHARE_OF_FLOOR * median(tuned),
    )


def _plain_floor(place: Place, jobs: int) -> float:
    with place.database() as url:
        floor.fill_plainly(url, payloads(jobs))
        done, seconds = run_together(floor.plain_loop, url, batch=BATCH, processes=PROCESSES)
        assert sum(done) == jobs
        floor.check(url, jobs)
    return jobs / seconds


def _tuned_floor(place: Place, jobs: int) -> float:
    with place.database() as url:
        floor.fill(url, ids.posting_id(new_id()), payloads(jobs))
        done, seconds = run_together(floor.loop, url, batch=BATCH, processes=PROCESSES)
        assert sum(done) == jobs
        floor.check(url, jobs)
    return jobs / seconds


def _ours(place: Place, jobs: int) -> float:
    with place.database() as url:
        posting = asyncio.run(_post(url, jobs))
        done, seconds = run_together(loop, url, batch=BATCH, processes=PROCESSES)
        assert sum(done) == jobs
        check(url, posting, jobs)
    return jobs / seconds


async def _post(url: str, jobs: int) -> UUID:
    async with open_shop(url) as shop:
        return await shop.post(payloads(jobs))


async def loop(url: str, wait_for_the_others: Callable[[], None], batch: int) -> int:
    """A pool worker without the pool: claim a batch, report it done with its arguments as the results."""
    async with Database(url, connections=1) as database:
        engine = Engine(database)
        worker_id = await pool_worker(engine, batch)
        wait_for_the_others()
        total = 0
        while jobs := await claim(engine, worker_id, batch):
            done = [Report(job.id, job.attempt, Succeeded(job.arguments), 0.1, 0.01) for job in jobs]
            refused = await report(engine, worker_id, done)
            assert not refused
            total += len(jobs)
        return total


def check(url: str, posting: UUID, jobs: int) -> None:
    """Every job completed once, with its times and its result, and every counter says the same."""
    with psycopg.connect(url) as connection:
        states = connection.execute("SELECT state::text, count(*) FROM job GROUP BY state").fetchall()
        assert states == [("completed", jobs)], states
        whole = connection.execute(
            """SELECT count(*) FROM job WHERE attempt = 1 AND failures = 0 AND losses = 0 AND result = arguments
                   AND worker_id IS NOT NULL AND created_at < assigned_at
                   AND assigned_at < started_at AND started_at < finished_at"""
        ).fetchone()
        assert whole == (jobs,), f"completed at the first attempt, with times and result: {whole}"
        tally = connection.execute("SELECT sum(pending), sum(active), sum(completed) FROM job_count").fetchone()
        assert tally == (0, 0, jobs), f"pending, active, completed by the counters: {tally}"
    counted = asyncio.run(_posting(url, posting))
    assert (counted.status, counted.total, counted.completed) == ("completed", jobs, jobs), counted


async def _posting(url: str, posting: UUID) -> postings.PostingRow:
    async with Database(url, connections=1) as database, database.connection() as connection:
        row = await postings.get(connection, posting)
    assert row is not None
    return row


GROUP = Group(("P1", "P1-tuned"), measure)
