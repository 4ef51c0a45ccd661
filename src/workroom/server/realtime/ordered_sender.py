"""Events that wait to be sent, and the task that sends them in their order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from workroom.actions.events import Event
from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger
from workroom.server.background_service import UNTIL_WOKEN, BackgroundService

log = get_logger(__name__)
_DRAIN_SECONDS = 2.0


class OrderedSender(BackgroundService):
    """Calls `send` with one event after the other. An event that cannot be sent is logged and skipped."""

    pause = UNTIL_WOKEN

    def __init__(self, name: str, send: Callable[[Any], Awaitable[None]]) -> None:
        super().__init__()
        self.name = name
        self._send = send
        self._waiting: deque[Event] = deque()
        self._drained = asyncio.Event()
        self._drained.set()

    def put(self, event: Event) -> None:
        self._waiting.append(event)
        self._drained.clear()
        self.wake()

    @property
    def idle(self) -> bool:
        """Whether no event waits and none is being sent."""
        return self._drained.is_set()

    def take_next(self, kinds: type | tuple[type, ...]) -> Iterator[Any]:
        """Remove and return the next events, as long as they are of these kinds."""
        while self._waiting and isinstance(self._waiting[0], kinds):
            yield self._waiting.popleft()

    async def run_once(self) -> None:
        while self._waiting:
            event = self._waiting.popleft()
            try:
                await self._send(event)
            except WorkroomError as error:
                log.warning("event not sent", kind=type(event).__name__, code=error.code)
            except Exception:
                log.exception("event not sent", kind=type(event).__name__)
        self._drained.set()

    async def __aexit__(self, *exit_info: object) -> None:
        """Send what still waits, for a limited time."""
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await self._drained.wait()
        except TimeoutError:
            log.warning("events dropped at shutdown", queue=self.name, events=len(self._waiting))
        await super().__aexit__(*exit_info)
