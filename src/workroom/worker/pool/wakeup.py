"""What wakes the main thread of a pool process."""

from __future__ import annotations

from queue import Empty, SimpleQueue

# A signal in the very moment before a wait is noticed only after it: no wait is longer than this.
_SIGNAL_SECONDS = 1.0


class Wakeup:
    """As `threading.Event`, for one who waits and others who ring; a queue of the interpreter's own wakes sooner."""

    def __init__(self) -> None:
        self._rung: SimpleQueue[None] = SimpleQueue()

    def notify(self) -> None:
        if self._rung.empty():
            self._rung.put(None)

    def clear(self) -> None:
        while not self._rung.empty():
            self._rung.get_nowait()

    def wait(self, seconds: float | None) -> bool:
        """Until it rings; whether it did, and not the time ran out."""
        if seconds is not None:
            return self._rings(seconds)
        while not self._rings(_SIGNAL_SECONDS):
            pass
        return True

    def _rings(self, within: float) -> bool:
        try:
            self._rung.get(timeout=within)
        except Empty:
            return False
        return True
