"""arq: two processes with a hundred tasks at a time each, on uvloop; fifty tasks queued at once."""

from __future__ import annotations

import asyncio
from typing import Any

import uvloop
from arq import create_pool
from arq.connections import RedisSettings
from race import PROCESSES, URL, WITH_RESULTS, main, program
from redis_peer import RedisPeer

_AT_ONCE = 50


async def noop(context: dict[str, Any], number: int) -> int:
    await context["redis"].incr("done")
    return number


class WorkerSettings:
    functions = (noop,)
    redis_settings = RedisSettings.from_dsn(URL) if URL else RedisSettings()
    max_jobs = 100
    poll_delay = 0.01
    keep_result = 60 if WITH_RESULTS else 0


class ArqPeer(RedisPeer):
    distributions = ("arq", "redis")

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._pool: Any = None

    def workers(self) -> list[list[str]]:
        return [[program("arq"), "arq_peer.WorkerSettings", "--custom-log-dict", "arq_peer.QUIET"]] * PROCESSES

    def queue(self, tasks: int) -> None:
        self._runner.run(self._queue(tasks))

    def call(self, number: int) -> None:
        self._runner.run(self._call(number))

    async def _queue(self, tasks: int) -> None:
        pool = await self._connected()
        for start in range(0, tasks, _AT_ONCE):
            numbers = range(start, min(start + _AT_ONCE, tasks))
            await asyncio.gather(*(pool.enqueue_job("noop", number) for number in numbers))

    async def _call(self, number: int) -> None:
        job = await (await self._connected()).enqueue_job("noop", number)
        assert await job.result(timeout=40, poll_delay=0.001) == number

    async def _connected(self) -> Any:
        if self._pool is None:
            self._pool = await create_pool(WorkerSettings.redis_settings)
        return self._pool


QUIET: dict[str, Any] = {"version": 1, "disable_existing_loggers": False}

if __name__ == "__main__":
    main(ArqPeer())
