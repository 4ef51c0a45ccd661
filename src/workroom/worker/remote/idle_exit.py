"""When a remote worker ends by itself: before its walltime, or after it had no job for some time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from workroom.logs import get_logger
from workroom.worker.walltime import Walltime

log = get_logger(__name__)

_LOOK_SECONDS = 0.5


class Ending:
    """Watches the walltime of a worker, and how long it has been idle."""

    def __init__(self, walltime: Walltime | None, idle_exit: float | None, is_busy: Callable[[], bool]) -> None:
        self.walltime = walltime
        self._idle_exit = idle_exit
        self._is_busy = is_busy
        self._idle_since = time.monotonic()

    def touch(self) -> None:
        """The worker starts to be idle now."""
        self._idle_since = time.monotonic()

    def seconds_left(self) -> float | None:
        """Until the worker drains; None when there is no known end."""
        return None if self.walltime is None else self.walltime.seconds_left()

    async def wait(self) -> None:
        """Until it is time to drain; forever for a worker that ends only by a signal."""
        while True:
            if self.walltime is not None and not self.walltime.seconds_left():
                log.info("the walltime ends in %.0f s: draining", self.walltime.ends_at - time.monotonic())
                return
            if self._idle_exit is not None and not self._is_busy():
                idle = time.monotonic() - self._idle_since
                if idle >= self._idle_exit:
                    log.info("no job for %.0f s: ending", idle)
                    return
            await asyncio.sleep(_LOOK_SECONDS)
