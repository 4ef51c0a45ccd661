"""Runs the upkeep services in the process that leads."""

from __future__ import annotations

import asyncio
from types import TracebackType

import psycopg

from workroom.actions.engine import Engine
from workroom.logs import get_logger
from workroom.store.leadership import candidate, lead, still_leads
from workroom.upkeep.lock_reaper import LockReaper
from workroom.upkeep.pruner import Pruner
from workroom.upkeep.rescuer import Rescuer
from workroom.upkeep.scheduler import Scheduler

log = get_logger(__name__)


class Maintainer:
    """Runs the services while it leads; waits while another process does.

    `patience` is how long the rescuer waits after a takeover: without a leader, workers could not send heartbeats.
    """

    def __init__(self, engine: Engine, *, patience: float | None = None) -> None:
        self._engine = engine
        self._patience = engine.timing.lease if patience is None else patience
        self.rescuer = Rescuer(engine)
        self.scheduler = Scheduler(engine)
        self.pruner = Pruner(engine)
        self.lock_reaper = LockReaper(engine)
        self.leads = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Maintainer:
        self._task = asyncio.create_task(self._serve(), name="upkeep")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            try:
                async with candidate(self._engine.database.url) as session:
                    while not await lead(session):  # noqa: ASYNC110 - PostgreSQL does not notify when a lock is free
                        await asyncio.sleep(self._engine.timing.sweep)
                    await self._work(session)
            except psycopg.OperationalError as error:
                log.warning("upkeep paused, database not reachable", reason=str(error).splitlines()[0])
            await asyncio.sleep(min(1.0, self._engine.timing.sweep))

    async def _work(self, session: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
        """Run the services until the session, and with it the lock, is lost."""
        log.info("upkeep leadership acquired")
        self.leads.set()
        services = [
            asyncio.create_task(self.scheduler.run()),
            asyncio.create_task(self.pruner.run()),
            asyncio.create_task(self.lock_reaper.run()),
            asyncio.create_task(self._rescue_after_patience()),
        ]
        try:
            while await still_leads(session):  # noqa: ASYNC110 - nor when a session is lost
                await asyncio.sleep(self._engine.timing.sweep)
        finally:
            self.leads.clear()
            for service in services:
                service.cancel()
            await asyncio.gather(*services, return_exceptions=True)

    async def _rescue_after_patience(self) -> None:
        await asyncio.sleep(self._patience)
        await self.rescuer.run()
