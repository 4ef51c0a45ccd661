"""Iteration over frames that fetches the next ones in advance.

Prefetched frames are used only while they are current. They are fetched again when this client changed the trajectory,
when an event reports a change, or when a check of the revision finds one. A loop therefore behaves like a loop over a
list.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Protocol

from workroom.client.frames.transfer import FrameSink

if TYPE_CHECKING:
    from ase import Atoms

_FIRST_COUNT, _MAX_COUNT = 16, 4_096  # frames per request
_TARGET_BYTES = 2_000_000  # approximate size of a request
_FRESH_SECONDS = 0.5  # after this time the revision is checked again


class Trajectory(Protocol):
    frames_version: int

    async def state(self) -> Any: ...
    async def fetch(self, where: Any) -> FrameSink: ...


class _Part:
    """Consecutive frames of one response."""

    def __init__(self, start: int, requested: int, version: int, fetched: FrameSink) -> None:
        self.start = start
        self.version = version  # `frames_version` when the request was sent
        self.revision = fetched.revision
        self.frames = fetched.atoms
        self.is_last = len(fetched.atoms) < requested
        self.bytes_per_frame = fetched.size / max(1, len(fetched.atoms))
        self.checked_at = time.monotonic()


class FramePrefetcher:
    """Iterates over a trajectory, forwards or backwards."""

    def __init__(self, trajectory: Trajectory, start: int = 0, *, backwards: bool = False) -> None:
        self._trajectory = trajectory
        self._step = -1 if backwards else 1
        self._next = start
        self._part: _Part | None = None
        self._prefetch: asyncio.Task[_Part] | None = None
        self._ended = False

    def next_buffered(self) -> Atoms | None:
        """The next frame if it is buffered and current, else None. Callable from any thread, without waiting."""
        part = self._part
        if part is None or time.monotonic() - part.checked_at > _FRESH_SECONDS:
            return None
        return self._take_from(part)

    async def next(self) -> Atoms | None:
        """The next frame; None after the last."""
        if self._ended or self._next < 0:
            return None
        part = self._part
        if part is not None and time.monotonic() - part.checked_at > _FRESH_SECONDS:
            if (await self._trajectory.state()).revision != part.revision:
                part = self._part = None
            else:
                part.checked_at = time.monotonic()
        if part is not None and (found := self._take_from(part)) is not None:
            return found
        if part is not None and part.is_last and part.version == self._trajectory.frames_version:
            self._ended = True
            return None
        while True:
            self._part = part = await self._next_part()
            found = self._take_from(part)
            # A response that a change made stale does not prove that the end is reached.
            if found is not None or part.version == self._trajectory.frames_version:
                self._ended = found is None
                return found

    def close(self) -> None:
        if self._prefetch is not None:
            self._prefetch.cancel()

    def _take_from(self, part: _Part) -> Atoms | None:
        offset = (self._next - part.start) * self._step
        if part.version != self._trajectory.frames_version or not 0 <= offset < len(part.frames):
            return None
        self._next += self._step
        return part.frames[offset]

    async def _next_part(self) -> _Part:
        """The part that begins with the next frame. The part after it is requested in the background."""
        prefetch, self._prefetch = self._prefetch, None
        part = None
        if prefetch is not None:
            part = await prefetch
            stale = time.monotonic() - part.checked_at > _FRESH_SECONDS
            if part.start != self._next or part.version != self._trajectory.frames_version or stale:
                part = None
        if part is None:
            part = await self._fetch(self._next, _FIRST_COUNT)
        if not part.is_last:
            count = max(1, min(_MAX_COUNT, int(_TARGET_BYTES / max(1.0, part.bytes_per_frame))))
            start = part.start + self._step * len(part.frames)
            if start >= 0:
                self._prefetch = asyncio.create_task(self._fetch(start, count))
        return part

    async def _fetch(self, start: int, count: int) -> _Part:
        version = self._trajectory.frames_version
        stop: int | None = start + count * self._step
        if self._step < 0 and start < count:
            stop, count = None, start + 1
        fetched = await self._trajectory.fetch(slice(start, stop, self._step))
        return _Part(start, count, version, fetched)
