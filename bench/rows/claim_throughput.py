"""P1: jobs claimed and completed in a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from statistics import median
from uuid import UUID

import psycopg

from bench import bare_table
from bench.environment import Environment
from bench.noop_queue import open_noop_queue, payloads, register_pool_worker
from bench.parallel_loops import run_in_processes
from bench.row import Group, Row, measured, printed
from workroom.actions.engine import Engine, new_id
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.report import report
from workroom.domain import ids
from workroom.domain.jobs.outcomes import Report, Succeeded
from workroom.store.database import Database
from workroom.store.queue_tables import postings

JOBS, BATCH, PROCESSES, ROUNDS = 100_000, 500, 2, 5
PER_SECOND, SHARE_OF_FLOOR = 30_000, 0.7


def measure(environment: Environment) -> Iterator[Row]:
    """100,000 no-op jobs of a posting, claimed and completed by 2 processes in batches of 500, through the actions.

    There is no pool, no function is called, and no batch is prefetched. Attempts are checked, times and results are
    stored, counters and the counts of the posting are updated. The floor is a bare table with the same arguments,
    claimed and completed in the same batches by as many processes: the plain floor of `bench/bare_table.py` for P1, its
    tuned floor for P1-tuned. All take turns for 5 rounds, always in a fresh database; the medians count. After each
    round every job is checked: all are completed, none twice.
    """
    jobs = environment.size(JOBS)
    ours: list[float] = []
    plain: list[float] = []
    tuned: list[float] = []
    for _ in range(environment.rounds(ROUNDS)):
        plain.append(_plain_floor(environment, jobs))
        ours.append(_ours(environment, jobs))
        tuned.append(_tuned_floor(environment, jobs))
    value, floor = median(ours), median(plain)
    yield measured(
        "P1",
        f"claim + complete {jobs:,} no-op jobs, {PROCESSES} processes, batches of {BATCH}",
        value,
        "jobs/s",
        floor,
        target=f"≥ {SHARE_OF_FLOOR} x floor, ≥ {PER_SECOND:,}",
        met=value >= PER_SECOND and value >= SHARE_OF_FLOOR * floor,
    )
    what = "the same beside a bare table with every optimisation of Workroom"
    yield printed("P1-tuned", what, value, "jobs/s", median(tuned))


def _plain_floor(environment: Environment, jobs: int) -> float:
    with environment.database() as url:
        bare_table.fill_plain(url, payloads(jobs))
        done, seconds = run_in_processes(bare_table.drain_plain, url, batch=BATCH, processes=PROCESSES)
        assert sum(done) == jobs
        bare_table.check(url, jobs)
    return jobs / seconds


def _tuned_floor(environment: Environment, jobs: int) -> float:
    with environment.database() as url:
        bare_table.fill_tuned(url, ids.posting_id(new_id()), payloads(jobs))
        done, seconds = run_in_processes(bare_table.drain_tuned, url, batch=BATCH, processes=PROCESSES)
        assert sum(done) == jobs
        bare_table.check(url, jobs)
    return jobs / seconds


def _ours(environment: Environment, jobs: int) -> float:
    with environment.database() as url:
        posting = asyncio.run(_post(url, jobs))
        done, seconds = run_in_processes(drain, url, batch=BATCH, processes=PROCESSES)
        assert sum(done) == jobs
        check(url, posting, jobs)
    return jobs / seconds


async def _post(url: str, jobs: int) -> UUID:
    async with open_noop_queue(url) as queue:
        return await queue.post(payloads(jobs))


async def drain(url: str, wait_until_all_are_ready: Callable[[], None], batch: int) -> int:
    """The statements of a pool worker: claim a batch, report it completed with its arguments as the results."""
    async with Database(url, connections=1) as database:
        engine = Engine(database)
        worker_id = await register_pool_worker(engine, batch)
        wait_until_all_are_ready()
        total = 0
        while jobs := await claim(engine, worker_id, batch):
            done = [Report(job.id, job.attempt, Succeeded(job.arguments), 0.1, 0.01) for job in jobs]
            rejected = await report(engine, worker_id, done)
            assert not rejected
            total += len(jobs)
        return total


def check(url: str, posting: UUID, jobs: int) -> None:
    """Every job is completed once, with its times and its result, and every counter agrees."""
    with psycopg.connect(url) as connection:
        states = connection.execute("SELECT state::text, count(*) FROM job GROUP BY state").fetchall()
        assert states == [("completed", jobs)], states
        complete = connection.execute(
            """SELECT count(*) FROM job WHERE attempt = 1 AND failures = 0 AND losses = 0 AND result = arguments
                   AND worker_id IS NOT NULL AND created_at < assigned_at
                   AND assigned_at < started_at AND started_at < finished_at"""
        ).fetchone()
        assert complete == (jobs,), f"completed at the first attempt, with times and result: {complete}"
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
