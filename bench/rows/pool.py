"""P1-pool and P3b: postings through the public API, run by a real pool."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from statistics import median

from bench.place import Place
from bench.row import Group, Row
from workroom import ClusterPool, Registry, job
from workroom.client.portal import background
from workroom.worker.database_desk import database_desk

JOBS, PROCESSES, ROUNDS, TRIPS = 100_000, 2, 3, 300
PER_SECOND, TRIP_MILLISECONDS = 30_000, 4.0


@job(name="bench_noop")
def noop(number: int) -> int:
    return number


def measure(place: Place) -> Iterator[Row]:
    """`post_work` of 100,000 calls to a waiting `ClusterPool` of 2 processes, until all have completed.

    From the first argument read to the last result committed: posting, prefetch, unpacking, the call, packing, reports,
    counters. 3 rounds, each in a fresh database; the median counts. After each, every result is compared. There is no
    floor of its own: that of P1 is for claim and complete alone, and here posting is included.
    """
    jobs = place.size(JOBS)
    taken: list[float] = []
    for _ in range(ROUNDS):
        with _pool(place, PROCESSES) as url:
            started = time.perf_counter()
            posting = Registry["bench_noop"].post_work(((n,) for n in range(jobs)), database=url).wait()
            taken.append(jobs / (time.perf_counter() - started))
            assert list(posting.results()) == list(range(jobs))
    what = f"post {jobs:,} calls through the API and run them all in a pool of {PROCESSES} processes"
    value = median(taken)
    yield Row("P1-pool", what, value, "jobs/s", None, f"≥ {PER_SECOND:,}", value >= PER_SECOND)


def measure_trips(place: Place) -> Iterator[Row]:
    """One call posted to an idle pool of one process, until its result is here; 300 times with pauses, the median."""
    taken: list[float] = []
    with _pool(place, 1) as url:
        for n in range(max(20, place.size(TRIPS))):
            started = time.perf_counter()
            assert list(Registry["bench_noop"].post_work([(n,)], database=url).results()) == [n]
            taken.append((time.perf_counter() - started) * 1000)
            time.sleep(0.02)
    value = median(taken)
    what = "one call posted to an idle pool, to its result; median"
    yield Row("P3b", what, value, "ms", None, f"≤ {TRIP_MILLISECONDS:g}", value <= TRIP_MILLISECONDS)


@contextmanager
def _pool(place: Place, processes: int) -> Generator[str]:
    """A pool that has run its first job in every process, more or less, and waits."""
    with place.database() as url:
        with ClusterPool(processes, imports=["bench.rows.pool"], database=url) as pool:
            Registry["bench_noop"].post_work([(0,)], database=url).wait()
            while any(worker.marker.read().worker_id is None for worker in pool.workers):
                time.sleep(0.05)
            yield url
        background().call(_close(url))


async def _close(url: str) -> None:
    opened = await database_desk(url)
    background().release(opened)
    await opened.close()


GROUP = Group(("P1-pool",), measure)
TRIPS_GROUP = Group(("P3b",), measure_trips)
