"""The life cycle of the services that run beside the request handlers of one server."""

from __future__ import annotations

import asyncio
from typing import Self

from workroom.upkeep.periodic_service import Service, end_tasks

UNTIL_WOKEN = 3_600.0  # seconds; the pause of a service whose rounds are started by `wake`


class BackgroundService(Service):
    """A service that runs as a task from the start to the end of an `async with` block."""

    def __init__(self) -> None:
        super().__init__()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.run(), name=self.name)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            await end_tasks([self._task])
