"""Word from the database that postings have ended, for those in this process who wait for one."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from uuid import UUID
from weakref import WeakValueDictionary

import psycopg

from workroom.store.notifications import ENDED, listening

_REMEMBERED = 1_000
_PAUSE = 1.0


class Completion:
    """What somebody waits for."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()


class CompletionListener:
    """Listens from the first time somebody waits. Word may get lost: whoever waits looks now and then all the same."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._waiting: WeakValueDictionary[UUID, Completion] = WeakValueDictionary()
        self._recent: OrderedDict[UUID, str] = OrderedDict()
        self._since: float | None = None
        self._task: asyncio.Task[None] | None = None

    def completion(self, posting: UUID) -> Completion:
        """The end of a posting; it may have come already."""
        if self._task is None:
            self._task = asyncio.create_task(self._listen(), name="ends of postings")
        end = self._waiting.get(posting)
        if end is None:
            end = self._waiting[posting] = Completion()
        if posting in self._recent:
            end.arrived.set()
        return end

    def inline_result(self, posting: UUID) -> tuple[UUID, str] | None:
        """The only job of a posting and its result, as JSON, if they came with the word of its end."""
        job, _, result = self._recent.get(posting, "").partition(" ")
        return (UUID(job), result) if result else None

    def listening_since(self, moment: float) -> bool:
        """Whether no end after this moment (`time.monotonic`) can have been missed."""
        return self._since is not None and self._since < moment

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(self._url, ENDED, self._on_notification) as hints:
                    self._since = time.monotonic()
                    await hints.run()
            except psycopg.OperationalError:
                self._since = None
                await asyncio.sleep(_PAUSE)

    def _on_notification(self, payload: str) -> None:
        ended, _, outcome = payload.partition(" ")
        posting = UUID(ended)
        self._recent[posting] = outcome
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)
        if (end := self._waiting.get(posting)) is not None:
            end.arrived.set()
