"""A worker that stays connected and sends heartbeats, but ignores some of its assignments, as if they were lost."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import httpx2
from socketio.exceptions import SocketIOError

from tests.acceptance.live import PlainWorker, Someone

_TROUBLE = (AssertionError, SocketIOError, httpx2.HTTPError, TimeoutError)


class DeafWorker:
    """Offers the extension `Ignored`. An ignored job must be released and assigned again."""

    def __init__(self, ada: Someone, chance: random.Random) -> None:
        self._ada = ada
        self._chance = chance
        self.ignored = 0

    async def run(self) -> None:
        while True:
            try:
                await self._serve(
                    await PlainWorker.online(
                        self._ada, "lab", "Ignored", capacity=4, onWorkerLost="requeue", breakerFailures=0
                    )
                )
            except _TROUBLE:
                await asyncio.sleep(0.3)

    async def _serve(self, worker: PlainWorker) -> None:
        """Until the connection breaks. Then it registers as a new worker, and the old one is lost with its jobs."""
        try:
            while worker.sio.connected:
                with suppress(TimeoutError):
                    job = await worker.gets(within=1.0)
                    if self._chance.random() < 0.3:
                        self.ignored += 1
                        continue
                    if (await worker.says(job, "running"))["ok"]:
                        await worker.says(job, "completed")
        finally:
            with suppress(*_TROUBLE):
                await worker.leaves()
