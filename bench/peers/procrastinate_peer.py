"""Procrastinate on PostgreSQL: two processes, ten tasks at a time each, queued in batches of a thousand."""

from __future__ import annotations

import asyncio
import sys
import time
from functools import cache

import procrastinate
import psycopg
from race import PROCESSES, URL, Peer, main

_CHUNK = 1_000
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=URL))


@app.task(name="noop")
async def noop(number: int) -> int:
    return number


async def work() -> None:
    async with app.open_async():
        await app.run_worker_async(concurrency=10, fetch_job_polling_interval=0.1, install_signal_handlers=True)


@cache
def connection() -> psycopg.Connection:
    return psycopg.connect(URL, autocommit=True)


class ProcrastinatePeer(Peer):
    distributions = ("procrastinate", "psycopg")

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._runner.run(app.open_async().__aenter__())

    def prepare(self) -> None:
        self._runner.run(app.schema_manager.apply_schema_async())

    def workers(self) -> list[list[str]]:
        return [[sys.executable, __file__, "work"]] * PROCESSES

    def queue(self, tasks: int) -> None:
        self._runner.run(self._queue(tasks))

    async def _queue(self, tasks: int) -> None:
        for start in range(0, tasks, _CHUNK):
            numbers = range(start, min(start + _CHUNK, tasks))
            await noop.batch_defer_async(*({"number": number} for number in numbers))

    def done(self) -> int:
        return self._value("SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'")

    def finished(self, tasks: int) -> bool:
        return not self._value("SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status IN ('todo', 'doing'))")

    def call(self, number: int) -> None:
        """Procrastinate keeps no results, so the end of the task is looked for."""
        job = self._runner.run(noop.defer_async(number=number))
        while self._value("SELECT status FROM procrastinate_jobs WHERE id = %s", job) != "succeeded":
            time.sleep(0.001)

    def _value(self, query: str, *values: object):
        row = connection().execute(query, values or None).fetchone()
        return row and row[0]


if __name__ == "__main__":
    asyncio.run(work()) if sys.argv[1] == "work" else main(ProcrastinatePeer())
