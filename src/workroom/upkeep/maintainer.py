"""Runs the upkeep services: some in the process that leads, those for remote workers in every server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType

import psycopg

from workroom.actions.engine import Engine
from workroom.domain.jobs.worker_loss import HEARD_BY_DATABASE, HEARD_BY_SERVER
from workroom.logs import get_logger
from workroom.store.leadership import candidate, lead, still_leads
from workroom.upkeep.celery_publisher import CeleryPublisher
from workroom.upkeep.heartbeat_window_recorder import HeartbeatWindowRecorder
from workroom.upkeep.lock_reaper import LockReaper
from workroom.upkeep.periodic_service import Service, end_tasks
from workroom.upkeep.pruner import Pruner
from workroom.upkeep.rescuer import RemoteRescuer, Rescuer
from workroom.upkeep.scheduler import Scheduler

log = get_logger(__name__)


class Maintainer:
    """Runs the services of the leader while it leads; waits while another process does.

    An engine that can push belongs to a server, which also runs the services for remote workers, leader or not.
    """

    def __init__(self, engine: Engine, celery_publisher: CeleryPublisher | None = None) -> None:
        self._engine = engine
        self.rescuer = Rescuer(engine)
        self.scheduler = Scheduler(engine)
        self.pruner = Pruner(engine)
        self.lock_reaper = LockReaper(engine)
        self._leader_services: Sequence[Service] = (
            HeartbeatWindowRecorder(engine, HEARD_BY_DATABASE),
            self.scheduler,
            self.pruner,
            self.lock_reaper,
            self.rescuer,
        )
        self._server_services: Sequence[Service] = (
            (HeartbeatWindowRecorder(engine, HEARD_BY_SERVER), RemoteRescuer(engine)) if engine.can_push else ()
        )
        if celery_publisher is not None:
            self._server_services = (*self._server_services, celery_publisher)
        self.leads = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Maintainer:
        self._tasks = [
            asyncio.create_task(self._serve(), name="upkeep"),
            *(asyncio.create_task(service.run(), name=service.name) for service in self._server_services),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Longer than the services of the leader need to end.
        await end_tasks(self._tasks, repeat_seconds=3.0)
        self._tasks = []

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
        log.info("this process does the upkeep now")
        self.leads.set()
        running = [asyncio.create_task(service.run(), name=service.name) for service in self._leader_services]
        try:
            while await still_leads(session):  # noqa: ASYNC110 - nor when a session is lost
                await asyncio.sleep(self._engine.timing.sweep)
        finally:
            self.leads.clear()
            await end_tasks(running)
