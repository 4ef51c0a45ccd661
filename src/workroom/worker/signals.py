"""Ctrl-C and SIGTERM: the first asks, the second ends."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

log = logging.getLogger("workroom.worker")


@contextmanager
def graceful_shutdown(asked: Callable[[], object]) -> Generator[None]:
    """Call `asked` at the first Ctrl-C or SIGTERM, and end the process at the second.

    Only the main thread may listen to signals; elsewhere nobody asks, and whoever waits is ended from outside.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    times = 0

    def told(number: int, _: FrameType | None) -> None:
        nonlocal times
        times += 1
        if times > 1:
            os._exit(128 + number)
        log.info("finishing the jobs that run; once more to end at once")
        asked()

    before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
