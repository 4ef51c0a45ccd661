"""The rescuers: expire workers, release or fail their jobs, and repair what stopped processes left."""

from __future__ import annotations

from workroom.actions.accounts.api_tokens import end_workers_of_expired_tokens
from workroom.actions.engine import Engine
from workroom.actions.jobs.assign import assign_extension, stalled_extensions
from workroom.actions.jobs.propagate import end_counted_postings
from workroom.actions.jobs.rescue import expire, expire_workers, release_unconfirmed, remove_idle_extensions, rescue
from workroom.domain.jobs.worker_loss import HEARD_BY_DATABASE, HEARD_BY_SERVER
from workroom.logs import get_logger
from workroom.upkeep.periodic_service import Service

log = get_logger(__name__)


class Rescuer(Service):
    """Runs in the upkeep leader: workers that write their heartbeats to the database, and jobs of all ended workers."""

    name = "rescuer"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.sweep

    async def run_once(self) -> None:
        lost = await expire_workers(self._engine, HEARD_BY_DATABASE)
        rescued = await rescue(self._engine)
        expired = await expire(self._engine, HEARD_BY_DATABASE)
        if lost or rescued or expired:
            log.info("jobs of lost workers released", workers=len(lost), jobs=len(rescued), timed_out=expired)
        if ended := await end_workers_of_expired_tokens(self._engine):
            log.info("workers ended with their API tokens", workers=len(ended))
        await remove_idle_extensions(self._engine)
        await end_counted_postings(self._engine)


class RemoteRescuer(Service):
    """Runs in every server, leader or not: no other process receives messages of remote workers or sends them jobs."""

    name = "remote_rescuer"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.sweep

    async def run_once(self) -> None:
        lost = await expire_workers(self._engine, HEARD_BY_SERVER)
        rescued = await rescue(self._engine) if lost else []  # the leader looks for those of other ended workers
        released = await release_unconfirmed(self._engine)
        expired = await expire(self._engine, HEARD_BY_SERVER)
        if lost or rescued or released or expired:
            log.info(
                "jobs of remote workers rescued",
                workers=len(lost),
                jobs=len(rescued),
                unconfirmed=len(released),
                timed_out=expired,
            )
        # Assignment follows events; this assigns jobs whose event was lost, e.g. with the server that had it.
        for extension_id in await stalled_extensions(self._engine):
            await assign_extension(self._engine, extension_id)
