"""Celery on Redis: prefork with two processes, results ignored, a large prefetch."""

from __future__ import annotations

import sys
from pathlib import Path

from celery import Celery
from redis_count import URL, count, measure

app = Celery("celery_peer", broker=URL)
app.conf.update(task_ignore_result=True, worker_prefetch_multiplier=200, broker_connection_retry_on_startup=True)


@app.task
def noop(number: int) -> None:
    count()


def queue(tasks: int) -> None:
    with app.producer_or_acquire() as producer:
        for number in range(tasks):
            noop.apply_async((number,), producer=producer)


if __name__ == "__main__":
    flags = ["--concurrency=2", "--loglevel=ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    worker = [str(Path(sys.executable).parent / "celery"), "-A", "celery_peer", "worker", *flags]
    measure(queue, int(sys.argv[2]), worker)
