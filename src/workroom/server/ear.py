"""Hears from the database that functions have work.

Whoever posts straight into the database, or looks after the queue from a pool, tells nobody here, and cannot reach the
sockets of remote workers. Pools listen for the hint, and so does the server, on behalf of its remote workers: without,
they would wait for the next sweep.
"""

from __future__ import annotations

import asyncio

import psycopg
import structlog

from workroom.actions.events import WorkAppeared
from workroom.server.dispatcher import Dispatcher
from workroom.store.hints import listening

log = structlog.get_logger("workroom.ear")
_PAUSE = 1.0  # before listening again


class Ear:
    """Passes hints on to the dispatcher, which takes a second look."""

    def __init__(self, url: str, dispatcher: Dispatcher) -> None:
        self._url = url
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
                async with listening(self._url) as hints:
                    while True:
                        self._dispatcher.announce([WorkAppeared((int(await hints.next()),))])
            except psycopg.OperationalError:
                log.info("no hints from the database for a moment")
            except Exception:
                log.exception("hints are not heard")
            await asyncio.sleep(_PAUSE)
