"""Writes down what the workers of this server have ended."""

from __future__ import annotations

import asyncio

from workroom.actions.engine import Engine
from workroom.actions.workers.throughput import flush
from workroom.upkeep.service import Service


class ThroughputFlusher(Service):
    """Not upkeep, which one server leads for all: each server knows what it was told."""

    name = "clerk"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.heartbeat / 2
        self._task: asyncio.Task[None] | None = None

    async def run_once(self) -> None:
        await flush(self._engine)

    async def __aenter__(self) -> ThroughputFlusher:
        self._task = asyncio.create_task(self.run(), name="clerk")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
