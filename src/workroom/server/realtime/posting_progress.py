"""Sends `posting:changed` while postings move.

Pools change postings in the database without the server, thousands of jobs in a second. So the poller reads counters
of open postings four times a second while any person is connected, and sends those that have changed. The number of
active jobs costs more to read, and the rate changes even when no job ends: both are sent at most once a second. Each
server sends to its own sockets.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.events import Event, PostingChanged, PostingEnded
from workroom.actions.postings.postings import all_at_workers, hidden_from_submitter, moving, wait_reasons
from workroom.domain import ids
from workroom.domain.jobs.states import FINAL
from workroom.domain.jobs.wait_reason import FOR_NOTHING, WaitReason
from workroom.server.background_service import BackgroundService
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.posting_rate import PostingRates
from workroom.server.serializers import postings
from workroom.store.queue_tables.postings import PostingRow

_POLL_SECONDS = 0.25  # the shortest time between two polls
_IDLE_SECONDS = 1.25  # between two polls while no posting is open
_SLOW_SECONDS = 1.0  # between two messages on unchanged counters, and between two counts of active jobs
_NEW_SECONDS = 5.0  # postings created this recently are read even if they ended between two polls


@dataclass(frozen=True, slots=True)
class _LastSent:
    counts: tuple[str, int, int, int, int]
    rate: float | None
    active: int
    reason: WaitReason
    at: float


class PostingProgressPoller(BackgroundService):
    name = "posting progress"
    pause = _IDLE_SECONDS

    def __init__(self, sockets: SocketHub, engine: Engine, rates: PostingRates) -> None:
        super().__init__()
        self._hub = sockets
        self._engine = engine
        self._rates = rates
        self._sent: dict[UUID, _LastSent] = {}
        self._active: Mapping[UUID, int] = {}
        self._reasons: Mapping[UUID, WaitReason] = {}
        self._counted_at = 0.0
        self._open: set[UUID] = set()  # not ended at the last poll
        self._announced: set[UUID] = set()  # changed by this server since the last poll

    def announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, PostingChanged | PostingEnded):
                self._announced.add(event.posting_id)
                self.wake()

    async def run_once(self) -> float:
        await asyncio.sleep(_POLL_SECONDS)
        if self._hub.has_members(hub.EVERYONE):
            await self._poll()
        else:
            self._announced.clear()
        return 0.0 if self._open else _IDLE_SECONDS - _POLL_SECONDS

    async def _poll(self) -> None:
        announced, self._announced = self._announced, set()
        since = ids.oldest_id(time.time() - _NEW_SECONDS)
        rows = await moving(self._engine, since=since, ids=sorted(self._open | announced))
        self._open = {row.id for row in rows if row.status not in FINAL}
        now = time.monotonic()
        if now - self._counted_at >= _SLOW_SECONDS:
            self._active = await all_at_workers(self._engine, sorted(self._open)) if self._open else {}
            self._reasons = await wait_reasons(self._engine, rows, self._active)
            self._counted_at = now
        before, self._sent = self._sent, {}
        changed: list[PostingRow] = []
        for row in rows:
            last = before.get(row.id)
            if last is not None and not self._has_changed(row, last, now):
                self._sent[row.id] = last
            else:
                changed.append(row)
        in_rooms = [row.id for row in changed if row.room is not None]
        hidden = await hidden_from_submitter(self._engine, in_rooms) if in_rooms else set[UUID]()
        for row in changed:
            self._sent[row.id] = self._send(row, now, to_submitter=row.id not in hidden)

    def _has_changed(self, row: PostingRow, last: _LastSent, now: float) -> bool:
        if _counts(row) != last.counts:
            return True
        if row.status in FINAL or now - last.at < _SLOW_SECONDS:
            return False
        # A rate falls while no job ends, so it is compared too; a rate of zero stays zero.
        if self._active.get(row.id, 0) != last.active or self._reason(row) != last.reason:
            return True
        return bool(last.rate and self._rate(row) != last.rate)

    def _reason(self, row: PostingRow) -> WaitReason:
        return FOR_NOTHING if row.status in FINAL else self._reasons.get(row.id, FOR_NOTHING)

    def _rate(self, row: PostingRow) -> float | None:
        rate = self._rates.rate(row)
        return None if rate is None else round(rate, 3)

    def _send(self, row: PostingRow, now: float, *, to_submitter: bool) -> _LastSent:
        """A submitter who may no longer read the room of the posting gets no message."""
        active = 0 if row.status in FINAL else self._active.get(row.id, 0)
        detail = postings.detail(row, self._rates, active, self._reason(row))
        channels = [hub.account(row.submitter), hub.ADMINS] if to_submitter else [hub.ADMINS]
        if row.room is not None:
            channels.append(hub.room(row.room))
        self._hub.emit_here("posting:changed", detail.model_dump(mode="json", by_alias=True), *channels)
        return _LastSent(_counts(row), detail.rate, active, self._reason(row), now)


def _counts(row: PostingRow) -> tuple[str, int, int, int, int]:
    return row.status, row.total, row.completed, row.failed, row.cancelled
