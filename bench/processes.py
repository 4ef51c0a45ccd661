"""The same loop in several processes at once, timed from the first start to the last end."""

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

PATIENCE = 60.0  # seconds until every process must have got ready

# Gets ready, calls its second argument to wait for the others, works until nothing is left: how many jobs it did.
Loop = Callable[[str, Callable[[], None], int], Coroutine[Any, Any, int]]

_all_ready: list[Barrier] = []


def run_together(loop: Loop, url: str, *, batch: int, processes: int) -> tuple[list[int], float]:
    """How many jobs each process did, and how many seconds that took; connecting and registering do not count."""
    spawn = multiprocessing.get_context("spawn")
    everyone = spawn.Barrier(processes, timeout=PATIENCE)
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=_enter, initargs=(everyone,)) as executor:
        runs = [executor.submit(_run, loop, url, batch) for _ in range(processes)]
        jobs, starts, ends = zip(*(run.result() for run in runs), strict=True)
    return list(jobs), max(ends) - min(starts)


def _enter(everyone: Barrier) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which sees its processes off
    _all_ready.append(everyone)


def _run(loop: Loop, url: str, batch: int) -> tuple[int, float, float]:
    started = 0.0

    def wait_for_the_others() -> None:
        nonlocal started
        _all_ready[0].wait()
        started = time.perf_counter()  # one clock for all processes of a machine

    try:
        jobs = asyncio.run(loop(url, wait_for_the_others, batch))
    except threading.BrokenBarrierError:
        raise RuntimeError("another process of the loop did not get ready") from None
    except BaseException:
        _all_ready[0].abort()
        raise
    return jobs, started, time.perf_counter()
