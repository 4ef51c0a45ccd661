"""Matches waiting jobs with free workers once more after a commit, to prevent lost wake-ups.

A transaction that queues a job and a transaction that frees a worker do not see each other's rows: each looked for a
match before the other was committed. So both are followed by another match. The later of the two runs after both
commits and finds the pair.

A freed worker needs no match when no job was queued for as long as a transaction can take: there was nothing that it
could have missed, and a job that is queued later looks for a worker itself. Beside other servers this is not known.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.events import Event, WorkAppeared, WorkerFreed
from workroom.actions.jobs.assign import assign_extension, assign_if_wanted
from workroom.server.background_service import UNTIL_WOKEN, BackgroundService

_DELAY = 0.005  # seconds; the match nearly always finds nothing, so it lets more urgent work go first
_LONGEST_TRANSACTION = 30.0


class Rematcher(BackgroundService):
    """Events that arrive during a round are matched together in the next one."""

    name = "rematcher"
    pause = UNTIL_WOKEN

    def __init__(self, engine: Engine, *, alone: bool = True) -> None:
        """`alone`: no other server is on the database."""
        super().__init__()
        self._engine = engine
        self._alone = alone
        self._extension_ids: set[int] = set()
        self._worker_ids: set[UUID] = set()
        self._last_queued = -math.inf  # when a job was last queued

    def announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, WorkAppeared):
                self._last_queued = time.monotonic()
                self._extension_ids.update(event.extension_ids)
            elif isinstance(event, WorkerFreed) and self._may_have_missed_a_job:
                self._worker_ids.add(event.worker_id)
            else:
                continue
            self.wake()

    @property
    def _may_have_missed_a_job(self) -> bool:
        return not self._alone or time.monotonic() - self._last_queued < _LONGEST_TRANSACTION

    async def run_once(self) -> None:
        """A round that fails is not repeated: the sweep matches again when the database is back."""
        await asyncio.sleep(_DELAY)
        worker_ids, self._worker_ids = self._worker_ids, set()
        extension_ids, self._extension_ids = self._extension_ids, set()
        for worker_id in worker_ids:
            await assign_if_wanted(self._engine, worker_id)
        for extension_id in extension_ids:
            await assign_extension(self._engine, extension_id)
