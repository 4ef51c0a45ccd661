"""What a server does when messages of other servers were lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.presence import PresenceTracker
from workroom.server.replicas.bus import ReplicaBus

log = get_logger(__name__)

_DELAY_SECONDS = 0.2  # several losses in short time are one


class LostMessages:
    """Has clients fetch their state again, sends workers their jobs again, and asks servers for their presence."""

    def __init__(
        self,
        bus: ReplicaBus,
        sockets: SocketHub,
        presence: PresenceTracker,
        repeat_assignments: Callable[[], Awaitable[None]],
    ) -> None:
        self._bus = bus
        self._hub = sockets
        self._repeat_assignments = repeat_assignments
        self._task: asyncio.Task[None] | None = None
        bus.on("presence wanted", lambda _, body: presence.send_all())

    def recover_soon(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._recover(), name="lost messages")

    async def _recover(self) -> None:
        await asyncio.sleep(_DELAY_SECONDS)
        self._bus.send("presence wanted", None)
        self._hub.emit_here("events:lost", {}, hub.EVERYONE)
        try:
            await self._repeat_assignments()
        except WorkroomError as error:
            log.warning("assignments not repeated; the sweep releases them", code=error.code)
