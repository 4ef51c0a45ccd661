"""taskiq on a list of Redis: two processes on uvloop with a hundred tasks at a time; results only where needed."""

from __future__ import annotations

import asyncio
from typing import Any

import redis.asyncio
import uvloop
from race import PROCESSES, URL, WITH_RESULTS, main, program
from redis_peer import RedisPeer
from taskiq_redis import ListQueueBroker, RedisAsyncResultBackend

_AT_ONCE = 50

broker = ListQueueBroker(URL or "redis://127.0.0.1")
if WITH_RESULTS:
    broker = broker.with_result_backend(RedisAsyncResultBackend(URL))
counting: Any = redis.asyncio.Redis.from_url(URL or "redis://127.0.0.1")


@broker.task(task_name="noop")
async def noop(number: int) -> int:
    await counting.incr("done")
    return number


class TaskiqPeer(RedisPeer):
    distributions = ("taskiq", "taskiq-redis", "redis")

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._runner.run(broker.startup())

    def workers(self) -> list[list[str]]:
        flags = ["--workers", str(PROCESSES), "--max-async-tasks", "100", "--log-level", "ERROR"]
        return [[program("taskiq"), "worker", "taskiq_peer:broker", *flags]]

    def queue(self, tasks: int) -> None:
        self._runner.run(self._queue(tasks))

    def call(self, number: int) -> None:
        self._runner.run(self._call(number))

    async def _queue(self, tasks: int) -> None:
        for start in range(0, tasks, _AT_ONCE):
            await asyncio.gather(*(noop.kiq(number) for number in range(start, min(start + _AT_ONCE, tasks))))

    async def _call(self, number: int) -> None:
        task = await noop.kiq(number)
        assert (await task.wait_result(check_interval=0.001, timeout=40)).return_value == number


if __name__ == "__main__":
    main(TaskiqPeer())
