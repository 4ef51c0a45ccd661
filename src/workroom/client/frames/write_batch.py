"""Writes of a block that are collected and sent as one request, or as one every so many seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Protocol, Self

from workroom.client.frames.indexing import Params
from workroom.domain.errors import BadInput, WorkroomError

_MAX_BYTES = 32_000_000  # a larger batch is sent at once


class BatchTarget(Protocol):
    open_batch: Any

    async def send_now(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None: ...


class WriteBatch:
    """Collects writes as long as they fit in one request: appended frames, or replaced frames.

    With `every`, a task sends them while the block goes on, and also after an error in the block. A request that failed
    is raised by the next write, or at the end of the block.
    """

    def __init__(self, room: BatchTarget, every: float | None = None) -> None:
        if every is not None and not every > 0:
            raise BadInput(f"every={every!r}: give seconds, more than 0.")
        self._room = room
        self._every = every
        self._outer: WriteBatch | None = None
        self._pending: list[bytes] = []
        self._size = 0
        self._indices: list[int] | None = None  # indices of replaced frames; None for appended ones
        self._sending = asyncio.Lock()  # one request at a time, in the order of the writes
        self._timer: asyncio.Task[None] | None = None  # none: nothing waits for its time
        self._failure: Exception | None = None

    async def add(self, params: Params, content: bytes) -> bool:
        """Add a write to the batch; False if this kind of write cannot be batched."""
        self._raise_failure()
        match params:
            case {"action": "append" | "extend"}:
                if self._indices is not None:
                    await self.flush()
            case {"action": "replace", "index": int(index)}:
                if self._pending and self._indices is None:
                    await self.flush()
                self._indices = [*(self._indices or []), index]
            case _:
                return False
        self._pending.append(content)
        self._size += len(content)
        if self._size > _MAX_BYTES:
            await self.flush()
        elif self._every is not None and self._timer is None:
            self._timer = asyncio.create_task(self._send_later(self._every), name="write batch")
        return True

    async def flush(self) -> None:
        """Send the collected writes."""
        async with self._sending:
            self._raise_failure()
            pending, indices = self._pending, self._indices
            self._pending, self._indices, self._size = [], None, 0
            if not pending:
                return
            params: Params = {"action": "extend"}
            if indices is not None:
                params = {"action": "replace", "indices": ",".join(map(str, indices))}
            await self._room.send_now(params, b"".join(pending))

    async def _send_later(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._timer = None
        try:
            await self.flush()
        except Exception as error:
            self._failure = error

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    async def __aenter__(self) -> Self:
        self._outer = self._room.open_batch
        if self._outer is None:
            self._room.open_batch = self
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        if self._outer is not None:
            return
        self._room.open_batch = None
        if self._timer is not None:
            self._timer.cancel()
        if kind is None:
            await self.flush()
        elif self._every is not None:
            with suppress(WorkroomError):  # the error of the block is raised
                await self.flush()
