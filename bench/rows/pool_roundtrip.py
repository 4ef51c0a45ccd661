"""P3b: one call posted to an idle pool, as README shows it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median

import psycopg

from bench.environment import Environment
from bench.live_processes import running
from bench.roundtrip_floor import TABLE, Client
from bench.row import Group, Row, measured
from bench.rows.pool_throughput import idle_pool
from workroom import Registry

ROUNDTRIPS, MILLISECONDS = 300, 4.5
_PAUSE = 0.02  # lets the pool become idle again


def measure(environment: Environment) -> Iterator[Row]:
    """`posting = Registry[…].post_work([…])`, then `posting.wait().results()`, on an idle pool of one process.

    300 times with pauses; the median counts. The floor is a bare table with the same steps: a row written, claimed,
    completed and read, with NOTIFY (`bench/roundtrip_floor.py`). The two take turns.
    """
    times: list[float] = []
    floor_times: list[float] = []
    with (
        environment.database() as url,
        idle_pool(url, processes=1),
        psycopg.connect(url, autocommit=True) as connection,
        asyncio.Runner() as runner,
    ):
        connection.execute(TABLE.encode())
        with running("bench.roundtrip_floor", url, ready="ready"):
            client = runner.run(Client(url).__aenter__())
            for n in range(max(20, environment.size(ROUNDTRIPS))):
                times.append(roundtrip(url, n))
                time.sleep(_PAUSE)
                floor_times.append(runner.run(client.roundtrip()))
                time.sleep(_PAUSE)
            runner.run(client.__aexit__())
    value, what = median(times), "post_work, then wait().results() of one call on an idle pool, p50"
    target, met = f"≤ {MILLISECONDS}", value <= MILLISECONDS
    yield measured("P3b", what, value, "ms", median(floor_times), target=target, met=met)


def roundtrip(url: str, n: int) -> float:
    """The milliseconds from posting one call to its result."""
    started = time.perf_counter()
    posting = Registry["bench_noop"].post_work([(n,)], database=url)
    results = list(posting.wait().results())
    milliseconds = (time.perf_counter() - started) * 1000
    assert results == [n]
    return milliseconds


GROUP = Group(("P3b",), measure)
