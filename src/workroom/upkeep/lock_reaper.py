"""Removes locks whose holders are gone, so that everybody hears of it."""

from __future__ import annotations

import structlog

from workroom.actions.engine import Engine
from workroom.actions.rooms.locks import sweep
from workroom.upkeep.service import Service

log = structlog.get_logger("workroom.upkeep")


class LockReaper(Service):
    name = "locksmith"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.sweep

    async def run_once(self) -> None:
        if freed := await sweep(self._engine):
            log.info("locks removed", locks=freed)
