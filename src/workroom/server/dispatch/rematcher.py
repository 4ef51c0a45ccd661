"""A second look after the commit.

A job that was written while a worker was busy, and a worker that became free while the job was being written, do not
see each other: each transaction looked before the other was committed. So whoever leaves a job waiting, or a worker
free, has a second look taken after its commit; one of the two is later than both commits, and finds the match.

A worker that became free need not look when no job came to wait for as long as a transaction can take: nothing was
being written that it could have missed, and what comes to wait later looks for itself.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from uuid import UUID

import structlog

from workroom.actions.engine import Engine
from workroom.actions.events import Event, WorkAppeared, WorkerFreed
from workroom.actions.jobs.assign import assign_extension, assign_if_wanted
from workroom.domain.errors import WorkroomError

log = structlog.get_logger("workroom.dispatcher")
_PATIENCE = 0.005
_LONGEST_TRANSACTION = 30.0


class Rematcher:
    """Takes second looks, as few as will do: what is asked for while it looks is looked at together."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._extensions: set[int] = set()
        self._workers: set[UUID] = set()
        self._appeared = -math.inf  # when a job last came to wait
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, WorkAppeared):
                self._appeared = time.monotonic()
                self._extensions.update(event.extension_ids)
            elif isinstance(event, WorkerFreed) and time.monotonic() - self._appeared < _LONGEST_TRANSACTION:
                self._workers.add(event.worker_id)
            else:
                continue
            self._asked.set()

    async def __aenter__(self) -> Rematcher:
        self._task = asyncio.create_task(self._serve(), name="dispatcher")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            await self._asked.wait()
            # Nearly always there is nothing to find; the look must not stand in the way of what comes next.
            await asyncio.sleep(_PATIENCE)
            self._asked.clear()
            workers, self._workers = self._workers, set()
            extensions, self._extensions = self._extensions, set()
            try:
                for worker_id in workers:
                    await assign_if_wanted(self._engine, worker_id)
                for extension_id in extensions:
                    await assign_extension(self._engine, extension_id)
            except WorkroomError as error:
                # The database is away; the sweep looks again when it is back.
                log.warning("no second look", code=error.code)
            except Exception:
                log.exception("no second look")
