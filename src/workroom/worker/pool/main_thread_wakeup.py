"""Wakes the main thread of a pool process."""

from __future__ import annotations

from queue import Empty, SimpleQueue

# A signal that arrives just before a wait is handled only after it, so no wait is longer than this.
_SIGNAL_SECONDS = 1.0


class Wakeup:
    """Like `threading.Event` for one waiting thread. `SimpleQueue` is implemented in C and wakes it sooner."""

    def __init__(self) -> None:
        self._signal: SimpleQueue[None] = SimpleQueue()

    def notify(self) -> None:
        if self._signal.empty():
            self._signal.put(None)

    def clear(self) -> None:
        while not self._signal.empty():
            self._signal.get_nowait()

    def wait(self, seconds: float | None) -> bool:
        """Wait for `notify`; False when the time ran out first."""
        if seconds is not None:
            return self._wait_once(seconds)
        while not self._wait_once(_SIGNAL_SECONDS):
            pass
        return True

    def _wait_once(self, timeout: float) -> bool:
        try:
            self._signal.get(timeout=timeout)
        except Empty:
            return False
        return True
