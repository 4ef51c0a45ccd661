"""Runs one loop in several processes at once, timed from the first start to the last end."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier
from typing import Any

from workroom.client.portal import new_loop

READY_SECONDS = 60.0  # until every process must be ready

# Prepares itself, calls its second argument to wait for the other processes, works until no job is left, and returns
# how many jobs it did.
Loop = Callable[[str, Callable[[], None], int], Coroutine[Any, Any, int]]

_barriers: list[Barrier] = []


def run_in_processes(loop: Loop, url: str, *, batch: int, processes: int) -> tuple[list[int], float]:
    """The jobs that each process did, and the seconds from the first start to the last end, without preparation."""
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(processes, timeout=READY_SECONDS)
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=_enter, initargs=(barrier,)) as executor:
        runs = [executor.submit(_run, loop, url, batch) for _ in range(processes)]
        jobs, starts, ends = zip(*(run.result() for run in runs), strict=True)
    return list(jobs), max(ends) - min(starts)


def _enter(barrier: Barrier) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its processes
    _barriers.append(barrier)


def _run(loop: Loop, url: str, batch: int) -> tuple[int, float, float]:
    started = 0.0

    def wait_until_all_are_ready() -> None:
        nonlocal started
        _barriers[0].wait()
        started = time.perf_counter()  # one clock for all processes of a machine

    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            jobs = runner.run(loop(url, wait_until_all_are_ready, batch))
    except threading.BrokenBarrierError:
        raise RuntimeError("another process did not become ready") from None
    except BaseException:
        _barriers[0].abort()
        raise
    return jobs, started, time.perf_counter()
