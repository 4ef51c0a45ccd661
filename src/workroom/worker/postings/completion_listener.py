"""Listens for the notifications that postings have ended, on behalf of the callers in this process that wait."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from uuid import UUID
from weakref import WeakValueDictionary

import psycopg

from workroom.store.notifications import ENDED, listening

_REMEMBERED = 1_000  # postings that ended recently
_RECONNECT_SECONDS = 1.0


class Completion:
    """The end of one posting, as a caller waits for it."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()


class CompletionListener:
    """Connects at the first wait. A notification may get lost, so callers also poll, at longer intervals."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._waiting: WeakValueDictionary[UUID, Completion] = WeakValueDictionary()
        self._recent: OrderedDict[UUID, str] = OrderedDict()
        self._since: float | None = None
        self._task: asyncio.Task[None] | None = None

    def completion(self, posting: UUID) -> Completion:
        """The completion of a posting, which may have arrived already."""
        if self._task is None:
            self._task = asyncio.create_task(self._listen(), name="completion listener")
        completion = self._waiting.get(posting)
        if completion is None:
            completion = self._waiting[posting] = Completion()
        if posting in self._recent:
            completion.arrived.set()
        return completion

    def inline_result(self, posting: UUID) -> tuple[UUID, str] | None:
        """The id and the result, as JSON, of a posting's only job, if its notification carried them."""
        job, _, result = self._recent.get(posting, "").partition(" ")
        return (UUID(job), result) if result else None

    def listening_since(self, moment: float) -> bool:
        """Whether it has been listening since this moment (`time.monotonic`) without a gap."""
        return self._since is not None and self._since < moment

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(self._url, {ENDED: self._on_notification}) as listener:
                    self._since = time.monotonic()
                    await listener.run()
            except psycopg.OperationalError:
                self._since = None
                await asyncio.sleep(_RECONNECT_SECONDS)

    def _on_notification(self, payload: str) -> None:
        posting_id, _, job_and_result = payload.partition(" ")
        posting = UUID(posting_id)
        self._recent[posting] = job_and_result
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)
        if (completion := self._waiting.get(posting)) is not None:
            completion.arrived.set()
