"""PgQueuer on PostgreSQL: asyncpg, two processes on uvloop in batches of 200, queued in calls of ten thousand."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from datetime import timedelta
from typing import Any

import asyncpg
import uvloop
from pgqueuer import AsyncpgDriver, Job, PgQueuer, Queries
from race import PROCESSES, URL, WITH_RESULTS, Peer, main

BATCH = 1 if WITH_RESULTS else 200  # ends are recorded in batches of the same size
_CHUNK = 10_000


async def work() -> None:
    queuer = PgQueuer(AsyncpgDriver(await asyncpg.connect(URL)))

    @queuer.entrypoint("noop")
    async def noop(job: Job) -> None:
        return None

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, queuer.shutdown.set)
    await queuer.run(batch_size=BATCH, dequeue_timeout=timedelta(seconds=1))


class PgQueuerPeer(Peer):
    distributions = ("pgqueuer", "asyncpg")

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._connection: Any = self._runner.run(asyncpg.connect(URL))
        self._queries = Queries(AsyncpgDriver(self._connection))

    def prepare(self) -> None:
        if not self._value("SELECT to_regclass('pgqueuer') IS NOT NULL"):
            self._runner.run(self._queries.install())

    def workers(self) -> list[list[str]]:
        return [[sys.executable, __file__, "work"]] * PROCESSES

    def queue(self, tasks: int) -> None:
        for start in range(0, tasks, _CHUNK):
            self._enqueue(range(start, min(start + _CHUNK, tasks)))

    def done(self) -> int:
        return self._value("SELECT count(*) FROM pgqueuer_log WHERE status = 'successful'")

    def finished(self, tasks: int) -> bool:
        return not self._value("SELECT EXISTS (SELECT FROM pgqueuer)")

    def call(self, number: int) -> None:
        """PgQueuer keeps no results, so the end of the job is looked for: a finished one has left the queue."""
        (job,) = self._enqueue([number])
        while self._value("SELECT EXISTS (SELECT FROM pgqueuer WHERE id = $1)", job):
            time.sleep(0.001)

    def _enqueue(self, numbers: Any) -> Any:
        names, data, priorities = ["noop"] * len(numbers), [b"%d" % n for n in numbers], [0] * len(numbers)
        return self._runner.run(self._queries.enqueue(names, data, priorities))

    def _value(self, query: str, *values: object) -> Any:
        return self._runner.run(self._connection.fetchval(query, *values))


if __name__ == "__main__":
    uvloop.run(work()) if sys.argv[1] == "work" else main(PgQueuerPeer())
