"""Ctrl-C and SIGTERM: the first requests a stop, the second exits."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from workroom.logs import get_logger

log = get_logger(__name__)


def is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def graceful_shutdown(on_request: Callable[[], object]) -> Generator[None]:
    """Call `on_request` at the first Ctrl-C or SIGTERM, and exit at the second.

    Only the main thread can handle signals. In other threads this does nothing.
    """
    if not is_main_thread():
        yield
        return
    count = 0

    def on_signal(number: int, _: FrameType | None) -> None:
        nonlocal count
        count += 1
        if count > 1:
            os._exit(128 + number)
        log.info("stopping: waiting for the running jobs; a second signal exits at once")
        on_request()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
