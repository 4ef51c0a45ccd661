"""The lock reaper: removes locks whose holders have disconnected, and announces it to the rooms."""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.actions.rooms.locks import delete_expired_locks
from workroom.logs import get_logger
from workroom.upkeep.periodic_service import Service

log = get_logger(__name__)


class LockReaper(Service):
    """Releases expired and abandoned locks."""

    name = "lock_reaper"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.sweep

    async def run_once(self) -> None:
        if freed := await delete_expired_locks(self._engine):
            log.info("locks removed", locks=freed)
