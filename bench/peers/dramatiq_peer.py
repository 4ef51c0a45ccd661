"""Dramatiq on Redis: two processes with eight threads each; results only where they are waited for."""

from __future__ import annotations

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from dramatiq.results import Results
from dramatiq.results.backends import RedisBackend
from race import PROCESSES, URL, WITH_RESULTS, main, program
from redis_peer import RedisPeer, count

broker = RedisBroker(url=URL)
if WITH_RESULTS:
    broker.add_middleware(Results(backend=RedisBackend(url=URL)))
dramatiq.set_broker(broker)


@dramatiq.actor(max_retries=0, **({"store_results": True} if WITH_RESULTS else {}))
def noop(number: int) -> int:
    count()
    return number


class DramatiqPeer(RedisPeer):
    distributions = ("dramatiq", "redis")

    def workers(self) -> list[list[str]]:
        return [[program("dramatiq"), "dramatiq_peer", "--processes", str(PROCESSES), "--threads", "8"]]

    def queue(self, tasks: int) -> None:
        for number in range(tasks):
            noop.send(number)

    def call(self, number: int) -> None:
        assert noop.send(number).get_result(block=True, timeout=40_000) == number


if __name__ == "__main__":
    main(DramatiqPeer())
