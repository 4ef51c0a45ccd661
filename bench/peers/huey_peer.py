"""Huey on Redis: two worker processes; results only where they are waited for."""

from __future__ import annotations

from huey import RedisHuey
from race import PROCESSES, URL, WITH_RESULTS, main, program
from redis_peer import RedisPeer, count

huey = RedisHuey("huey-peer", url=URL, results=WITH_RESULTS)


@huey.task()
def noop(number: int) -> int:
    count()
    return number


class HueyPeer(RedisPeer):
    distributions = ("huey", "redis")

    def workers(self) -> list[list[str]]:
        return [[program("huey_consumer"), "huey_peer.huey", "-k", "process", "-w", str(PROCESSES), "--quiet"]]

    def queue(self, tasks: int) -> None:
        for number in range(tasks):
            noop(number)

    def call(self, number: int) -> None:
        assert noop(number).get(blocking=True, timeout=40, max_delay=0.001) == number


if __name__ == "__main__":
    import huey_peer  # tasks have the name of their module, which the consumer knows

    main(huey_peer.HueyPeer())
