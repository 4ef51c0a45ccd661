"""RQ: two workers that do not fork for each task, tasks queued in calls of a thousand; results only where needed."""

from __future__ import annotations

from race import PROCESSES, URL, main, program
from redis_peer import RedisPeer, client, count
from rq import Queue

_CHUNK = 1_000


def noop(number: int) -> int:
    count()
    return number


class RqPeer(RedisPeer):
    distributions = ("rq", "redis")

    def workers(self) -> list[list[str]]:
        flags = ["--url", URL, "--worker-class", "rq.worker.SimpleWorker", "--quiet"]
        return [[program("rq"), "worker", *flags] for _ in range(PROCESSES)]

    def queue(self, tasks: int) -> None:
        to = Queue(connection=client())
        for start in range(0, tasks, _CHUNK):
            numbers = range(start, min(start + _CHUNK, tasks))
            to.enqueue_many([Queue.prepare_data("rq_peer.noop", (number,), result_ttl=0) for number in numbers])

    def call(self, number: int) -> None:
        job = Queue(connection=client()).enqueue("rq_peer.noop", number)
        result = job.latest_result(timeout=40)
        assert result is not None and result.return_value == number


if __name__ == "__main__":
    main(RqPeer())
