"""What wakes the main thread of a pool process."""

from __future__ import annotations

from queue import Empty, SimpleQueue

# A signal in the very moment before a wait is noticed only after it: no wait is longer than this.
_SIGNAL_SECONDS = 1.0


class Wakeup:
    """As `threading.Event`, for one who waits and others who ring; a queue of the interpreter's own wakes sooner."""

    def __init__(self) -> None:
        self._signal: SimpleQueue[None] = SimpleQueue()

    def notify(self) -> None:
        if self._signal.empty():
            self._signal.put(None)

    def clear(self) -> None:
        while not self._signal.empty():
            self._signal.get_nowait()

    def wait(self, seconds: float | None) -> bool:
        """Until it rings; whether it did, and not the time ran out."""
        if seconds is not None:
            return self._wait_once(seconds)
        while not self._wait_once(_SIGNAL_SECONDS):
            pass
        return True

    def _wait_once(self, within: float) -> bool:
        try:
            self._signal.get(timeout=within)
        except Empty:
            return False
        return True
