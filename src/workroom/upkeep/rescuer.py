"""The rescuer: expires workers, releases or fails their jobs, and repairs what stopped processes left."""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.actions.jobs.assign import assign_extension, stalled_extensions
from workroom.actions.jobs.propagate import end_counted_postings
from workroom.actions.jobs.rescue import expire, expire_workers, release_unconfirmed, remove_idle_extensions, rescue
from workroom.logs import get_logger
from workroom.upkeep.periodic_service import Service

log = get_logger(__name__)


class Rescuer(Service):
    """Runs every sweep interval."""

    name = "rescuer"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.sweep

    async def run_once(self) -> None:
        lost = await expire_workers(self._engine)
        rescued = await rescue(self._engine)
        released = await release_unconfirmed(self._engine)
        expired = await expire(self._engine)
        if lost or rescued or released or expired:
            log.info("jobs rescued", workers=len(lost), jobs=len(rescued), unconfirmed=len(released), timed_out=expired)
        await remove_idle_extensions(self._engine)
        await end_counted_postings(self._engine)
        # Assignment follows events; this assigns jobs whose event was lost, e.g. with the server that had it.
        for extension_id in await stalled_extensions(self._engine):
            await assign_extension(self._engine, extension_id)
