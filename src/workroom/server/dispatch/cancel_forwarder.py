"""Sends `job:cancel` to remote workers for jobs that another process has cancelled."""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.actions.jobs.cancel import tell_remote_workers
from workroom.server.background_service import UNTIL_WOKEN, BackgroundService


class CancelForwarder(BackgroundService):
    """Looks for cancel requests of the extensions that a notification named. Only a server has the workers' sockets."""

    name = "cancel forwarder"
    pause = UNTIL_WOKEN

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._extension_ids: set[int] = set()

    def add(self, extension_id: int) -> None:
        self._extension_ids.add(extension_id)
        self.wake()

    async def run_once(self) -> None:
        extension_ids, self._extension_ids = self._extension_ids, set()
        for extension_id in extension_ids:
            await tell_remote_workers(self._engine, extension_id)
