"""Deletes what is old enough to go."""

from __future__ import annotations

import structlog

from workroom.actions.engine import Engine
from workroom.actions.jobs.prune import prune
from workroom.actions.rooms.retention import delete_orphaned_frames, expire_changes
from workroom.upkeep.service import Service

log = structlog.get_logger("workroom.upkeep")


class Pruner(Service):
    name = "pruner"
    pause = 600.0

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    async def run_once(self) -> None:
        if pruned := await prune(self._engine):
            log.info("pruned", jobs=pruned)
        if forgotten := await expire_changes(self._engine):
            log.info("forgot what old changes did", changes=forgotten)
        if deleted := await delete_orphaned_frames(self._engine):
            log.info("deleted frames that nothing refers to", frames=deleted)
