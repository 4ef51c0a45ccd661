"""Hears from the database that there is work, and that work is called off.

Whoever posts straight into the database, or looks after the queue from a pool, tells nobody here, and cannot reach the
sockets of remote workers. Pools listen for the hint, and so does the server, on behalf of its remote workers: without,
they would wait for the next sweep.
"""

from __future__ import annotations

import asyncio

import psycopg
import structlog

from workroom.actions.cancel import tell_remote_workers
from workroom.actions.engine import Engine
from workroom.actions.events import WorkAppeared
from workroom.domain.errors import WorkroomError
from workroom.server.dispatcher import Dispatcher
from workroom.store.hints import listening

log = structlog.get_logger("workroom.ear")
_PAUSE = 1.0  # before listening again


class Ear:
    """Has the dispatcher take a second look, and tells remote workers what is called off."""

    def __init__(self, engine: Engine, dispatcher: Dispatcher) -> None:
        self._engine = engine
        self._dispatcher = dispatcher
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Ear:
        self._task = asyncio.create_task(self._listen(), name="ear")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(self._engine.database.url) as hints:
                    while True:
                        hinted = {int(payload) for payload in await hints.next()}
                        self._dispatcher.announce([WorkAppeared(tuple(hinted))])
                        for extension_id in hinted:
                            await tell_remote_workers(self._engine, extension_id)
            except (psycopg.OperationalError, WorkroomError):
                log.info("no hints from the database for a moment")
            except Exception:
                log.exception("hints are not heard")
            await asyncio.sleep(_PAUSE)
