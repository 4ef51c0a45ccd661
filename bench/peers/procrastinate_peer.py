"""Procrastinate on PostgreSQL: two processes, ten tasks at a time each, queued in batches of a thousand."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import procrastinate
import psycopg

URL = sys.argv[1]
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=URL))


@app.task(name="noop")
async def noop(number: int) -> None:
    return None


async def work() -> None:
    async with app.open_async():
        await app.run_worker_async(concurrency=10, fetch_job_polling_interval=0.1, install_signal_handlers=True)


async def queue(tasks: int) -> None:
    async with app.open_async():
        for start in range(0, tasks, 1_000):
            numbers = range(start, min(start + 1_000, tasks))
            await noop.batch_defer_async(*({"number": number} for number in numbers))


def done() -> int:
    with psycopg.connect(URL, autocommit=True) as connection:
        row = connection.execute("SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'").fetchone()
    return row[0] if row else 0


async def prepare() -> None:
    async with app.open_async():
        await app.schema_manager.apply_schema_async()


def main(tasks: int) -> None:
    asyncio.run(prepare())
    workers = [subprocess.Popen([sys.executable, __file__, URL, "work"], stdout=sys.stderr) for _ in range(2)]
    try:
        asyncio.run(queue(1))
        while done() < 1:
            time.sleep(0.02)
        started = time.perf_counter()
        asyncio.run(queue(tasks))
        while done() < tasks + 1:
            time.sleep(0.02)
        print(tasks / (time.perf_counter() - started), flush=True)
    finally:
        for one in workers:
            one.terminate()
        for one in workers:
            one.wait(30)


if __name__ == "__main__":
    asyncio.run(work()) if sys.argv[2] == "work" else main(int(sys.argv[2]))
