"""Tells people how far their postings are.

Pools change postings in the database without a word to the server, thousands of jobs in a second. So the counters of
the postings that are not over are looked at a few times a second, while anybody listens, and what has changed is told.
How many jobs are at workers costs more to know, and how fast a posting moves changes also when nothing ends: both are
told anew once a second at most.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import structlog

from workroom.actions.engine import Engine
from workroom.actions.events import Event, PostingChanged, PostingEnded
from workroom.actions.postings.postings import all_at_workers, moving
from workroom.domain import ids
from workroom.domain.errors import WorkroomError
from workroom.domain.jobs.states import FINAL
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.posting_rate import PostingRates
from workroom.server.serializers import postings
from workroom.store.queue_tables.postings import PostingRow

log = structlog.get_logger("workroom.postings")

_SOON = 0.25  # between looks while something moves: four a second
_IDLE = 1.0
_CALM = 1.0  # between two words on a posting whose counters stand still, and between looks at what is at workers
_NEW_SECONDS = 5.0  # a posting made and ended between two looks is still told of


@dataclass(frozen=True, slots=True)
class _LastSent:
    """What was said of a posting last."""

    counts: tuple[str, int, int, int, int]
    rate: float | None
    active: int
    at: float


class PostingProgressPoller:
    """Emits `posting:changed` to whom a posting concerns."""

    def __init__(self, board: SocketHub, engine: Engine, paces: PostingRates) -> None:
        self._hub = board
        self._engine = engine
        self._paces = paces
        self._told: dict[UUID, _LastSent] = {}
        self._active: Mapping[UUID, int] = {}
        self._counted_at = 0.0
        self._open: set[UUID] = set()  # not over when last seen
        self._noted: set[UUID] = set()
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, PostingChanged | PostingEnded):
                self._noted.add(event.posting_id)
                self._woken.set()

    async def __aenter__(self) -> PostingProgressPoller:
        self._task = asyncio.create_task(self._serve(), name="posting watch")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            if self._hub.has_members(hub.EVERYONE):
                try:
                    await self._look()
                except WorkroomError as error:
                    log.warning("postings not looked at", code=error.code)
                except Exception:
                    log.exception("postings not looked at")
            else:
                self._noted.clear()
            await asyncio.sleep(_SOON)
            if not self._open:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_IDLE):
                        await self._woken.wait()

    async def _look(self) -> None:
        self._woken.clear()
        noted, self._noted = self._noted, set()
        since = ids.oldest_id(time.time() - _NEW_SECONDS)
        rows = await moving(self._engine, since=since, ids=sorted(self._open | noted))
        self._open = {row.id for row in rows if row.status not in FINAL}
        now = time.monotonic()
        if now - self._counted_at >= _CALM:
            self._active = await all_at_workers(self._engine, sorted(self._open)) if self._open else {}
            self._counted_at = now
        before, self._told = self._told, {}
        for row in rows:
            last = before.get(row.id)
            if last is not None and not self._is_news(row, last, now):
                self._told[row.id] = last
            else:
                self._told[row.id] = await self._tell(row, now)

    def _is_news(self, row: PostingRow, last: _LastSent, now: float) -> bool:
        if _counts(row) != last.counts:
            return True
        if row.status in FINAL or now - last.at < _CALM:
            return False
        # A rate falls while nothing ends, and so has to be looked at; one of nothing stays.
        return self._active.get(row.id, 0) != last.active or bool(last.rate and self._rate(row) != last.rate)

    def _rate(self, row: PostingRow) -> float | None:
        rate = self._paces.rate(row)
        return None if rate is None else round(rate, 3)

    async def _tell(self, row: PostingRow, now: float) -> _LastSent:
        active = 0 if row.status in FINAL else self._active.get(row.id, 0)
        said = postings.detail(row, self._paces, active)
        places = [hub.account(row.submitter), hub.ADMINS]
        if row.room is not None:
            places.append(hub.room(row.room))
        self._hub.emit("posting:changed", said.model_dump(mode="json", by_alias=True), *places)
        return _LastSent(_counts(row), said.rate, active, now)


def _counts(row: PostingRow) -> tuple[str, int, int, int, int]:
    return row.status, row.total, row.completed, row.failed, row.cancelled
