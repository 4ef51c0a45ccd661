"""Counts finished tasks in Redis, for queues on Redis."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache

import redis

URL = os.environ.get("PEER_URL", "")


@cache
def client() -> redis.Redis:
    return redis.Redis.from_url(URL)


def count() -> None:
    client().incr("done")


def measure(queue: Callable[[int], None], tasks: int, worker: Sequence[str], copies: int = 1) -> None:
    """Start workers, let one task pass, then queue all and wait for the last. Prints tasks per second."""
    workers = [subprocess.Popen([*worker], stdout=sys.stderr) for _ in range(copies)]
    try:
        queue(1)
        _wait(1, 60)
        client().set("done", 0)
        started = time.perf_counter()
        queue(tasks)
        _wait(tasks, 600)
        print(tasks / (time.perf_counter() - started), flush=True)
    finally:
        for one in workers:
            one.terminate()
        for one in workers:
            try:
                one.wait(15)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()


def _wait(wanted: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while int(client().get("done") or 0) < wanted:
        if time.monotonic() > until:
            sys.exit(f"only {client().get('done')} of {wanted} tasks were done in {seconds:g} s")
        time.sleep(0.005)
