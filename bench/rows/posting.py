"""P2: how many jobs a second are posted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median

import psycopg

from bench import floor
from bench.place import Place
from bench.row import Group, Row
from bench.shop import open_shop, payloads
from workroom.actions.engine import new_id
from workroom.domain import ids

JOBS, ROUNDS = 100_000, 5
PER_SECOND = 100_000


def measure(place: Place) -> Iterator[Row]:
    """`post()` of 100,000 no-op jobs in one transaction, from Python values to the commit.

    The floor is COPY of the same ids and arguments, made from the same Python values, into the bare table of
    `bench/floor.py`, in one transaction too. Each takes turns for 5 rounds, always in a fresh database; the
    medians count.
    """
    jobs = place.size(JOBS)
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(ROUNDS):
        with place.database() as url:
            bare.append(jobs / floor.fill(url, ids.posting_id(new_id()), payloads(jobs)))
        with place.database() as url:
            ours.append(jobs / asyncio.run(_post(url, jobs)))
    yield Row(
        "P2",
        f"post {jobs:,} no-op jobs; floor: COPY into a bare table",
        median(ours),
        "jobs/s",
        median(bare),
        f"≥ {PER_SECOND:,}",
        median(ours) >= PER_SECOND,
    )


async def _post(url: str, jobs: int) -> float:
    async with open_shop(url) as shop:
        arguments = payloads(jobs)
        started = time.perf_counter()
        await shop.post(arguments)
        seconds = time.perf_counter() - started
    with psycopg.connect(url) as connection:
        written = connection.execute("SELECT count(*) FROM job WHERE state = 'pending'").fetchone()
    assert written == (jobs,)
    return seconds


GROUP = Group(("P2",), measure)
