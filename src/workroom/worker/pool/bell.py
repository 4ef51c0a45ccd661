"""What wakes the main thread of a pool process."""

from __future__ import annotations

from queue import Empty, SimpleQueue


class Bell:
    """As `threading.Event`, for one who waits and others who ring; a queue of the interpreter's own wakes sooner."""

    def __init__(self) -> None:
        self._rung: SimpleQueue[None] = SimpleQueue()

    def ring(self) -> None:
        if self._rung.empty():
            self._rung.put(None)

    def clear(self) -> None:
        while not self._rung.empty():
            self._rung.get_nowait()

    def wait(self, seconds: float | None) -> bool:
        """Until it rings; whether it did, and not the time ran out."""
        try:
            self._rung.get(timeout=seconds)
        except Empty:
            return False
        return True
