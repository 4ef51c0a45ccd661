"""Frames one after the other, fetched before they are asked for.

What was fetched counts as the present for a moment only: when the trajectory was changed from here, when an event says
that others did, or when a look at the revision shows it, it is fetched again. So a loop sees what a loop over a list
would see.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Protocol

from workroom.client.frames.transfer import Fetched

if TYPE_CHECKING:
    from ase import Atoms

_FIRST, _MOST = 16, 4_096  # frames fetched at once
_BYTES = 2_000_000  # about so many bytes at once
_SECONDS = 0.5  # so long without another look at the revision


class Trajectory(Protocol):
    frames_version: int

    async def state(self) -> Any: ...
    async def fetch(self, where: Any) -> Fetched: ...


class _Part:
    """Frames that follow one another."""

    def __init__(self, start: int, asked: int, version: int, fetched: Fetched) -> None:
        self.start = start
        self.version = version  # of the trajectory, as known here
        self.revision = fetched.revision
        self.frames = fetched.atoms
        self.is_last = len(fetched.atoms) < asked
        self.each = fetched.size / max(1, len(fetched.atoms))
        self.looked_at = time.monotonic()


class ReadAhead:
    """Walks a trajectory, forwards or backwards."""

    def __init__(self, trajectory: Trajectory, start: int = 0, *, backwards: bool = False) -> None:
        self._trajectory = trajectory
        self._step = -1 if backwards else 1
        self._next = start
        self._part: _Part | None = None
        self._coming: asyncio.Task[_Part] | None = None
        self._ended = False

    def at_hand(self) -> Atoms | None:
        """The next frame if it is there already and new enough; quick, and from any thread."""
        part = self._part
        if part is None or time.monotonic() - part.looked_at > _SECONDS:
            return None
        return self._from(part)

    async def next(self) -> Atoms | None:
        """The next frame; none after the last."""
        if self._ended or self._next < 0:
            return None
        part = self._part
        if part is not None and time.monotonic() - part.looked_at > _SECONDS:
            if (await self._trajectory.state()).revision != part.revision:
                part = self._part = None
            else:
                part.looked_at = time.monotonic()
        if part is not None and (found := self._from(part)) is not None:
            return found
        if part is not None and part.is_last and part.version == self._trajectory.frames_version:
            self._ended = True
            return None
        while True:
            self._part = part = await self._fetched()
            found = self._from(part)
            # What was overtaken by a change while it was on its way says nothing about the end.
            if found is not None or part.version == self._trajectory.frames_version:
                self._ended = found is None
                return found

    def close(self) -> None:
        if self._coming is not None:
            self._coming.cancel()

    def _from(self, part: _Part) -> Atoms | None:
        place = (self._next - part.start) * self._step
        if part.version != self._trajectory.frames_version or not 0 <= place < len(part.frames):
            return None
        self._next += self._step
        return part.frames[place]

    async def _fetched(self) -> _Part:
        """The part that begins with the next frame; the one after it is on its way then."""
        coming, self._coming = self._coming, None
        part = None
        if coming is not None:
            part = await coming
            stale = time.monotonic() - part.looked_at > _SECONDS
            if part.start != self._next or part.version != self._trajectory.frames_version or stale:
                part = None
        if part is None:
            part = await self._fetch(self._next, _FIRST)
        if not part.is_last:
            many = max(1, min(_MOST, int(_BYTES / max(1.0, part.each))))
            start = part.start + self._step * len(part.frames)
            if start >= 0:
                self._coming = asyncio.create_task(self._fetch(start, many))
        return part

    async def _fetch(self, start: int, many: int) -> _Part:
        version = self._trajectory.frames_version
        stop: int | None = start + many * self._step
        if self._step < 0 and start < many:
            stop, many = None, start + 1
        fetched = await self._trajectory.fetch(slice(start, stop, self._step))
        return _Part(start, many, version, fetched)
