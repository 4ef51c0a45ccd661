"""Handles the events that another process has committed: another server, a pool, a command with its own connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from workroom.actions.engine import Engine
from workroom.actions.events.cross_server import SharedEvents
from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger

log = get_logger(__name__)


class SharedEventReceiver:
    """Announces shared events in this process. When some were lost, everything that they could concern is checked."""

    def __init__(self, engine: Engine, check_everything: Callable[[], Awaitable[None]]) -> None:
        self._engine = engine
        self._check_everything = check_everything
        self._check: asyncio.Task[None] | None = None
        self._check_again = False

    def receive(self, payload: str) -> None:
        received = SharedEvents.decode(payload)
        if received.engine_id == self._engine.id:
            return  # announced when they were committed
        if received.events is None:
            self.check_soon()
        else:
            self._engine.announce(received.events)

    def check_soon(self) -> None:
        """Events were lost, or did not fit into a notification."""
        self._check_again = True
        if self._check is None or self._check.done():
            self._check = asyncio.create_task(self._run_check(), name="check after lost events")

    async def _run_check(self) -> None:
        while self._check_again:
            self._check_again = False
            try:
                await self._check_everything()
            except WorkroomError as error:
                log.warning("check after lost events failed", code=error.code)
                self._check_again = True
                await asyncio.sleep(1.0)
