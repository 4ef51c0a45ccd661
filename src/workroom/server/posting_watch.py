"""Tells people how far their postings are.

Pools change postings in the database without a word to the server, thousands of jobs in a second. So the counters of
the postings that are not over are looked at a few times a second, while anybody listens, and what has changed is told.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

import structlog

from workroom.actions.engine import Engine
from workroom.actions.events import Event, PostingChanged, PostingEnded
from workroom.actions.postings import moving
from workroom.domain import ids
from workroom.domain.errors import WorkroomError
from workroom.domain.states import FINAL
from workroom.server import posting_shapes, switchboard
from workroom.server.pace import Paces
from workroom.server.switchboard import Switchboard
from workroom.store.postings import PostingRow

log = structlog.get_logger("workroom.postings")

_SOON = 0.25  # between looks while something moves: four a second
_IDLE = 1.0
_NEW_SECONDS = 5.0  # a posting made and ended between two looks is still told of

_Counts = tuple[str, int, int, int, int]


class PostingWatch:
    """Emits `posting:changed` to whom a posting concerns."""

    def __init__(self, board: Switchboard, engine: Engine, paces: Paces) -> None:
        self._board = board
        self._engine = engine
        self._paces = paces
        self._told: dict[UUID, _Counts] = {}
        self._open: set[UUID] = set()  # not over when last seen
        self._noted: set[UUID] = set()
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, PostingChanged | PostingEnded):
                self._noted.add(event.posting_id)
                self._woken.set()

    async def __aenter__(self) -> PostingWatch:
        self._task = asyncio.create_task(self._serve(), name="posting watch")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            if self._board.anybody_in(switchboard.EVERYONE):
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
        before, self._told = self._told, {}
        for row in rows:
            counts = (row.status, row.total, row.completed, row.failed, row.cancelled)
            self._told[row.id] = counts
            if before.get(row.id) != counts:
                await self._tell(row)

    async def _tell(self, row: PostingRow) -> None:
        body = posting_shapes.posting(row, self._paces).model_dump(mode="json", by_alias=True)
        places = [switchboard.account(row.submitter), switchboard.ADMINS]
        if row.room is not None:
            places.append(switchboard.room(row.room))
        for place in places:
            self._board.emit("posting:changed", body, place)
