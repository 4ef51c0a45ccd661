"""Celery on Redis: prefork with two processes, a large prefetch; results ignored, except where they are waited for."""

from __future__ import annotations

from celery import Celery
from race import PROCESSES, URL, WITH_RESULTS, main, program
from redis_peer import RedisPeer, count

app = Celery("celery_peer", broker=URL, backend=URL if WITH_RESULTS else None)
app.conf.update(
    task_ignore_result=not WITH_RESULTS, worker_prefetch_multiplier=200, broker_connection_retry_on_startup=True
)


@app.task
def noop(number: int) -> int:
    count()
    return number


class CeleryPeer(RedisPeer):
    distributions = ("celery", "redis")

    def workers(self) -> list[list[str]]:
        flags = [f"--concurrency={PROCESSES}", "--loglevel=ERROR"]
        flags += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return [[program("celery"), "-A", "celery_peer", "worker", *flags]]

    def queue(self, tasks: int) -> None:
        with app.producer_or_acquire() as producer:
            for number in range(tasks):
                noop.apply_async((number,), producer=producer)

    def call(self, number: int) -> None:
        assert noop.delay(number).get(timeout=40) == number


if __name__ == "__main__":
    import celery_peer  # tasks have the name of their module, which the worker knows

    main(celery_peer.CeleryPeer())
