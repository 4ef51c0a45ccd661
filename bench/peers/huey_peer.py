"""Huey on Redis: two worker processes, results off."""

from __future__ import annotations

import sys
from pathlib import Path

from huey import RedisHuey
from redis_count import URL, count, measure

huey = RedisHuey("huey-peer", url=URL, results=False)


@huey.task()
def noop(number: int) -> None:
    count()


def queue(tasks: int) -> None:
    for number in range(tasks):
        noop(number)


if __name__ == "__main__":
    import huey_peer  # tasks have the name of their module, which the consumer knows

    program = str(Path(sys.executable).parent / "huey_consumer")
    measure(huey_peer.queue, int(sys.argv[2]), [program, "huey_peer.huey", "-k", "process", "-w", "2", "--quiet"])
