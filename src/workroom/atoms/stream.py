"""Frames that come one after the other, put into the room in batches."""

from __future__ import annotations

import time
from typing import Any

from workroom.atoms.structures import Structure

_MOST = 64  # frames
_SECONDS = 0.5


class Stream:
    """Gathers frames, and adds them to the room when half a second has passed or enough are there.

    A request for every frame would make a fast simulation wait for the server most of the time; people do not see more
    than a few batches a second anyway.
    """

    def __init__(self, vis: Any, *, follow: bool) -> None:
        self._vis = vis
        self._follow = follow
        self._waiting: list[Structure] = []
        self._since = time.monotonic()
        self.count = 0

    def put(self, frame: Structure) -> None:
        self._waiting.append(frame)
        self.count += 1
        if len(self._waiting) >= _MOST or time.monotonic() - self._since > _SECONDS:
            self.flush(show=self._follow)

    def flush(self, *, show: bool) -> None:
        """Add what has gathered; show the last frame, if so wished."""
        if self._waiting:
            frames, self._waiting = self._waiting, []
            self._vis.extend(frames)
        if show and self.count:
            self._vis.step = len(self._vis) - 1
        self._since = time.monotonic()
