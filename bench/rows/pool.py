"""P1-pool and its kin, and P3b: postings through the public API, run by a real pool."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import psycopg

from bench import peer
from bench.live import process
from bench.place import Place
from bench.row import Group, Row
from bench.trip import TABLE, Client
from workroom import ClusterPool, Registry, job
from workroom.client.portal import background
from workroom.worker.postings.postgres_backend import open_postgres_backend

JOBS, MILLION, PROCESSES, ROUNDS, TRIPS = 100_000, 1_000_000, 2, 3, 300
PER_SECOND, TRIP_MILLISECONDS = 30_000, 4.0
WITH_PROFILES, TIMES_PEER, LASTING, GROWTH_MB = 0.9, 2.0, 0.8, 50.0


@job(name="bench_noop")
def noop(number: int) -> int:
    return number


def measure(place: Place) -> Iterator[Row]:
    """`post_work` of 100,000 calls to a waiting `ClusterPool` of 2 processes, until all have completed.

    From the first argument read to the last result committed: posting, prefetch, unpacking, the call, packing, reports,
    counters, and a tenth of the calls profiled. 3 rounds, each in a fresh database; the medians count. After each,
    every result is compared. P1-pool has no floor: that of P1 is for claim and complete alone. P1-profiles is the same
    beside the same without profiles, P1-pgqueuer beside PgQueuer; all take turns.
    """
    jobs = place.size(JOBS)
    profiled: list[float] = []
    unprofiled: list[float] = []
    others: list[float] = []
    for _ in range(ROUNDS):
        profiled.append(_rate(place, jobs))
        unprofiled.append(_rate(place, jobs, profile=0.0))
        with place.database() as url:
            others.append(peer.rate(url, jobs, PROCESSES))
    value = median(profiled)
    what = f"post {jobs:,} calls through the API and run them all in a pool of {PROCESSES} processes"
    yield Row("P1-pool", what, value, "jobs/s", None, f"≥ {PER_SECOND:,}", value >= PER_SECOND)
    yield Row(
        "P1-profiles",
        "the same; floor: without profiles",
        value,
        "jobs/s",
        median(unprofiled),
        f"≥ {WITH_PROFILES} x floor",
        value >= WITH_PROFILES * median(unprofiled),
    )
    yield Row(
        "P1-pgqueuer",
        f"the same; floor: PgQueuer, enqueued and drained by {PROCESSES} processes in batches of {peer.BATCH}",
        value,
        "jobs/s",
        median(others),
        f"≥ {TIMES_PEER:g} x floor",
        value >= TIMES_PEER * median(others),
    )


def measure_million(place: Place) -> Iterator[Row]:
    """The same with 1,000,000 calls in one posting, beside 100,000 of them just before; not measured with --quick.

    Memory: by how much the largest process, of the poster and the pool's, has grown from the one to the other.
    """
    if place.share < 1:
        return
    few, few_mb = _rate_and_size(place, JOBS)
    many, many_mb = _rate_and_size(place, MILLION)
    what = f"post and run {MILLION:,} calls; floor: {JOBS:,}"
    yield Row("P1-million", what, many, "jobs/s", few, f"≥ {LASTING} x floor", many >= LASTING * few)
    grown = many_mb - few_mb
    what = "growth of the largest process meanwhile"
    yield Row("P1-million-memory", what, grown, "MB", None, f"≤ {GROWTH_MB:g}", grown <= GROWTH_MB)


def measure_trips(place: Place) -> Iterator[Row]:
    """One call posted to an idle pool of one process, until its result is here; 300 times with pauses, the median.

    The floor is a bare table with the same hops (`bench/trip.py`): a row written, claimed, completed and read, hints by
    NOTIFY. The two take turns.
    """
    taken: list[float] = []
    bare: list[float] = []
    with _pool(place, 1) as url, psycopg.connect(url, autocommit=True) as connection, asyncio.Runner() as runner:
        connection.execute(TABLE.encode())
        with process("bench.trip", url, says="ready"):
            client = runner.run(Client(url).__aenter__())
            for n in range(max(20, place.size(TRIPS))):
                started = time.perf_counter()
                assert list(Registry["bench_noop"].post_work([(n,)], database=url).results()) == [n]
                taken.append((time.perf_counter() - started) * 1000)
                time.sleep(0.02)
                bare.append(runner.run(client.trip()))
                time.sleep(0.02)
            runner.run(client.__aexit__())
    value = median(taken)
    what = "one call posted to an idle pool, to its result; median"
    target = f"≤ {TRIP_MILLISECONDS:g}"
    yield Row("P3b", what, value, "ms", median(bare), target, value <= TRIP_MILLISECONDS)


def _rate(place: Place, jobs: int, profile: float | None = None) -> float:
    return _run(place, jobs, profile)[0]


def _rate_and_size(place: Place, jobs: int) -> tuple[float, float]:
    return _run(place, jobs, None)


def _run(place: Place, jobs: int, profile: float | None) -> tuple[float, float]:
    """Calls a second, and how large the largest process was at its end, in MB."""
    with place.database() as url, _pool_at(url, PROCESSES, profile) as pool:
        started = time.perf_counter()
        posting = Registry["bench_noop"].post_work(((n,) for n in range(jobs)), database=url).wait()
        seconds = time.perf_counter() - started
        size = max(_megabytes("self"), *(_megabytes(str(worker.pid)) for worker in pool.workers))
        for n, result in enumerate(posting.results()):
            assert n == result
        assert posting.counts().completed == jobs
    return jobs / seconds, size


@contextmanager
def _pool(place: Place, processes: int) -> Generator[str]:
    with place.database() as url, _pool_at(url, processes, None):
        yield url


@contextmanager
def _pool_at(url: str, processes: int, profile: float | None) -> Generator[ClusterPool]:
    """A pool that has run its first job in every process, more or less, and waits."""
    with ClusterPool(processes, imports=["bench.rows.pool"], database=url, profile=profile) as pool:
        Registry["bench_noop"].post_work([(0,)], database=url).wait()
        while any(worker.shared_status.read().worker_id is None for worker in pool.workers):
            time.sleep(0.05)
        yield pool
    background().call(_close(url))


async def _close(url: str) -> None:
    opened = await open_postgres_backend(url)
    background().release(opened)
    await opened.close()


def _megabytes(pid: str) -> float:
    """What a process takes up in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


GROUP = Group(("P1-pool", "P1-profiles", "P1-pgqueuer"), measure)
MILLION_GROUP = Group(("P1-million", "P1-million-memory"), measure_million)
TRIPS_GROUP = Group(("P3b",), measure_trips)
