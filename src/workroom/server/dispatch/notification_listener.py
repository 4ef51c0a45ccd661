"""Hears from the database that there is work, and that work is called off.

Whoever posts straight into the database, or looks after the queue from a pool, tells nobody here, and cannot reach the
sockets of remote workers. Pools listen for the hint, and so does the server, on behalf of its remote workers: without,
they would wait for the next sweep.
"""

from __future__ import annotations

import asyncio

import psycopg
import structlog

from workroom.actions.engine import Engine
from workroom.actions.events import WorkAppeared
from workroom.actions.jobs.cancel import tell_remote_workers
from workroom.domain.errors import WorkroomError
from workroom.server.dispatch.rematcher import Rematcher
from workroom.store.notifications import WORK, WorkNotification, listening

log = structlog.get_logger("workroom.ear")
_PAUSE = 1.0  # before listening again


class WorkNotificationListener:
    """Has the dispatcher take a second look, and tells remote workers what is called off."""

    def __init__(self, engine: Engine, dispatcher: Rematcher) -> None:
        self._engine = engine
        self._dispatcher = dispatcher
        self._hinted: set[int] = set()
        self._came = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> WorkNotificationListener:
        self._tasks = [
            asyncio.create_task(self._listen(), name="ear"),
            asyncio.create_task(self._forward(), name="what the ear heard"),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(self._engine.database.url, WORK, self._receive) as hints:
                    await hints.run()
            except psycopg.OperationalError:
                log.info("no hints from the database for a moment")
            except Exception:
                log.exception("hints are not heard")
            await asyncio.sleep(_PAUSE)

    def _receive(self, payload: str) -> None:
        hint = WorkNotification.read(payload)
        if hint.job is None:
            self._hinted.add(hint.extension_id)
            self._came.set()

    async def _forward(self) -> None:
        while True:
            await self._came.wait()
            self._came.clear()
            hinted, self._hinted = self._hinted, set()
            self._dispatcher.announce([WorkAppeared(tuple(hinted))])
            try:
                for extension_id in hinted:
                    await tell_remote_workers(self._engine, extension_id)
            except WorkroomError as error:
                # The database is away; the sweep looks again when it is back.
                log.warning("nobody is told what is called off", code=error.code)
            except Exception:
                log.exception("nobody is told what is called off")
