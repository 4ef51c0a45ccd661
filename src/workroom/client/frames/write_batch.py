"""Writes that go out together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Protocol, Self

from workroom.client.frames.indexing import Params

_MOST_BYTES = 32_000_000  # what is held back, at most


class Writing(Protocol):
    open_batch: Any

    async def send_now(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None: ...


class Batch:
    """Holds writes back as long as they can go out as one: frames put at the end, or frames put in others' places."""

    def __init__(self, room: Writing) -> None:
        self._room = room
        self._outer: Batch | None = None
        self._held: list[bytes] = []
        self._size = 0
        self._indices: list[int] | None = None  # where the frames go; none: to the end

    async def takes(self, params: Params, content: bytes) -> bool:
        """Hold a write back, if it can go out with those before it."""
        match params:
            case {"action": "append" | "extend"}:
                if self._indices is not None:
                    await self.flush()
            case {"action": "replace", "index": int(index)}:
                if self._held and self._indices is None:
                    await self.flush()
                self._indices = [*(self._indices or []), index]
            case _:
                return False
        self._held.append(content)
        self._size += len(content)
        if self._size > _MOST_BYTES:
            await self.flush()
        return True

    async def flush(self) -> None:
        """Send what was held back."""
        held, indices = self._held, self._indices
        self._held, self._indices, self._size = [], None, 0
        if not held:
            return
        params: Params = {"action": "extend"}
        if indices is not None:
            params = {"action": "replace", "indices": ",".join(map(str, indices))}
        await self._room.send_now(params, b"".join(held))

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
