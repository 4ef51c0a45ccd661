"""Frames that a running job produces, added to the room in batches."""

from __future__ import annotations

import time
from typing import Any

from workroom.atoms.selection_and_results import Structure

_MAX_FRAMES = 64
_SECONDS = 0.5


class FrameBatcher:
    """Collects frames and adds them to the room every half second, or when the batch is full.

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
        if len(self._waiting) >= _MAX_FRAMES or time.monotonic() - self._since > _SECONDS:
            self.flush(show=self._follow)

    def flush(self, *, show: bool) -> None:
        """Add the collected frames; show the last one if requested."""
        if self._waiting:
            frames, self._waiting = self._waiting, []
            self._vis.extend(frames)
        if show and self.count:
            self._vis.step = len(self._vis) - 1
        self._since = time.monotonic()
