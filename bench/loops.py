"""Claim-and-complete loops in several processes: Workroom's own, and the floor it is measured against."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from uuid import UUID

import psycopg

from workroom.actions.assign import claim
from workroom.actions.engine import Engine
from workroom.actions.register import WorkerSpec, function, register_worker
from workroom.actions.report import report
from workroom.domain.outcomes import Report, Succeeded
from workroom.store.database import Database

Loop = Callable[[str, int], int]

FLOOR_TABLE = """
    CREATE TABLE floor (
        id uuid PRIMARY KEY, state smallint NOT NULL DEFAULT 0, priority smallint NOT NULL DEFAULT 5, arguments jsonb
    );
    CREATE INDEX floor_waiting ON floor (priority DESC, id) WHERE state = 0;
"""


def run_together(loop: Loop, url: str, batch: int, processes: int) -> tuple[int, float]:
    """Run the same loop in several processes until nothing is left; how many jobs were done, in how many seconds."""
    spawn = multiprocessing.get_context("spawn")
    ready, go = spawn.Barrier(processes + 1), spawn.Barrier(processes + 1)
    done: SimpleQueue[int] = spawn.SimpleQueue()
    workers = [spawn.Process(target=_one, args=(loop, url, batch, ready, go, done)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    ready.wait()
    go.wait()
    started = time.perf_counter()
    total = sum(done.get() for _ in workers)
    seconds = time.perf_counter() - started
    for worker in workers:
        worker.join()
    return total, seconds


def _one(loop: Loop, url: str, batch: int, ready: Barrier, go: Barrier, done: SimpleQueue[int]) -> None:
    ready.wait()
    go.wait()
    done.put(loop(url, batch))


def floor_loop(url: str, batch: int) -> int:
    """The least any queue must do: claim a batch, complete it."""
    total = 0
    with psycopg.connect(url, autocommit=True, prepare_threshold=0) as connection:
        while True:
            rows = connection.execute(
                """UPDATE floor SET state = 1 WHERE id IN (
                       SELECT id FROM floor WHERE state = 0 ORDER BY priority DESC, id LIMIT %s FOR UPDATE SKIP LOCKED)
                   RETURNING id, arguments""",
                (batch,),
                binary=True,
            ).fetchall()
            if not rows:
                return total
            connection.execute("UPDATE floor SET state = 2 WHERE id = ANY (%s)", ([row[0] for row in rows],))
            total += len(rows)


def workroom_loop(url: str, batch: int) -> int:
    """The same through Workroom's actions: attempt check, timing columns, results, counters."""
    return asyncio.run(_workroom_loop(url, batch))


async def _workroom_loop(url: str, batch: int) -> int:
    async with Database(url, connections=1) as database:
        engine = Engine(database)
        welcome = await register_worker(engine, WorkerSpec("pool", [function("noop")], capacity=batch))
        return await drain(engine, welcome.worker_id, batch)


async def drain(engine: Engine, worker_id: UUID, batch: int) -> int:
    total = 0
    while jobs := await claim(engine, worker_id, batch):
        done = [Report(job.id, job.attempt, Succeeded(job.arguments), 0.1, 0.01) for job in jobs]
        refused = await report(engine, worker_id, done)
        assert not refused
        total += len(jobs)
    return total
