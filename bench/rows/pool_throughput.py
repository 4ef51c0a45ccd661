"""P1-pool and its variants: postings through the public API, run by a real pool."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from bench.environment import Environment
from bench.row import Group, Row, RowSkipped, failed, measured, skipped
from workroom import ClusterPool, Posting, Registry, job
from workroom.client.portal import background
from workroom.worker.postings.postgres_backend import open_postgres_backend

JOBS, MILLION, PROCESSES, ROUNDS = 100_000, 1_000_000, 2, 3
PER_SECOND, TIMES_PGQUEUER = 30_000, 1.7
_PGQUEUER = Path(__file__).parents[1] / "peers" / "pgqueuer_peer.py"
_PGQUEUER_SECONDS = 120.0  # until all its jobs must be done
PROFILED_SHARE, MILLION_SHARE, GROWTH_MB = 0.9, 0.8, 50.0


@job(name="bench_noop")
def noop(number: int) -> int:
    return number


def measure(environment: Environment) -> Iterator[Row]:
    """`post_work` of 100,000 calls to an idle `ClusterPool` of 2 processes, until all have completed.

    From the first argument read to the last result committed: posting, prefetch, decoding, the call, encoding, reports,
    counters, and a tenth of the calls profiled. 3 rounds, each in a fresh database; the medians count. After each,
    every result is compared. P1-pool has no floor: that of P1 is for claim and complete alone. P1-profiles is the same
    beside the same without profiles, P1-pgqueuer beside PgQueuer (`bench/peers/pgqueuer_peer.py`), either with workers
    that run while it enqueues or with workers that start then, whichever is faster; all take turns.
    """
    jobs = environment.size(JOBS)
    profiled: list[float] = []
    unprofiled: list[float] = []
    pgqueuer = _PgQueuer(environment, jobs)
    for _ in range(environment.rounds(ROUNDS)):
        profiled.append(rate_of_pool(environment, jobs))
        unprofiled.append(rate_of_pool(environment, jobs, profile=0.0))
        pgqueuer.measure_round()
    value = median(profiled)
    what = f"post {jobs:,} calls through the API and run them all in a pool of {PROCESSES} processes"
    yield measured("P1-pool", what, value, "jobs/s", target=f"≥ {PER_SECOND:,}", met=value >= PER_SECOND)
    floor, what = median(unprofiled), "the same; floor: without profiles"
    target, met = f"≥ {PROFILED_SHARE} x floor", value >= PROFILED_SHARE * floor
    yield measured("P1-profiles", what, value, "jobs/s", floor, target=target, met=met)
    yield pgqueuer.row(value)


class _PgQueuer:
    """The rounds of PgQueuer, and P1-pgqueuer. If PgQueuer cannot run, the other rows are measured without it."""

    name = "P1-pgqueuer"

    def __init__(self, environment: Environment, jobs: int) -> None:
        self._environment = environment
        self._jobs = jobs
        self._rates: dict[str, list[float]] = {"rate": [], "backlog": []}
        self._problem: Row | None = None
        if missing := [name for name in ("pgqueuer", "asyncpg", "uvloop") if find_spec(name) is None]:
            self._problem = skipped(self.name, f"not installed: {', '.join(missing)}")

    def measure_round(self) -> None:
        if self._problem is not None:
            return
        try:
            for phase, rates in self._rates.items():
                with self._environment.database() as url:
                    rates.append(_pgqueuer_rate(phase, url, self._jobs))
        except Exception as error:
            self._problem = failed(self.name, f"PgQueuer failed: {error}")

    def row(self, value: float) -> Row:
        if self._problem is not None:
            return self._problem
        phase, floor = max(((phase, median(rates)) for phase, rates in self._rates.items()), key=lambda one: one[1])
        order = {"rate": "which run meanwhile", "backlog": "which start when all are queued"}[phase]
        what = f"the same; floor: PgQueuer with asyncpg, {PROCESSES} processes in batches of 200, {order}"
        target, met = f"≥ {TIMES_PGQUEUER} x floor", value >= TIMES_PGQUEUER * floor
        return measured(self.name, what, value, "jobs/s", floor, target=target, met=met)


def _pgqueuer_rate(phase: str, url: str, jobs: int) -> float:
    """Jobs a second, from the first job enqueued to the last job done, with the program of the race (`bench/peers`)."""
    command = [sys.executable, _PGQUEUER, phase, str(jobs), str(_PGQUEUER_SECONDS)]
    variables = os.environ | {"PEER_URL": url, "PEER_RESULTS": "0"}
    done = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=2 * _PGQUEUER_SECONDS, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-500:])
    answer = json.loads(done.stdout)
    assert answer["done"] == jobs, f"{jobs} jobs enqueued, {answer['done']} done"
    return answer["perSecond"]


def measure_million(environment: Environment) -> Iterator[Row]:
    """The same with 1,000,000 calls in one posting, beside 100,000 of them just before; not measured with --quick.

    Memory: the growth of the largest process, of the submitter and the pool, from the one to the other.
    """
    if environment.share < 1:
        raise RowSkipped("too long for --quick")
    few, few_mb = _run(environment, JOBS)
    many, many_mb = _run(environment, MILLION)
    what, target = f"post and run {MILLION:,} calls; floor: {JOBS:,}", f"≥ {MILLION_SHARE} x floor"
    yield measured("P1-million", what, many, "jobs/s", few, target=target, met=many >= MILLION_SHARE * few)
    growth = many_mb - few_mb
    what, target = "growth of the largest process meanwhile", f"≤ {GROWTH_MB:g}"
    yield measured("P1-million-memory", what, growth, "MB", target=target, met=growth <= GROWTH_MB)


def rate_of_pool(environment: Environment, jobs: int, profile: float | None = None) -> float:
    return _run(environment, jobs, profile)[0]


def _run(environment: Environment, jobs: int, profile: float | None = None) -> tuple[float, float]:
    """Calls a second, and the resident memory of the largest process at the end, in MB."""
    with environment.database() as url, idle_pool(url, PROCESSES, profile) as pool:
        rate, posting = timed_posting(url, jobs)
        size = max(_megabytes("self"), *(_megabytes(str(worker.pid)) for worker in pool.workers))
        check_results(posting, jobs)
    return rate, size


def timed_posting(url: str, jobs: int) -> tuple[float, Posting[Any]]:
    """Calls a second, from the first argument read to the last result committed; the posting."""
    started = time.perf_counter()
    posting = Registry["bench_noop"].post_work(((n,) for n in range(jobs)), database=url).wait()
    return jobs / (time.perf_counter() - started), posting


def check_results(posting: Posting[Any], jobs: int) -> None:
    for n, result in enumerate(posting.results()):
        assert n == result
    assert posting.counts().completed == jobs


@contextmanager
def idle_pool(url: str, processes: int, profile: float | None = None) -> Generator[ClusterPool]:
    """A pool that has run a first job, and all of whose processes are registered."""
    with ClusterPool(processes, imports=["bench.rows.pool_throughput"], database=url, profile=profile) as pool:
        Registry["bench_noop"].post_work([(0,)], database=url).wait()
        while any(worker.shared_status.read().worker_id is None for worker in pool.workers):
            time.sleep(0.05)
        yield pool
    background().call(_close(url))


async def _close(url: str) -> None:
    """Close this process's connections to a database that is about to be dropped."""
    opened = await open_postgres_backend(url)
    background().release(opened)
    await opened.close()


def _megabytes(pid: str) -> float:
    """The resident memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


GROUP = Group(("P1-pool", "P1-profiles", "P1-pgqueuer"), measure)
MILLION_GROUP = Group(("P1-million", "P1-million-memory"), measure_million)
