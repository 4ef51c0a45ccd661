"""Base class of periodic services, and the end of their tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger

log = get_logger(__name__)


async def end_tasks(tasks: Sequence[asyncio.Task[None]], *, repeat_seconds: float = 0.5) -> None:
    """Cancel tasks, and wait until they have ended.

    `asyncio.wait_for` of Python 3.11, with which the database driver waits, loses a cancellation that comes at the same
    moment as the answer. So the cancellation is repeated after `repeat_seconds` seconds.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=repeat_seconds)
    await asyncio.gather(*tasks, return_exceptions=True)


class Service:
    """Calls `run_once`, pauses, and calls it again; an error is logged and does not end the service."""

    name = "service"
    pause = 5.0  # seconds between runs

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self.rounds = 0  # completed runs, for tests and metrics

    async def run_once(self) -> float | None:
        """Do the work once; returns the seconds until the next run, or none for the usual pause."""
        raise NotImplementedError

    def wake(self) -> None:
        """End the current pause."""
        self._woken.set()

    async def run(self) -> None:
        while True:
            pause = self.pause
            try:
                delay = await self.run_once()
                pause = self.pause if delay is None else min(delay, self.pause)
            except WorkroomError as error:
                log.warning("upkeep run failed, will retry", service=self.name, code=error.code, reason=error.message)
            except Exception:
                log.exception("upkeep run failed, will retry", service=self.name)
            self.rounds += 1
            await self._sleep(pause)

    async def _sleep(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                await self._woken.wait()
        except TimeoutError:
            pass
        self._woken.clear()
