"""Dramatiq on Redis: two processes with eight threads each."""

from __future__ import annotations

import sys
from pathlib import Path

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from redis_count import URL, count, measure

dramatiq.set_broker(RedisBroker(url=URL))


@dramatiq.actor(max_retries=0)
def noop(number: int) -> None:
    count()


def queue(tasks: int) -> None:
    for number in range(tasks):
        noop.send(number)


if __name__ == "__main__":
    worker = [str(Path(sys.executable).parent / "dramatiq"), "dramatiq_peer", "--processes", "2", "--threads", "8"]
    measure(queue, int(sys.argv[2]), worker)
