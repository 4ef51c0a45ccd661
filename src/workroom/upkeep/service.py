"""A thing that is done again and again."""

from __future__ import annotations

import asyncio

import structlog

from workroom.domain.errors import WorkroomError

log = structlog.get_logger("workroom.upkeep")


class Service:
    """Does one round, pauses, and does the next; a round that fails is told and tried again."""

    name = "service"
    pause = 5.0  # seconds between rounds

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self.rounds = 0  # how many have been done, for tests and metrics

    async def run_once(self) -> float | None:
        """Do it once; how long to pause before the next time, if not as long as usual."""
        raise NotImplementedError

    def wake(self) -> None:
        """Cut the present pause short."""
        self._woken.set()

    async def run(self) -> None:
        while True:
            pause = self.pause
            try:
                wanted = await self.run_once()
                pause = self.pause if wanted is None else min(wanted, self.pause)
            except WorkroomError as error:
                log.warning("round failed", service=self.name, code=error.code, reason=error.message)
            except Exception:
                log.exception("round failed", service=self.name)
            self.rounds += 1
            await self._rest(pause)

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                await self._woken.wait()
        except TimeoutError:
            pass
        self._woken.clear()
