"""SCALE: what a job costs on each part, and whether the simulation of `bench/simulation.py` agrees with the machine."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import httpx2
import psutil
import psycopg

from bench.environment import Environment
from bench.live_processes import RestClient, processes, processor_seconds, running, server_process, workroom_server
from bench.row import Group, Row, measured, printed
from bench.rows.push import CHUNK, NOOP, SLOTS
from bench.simulation import Costs, System, simulate
from workroom.store.embedded import running_url

JOBS, HEARTBEATS, WORKERS, VIEWERS = 6_000, 1_000, 2, 100
LEAST, MOST = 0.6, 1.6


class Measured(NamedTuple):
    """Of one run. Processor times and bytes are for a job, or for a heartbeat."""

    rate: float
    others: float  # cores that other programs used meanwhile
    server: float
    database: float
    worker: float
    client: float
    wal: float
    viewer: float  # of the server, for a job and a viewer
    heartbeat_server: float
    heartbeat_database: float

    def costs(self) -> Costs:
        return Costs(
            self.server,
            self.database,
            self.worker,
            self.client,
            viewer=self.viewer,
            heartbeat_server=self.heartbeat_server,
            heartbeat_database=self.heartbeat_database,
        )


def measure(environment: Environment) -> Iterator[Row]:
    """Processor time of server, PostgreSQL, workers and submitter for a no-op job of P4, and bytes of WAL; likewise for
    a heartbeat. The simulation gets these times and the number of cores, and predicts the rate of the same run.

    The floor of SCALE is the measured rate. What other programs used of the processors is taken into account; waits
    for a disk are not.
    """
    found = run(environment.size(JOBS), environment.size(HEARTBEATS))
    for name, what, value, unit in (
        ("SCALE-server", "processor time of the server for a job", found.server * 1000, "ms"),
        ("SCALE-database", "processor time of PostgreSQL for a job", found.database * 1000, "ms"),
        ("SCALE-wal", "write-ahead log for a job", found.wal, "bytes"),
        ("SCALE-viewer", "more for each viewer of the room", found.viewer * 1000, "ms"),
        ("SCALE-heartbeat", "processor time of the server for a heartbeat", found.heartbeat_server * 1000, "ms"),
        ("SCALE-heartbeat-database", "processor time of PostgreSQL for it", found.heartbeat_database * 1000, "ms"),
    ):
        yield printed(name, what, value, unit)
    value = predicted(found, environment.size(JOBS))
    what, target = "simulated rate of this run; floor: the measured one", f"{LEAST} to {MOST} x floor"
    met = LEAST * found.rate <= value <= MOST * found.rate
    yield measured("SCALE", what, value, "jobs/s", found.rate, target=target, met=met)


def predicted(found: Measured, jobs: int) -> float:
    """The rate of the same run in the simulation: everything on the cores of this machine."""
    cores = len(os.sched_getaffinity(0))
    # A core that others use half of the time takes twice as long.
    stretch = cores / max(0.2, cores - found.others)
    costs = found.costs()
    stretched = replace(
        costs,
        server=stretch * costs.server,
        database=stretch * costs.database,
        worker=stretch * costs.worker,
        client=stretch * costs.client,
    )
    return simulate(System(workers=WORKERS, slots=SLOTS, shared_cores=cores), stretched, jobs).rate


def run(jobs: int, heartbeats: int) -> Measured:
    with workroom_server() as (address, folder):
        return asyncio.run(_run(address, folder, jobs, heartbeats))


async def _run(address: str, folder: Path, jobs: int, heartbeats: int) -> Measured:
    database = running_url(folder)
    assert database is not None
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        user = await RestClient.with_room(http)
        tokens = [await user.register_worker(SLOTS) for _ in range(WORKERS)]
        with (
            running("bench.bare_worker", address, tokens[0], ready="ready"),
            running("bench.bare_worker", address, tokens[1], ready="ready"),
        ):
            await _submitted(http, 500, 500)  # fills caches and the connection pool
            before, wal, machine, started = _times(folder), _wal(database), _machine(), time.perf_counter()
            await _submitted(http, jobs, 500 + jobs)
            seconds, busy = time.perf_counter() - started, _machine() - machine
            spent, written = _times(folder) - before, _wal(database) - wal
            seen = max(500, jobs // 4)
            with running("bench.idle_sockets", address, user.token, str(VIEWERS), "bench", ready="ready"):
                before = _times(folder)
                await _submitted(http, seen, 500 + jobs + seen)
                viewed = _times(folder) - before
        worker = {"Authorization": f"Bearer {tokens[0]}"}
        me = (await http.get("/api/rooms/bench/workers")).json()
        path = f"/api/workers/{next(one['id'] for one in _items(me))}/heartbeat"
        before = _times(folder)
        for _ in range(heartbeats):
            await http.put(path, headers=worker)
        beats = _times(folder) - before
    return Measured(
        rate=jobs / seconds,
        others=max(0.0, busy - sum(spent)) / seconds,
        server=spent.server / jobs,
        database=spent.database / jobs,
        worker=spent.workers / jobs,
        client=spent.client / jobs,
        wal=written / jobs,
        viewer=max(0.0, viewed.server / seen - spent.server / jobs) / VIEWERS,
        heartbeat_server=beats.server / heartbeats,
        heartbeat_database=beats.database / heartbeats,
    )


def _items(body: object) -> list[dict[str, str]]:
    items = body["items"] if isinstance(body, dict) else body  # pyright: ignore[reportUnknownVariableType]
    assert isinstance(items, list) and items
    return items  # pyright: ignore[reportUnknownVariableType]


async def _submitted(http: httpx2.AsyncClient, jobs: int, ended: int) -> None:
    """Submit so many jobs, and wait until so many have ended in all."""
    for first in range(0, jobs, CHUNK):
        data = [{"n": number} for number in range(first, min(first + CHUNK, jobs))]
        answer = await http.post(f"{NOOP}/submit-many", json={"data": data})
        assert answer.status_code == 202, answer.text
    stats = f"{NOOP}/stats".replace("/modifiers", "/room/modifiers")
    while (await http.get(stats)).json()["completedJobs"] < ended:  # noqa: ASYNC110 - polls another process
        await asyncio.sleep(0.02)


class _Times(NamedTuple):
    """Processor seconds so far."""

    server: float
    database: float
    workers: float
    client: float

    def __sub__(self, other: _Times) -> _Times:
        return _Times(*(after - before for after, before in zip(self, other, strict=True)))


def _times(folder: Path) -> _Times:
    cluster = str((folder / "postgres").resolve())
    (postmaster,) = [one for one, words in processes() if words and "postgres" in words[0] and cluster in words]
    workers = [one for one in psutil.Process().children() if "bench.bare_worker" in one.cmdline()]
    return _Times(
        processor_seconds([server_process(folder)]),
        processor_seconds([postmaster, *postmaster.children()]),
        processor_seconds(workers),
        processor_seconds([psutil.Process()]),
    )


def _machine() -> float:
    """Processor seconds that all programs have used."""
    times = psutil.cpu_times()
    return times.user + times.nice + times.system


def _wal(database: str) -> int:
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
    assert row is not None
    return row[0]


PARTS = ("SCALE-server", "SCALE-database", "SCALE-wal", "SCALE-viewer", "SCALE-heartbeat", "SCALE-heartbeat-database")
GROUP = Group((*PARTS, "SCALE"), measure)
