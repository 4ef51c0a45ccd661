"""Writes of a block that are collected and sent as one request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Protocol, Self

from workroom.client.frames.indexing import Params

_MAX_BYTES = 32_000_000  # a larger batch is sent at once


class BatchTarget(Protocol):
    open_batch: Any

    async def send_now(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None: ...


class WriteBatch:
    """Collects writes as long as they fit in one request: appended frames, or replaced frames."""

    def __init__(self, room: BatchTarget) -> None:
        self._room = room
        self._outer: WriteBatch | None = None
        self._pending: list[bytes] = []
        self._size = 0
        self._indices: list[int] | None = None  # indices of replaced frames; None for appended ones

    async def add(self, params: Params, content: bytes) -> bool:
        """Add a write to the batch; False if this kind of write cannot be batched."""
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
        return True

    async def flush(self) -> None:
        """Send the collected writes."""
        pending, indices = self._pending, self._indices
        self._pending, self._indices, self._size = [], None, 0
        if not pending:
            return
        params: Params = {"action": "extend"}
        if indices is not None:
            params = {"action": "replace", "indices": ",".join(map(str, indices))}
        await self._room.send_now(params, b"".join(pending))

    async def __aenter__(self) -> Self:
        self._outer = self._room.open_batch
        if self._outer is None:
            self._room.open_batch = self
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        if self._outer is None:
            self._room.open_batch = None
            if kind is None:
                await self.flush()
