"""P2: jobs posted in a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median

import psycopg

from bench import bare_table
from bench.environment import Environment
from bench.noop_queue import open_noop_queue, payloads
from bench.row import Group, Row, measured
from workroom.actions.engine import new_id
from workroom.domain import ids

JOBS, ROUNDS = 100_000, 5
PER_SECOND = 100_000


def measure(environment: Environment) -> Iterator[Row]:
    """`post()` of 100,000 no-op jobs in one transaction, from Python values to the commit.

    The floor is COPY of the same ids and arguments, from the same Python values, into the table of
    `bench/bare_table.py`, also in one transaction. The two take turns for 5 rounds, always in a fresh database; the
    medians count.
    """
    jobs = environment.size(JOBS)
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(environment.rounds(ROUNDS)):
        with environment.database() as url:
            bare.append(jobs / bare_table.fill_tuned(url, ids.posting_id(new_id()), payloads(jobs)))
        with environment.database() as url:
            ours.append(jobs / asyncio.run(_post(url, jobs)))
    yield measured(
        "P2",
        f"post {jobs:,} no-op jobs; floor: COPY into a bare table",
        median(ours),
        "jobs/s",
        median(bare),
        target=f"≥ {PER_SECOND:,}",
        met=median(ours) >= PER_SECOND,
    )


async def _post(url: str, jobs: int) -> float:
    async with open_noop_queue(url) as queue:
        arguments = payloads(jobs)
        started = time.perf_counter()
        await queue.post(arguments)
        seconds = time.perf_counter() - started
    with psycopg.connect(url) as connection:
        written = connection.execute("SELECT count(*) FROM job WHERE state = 'pending'").fetchone()
    assert written == (jobs,)
    return seconds


GROUP = Group(("P2",), measure)
