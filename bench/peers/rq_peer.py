"""RQ: two workers that do not fork for each task, tasks queued in one call for each thousand, no results."""

from __future__ import annotations

import sys
from pathlib import Path

from redis_count import URL, client, count, measure
from rq import Queue


def noop(number: int) -> None:
    count()


def queue(tasks: int) -> None:
    to = Queue(connection=client())
    for start in range(0, tasks, 1_000):
        numbers = range(start, min(start + 1_000, tasks))
        to.enqueue_many([Queue.prepare_data("rq_peer.noop", (number,), result_ttl=0) for number in numbers])


if __name__ == "__main__":
    program = str(Path(sys.executable).parent / "rq")
    flags = ["--url", URL, "--worker-class", "rq.worker.SimpleWorker", "--quiet"]
    measure(queue, int(sys.argv[2]), [program, "worker", *flags], copies=2)
