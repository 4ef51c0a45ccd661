"""What a job says while it runs: how far it is, and lines it prints. Bounded, and sent in batches."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from workroom.domain.errors import AttemptLost, WorkroomError

Send = Callable[[str, dict[str, Any]], Awaitable[None]]

_PAUSE = 0.1  # seconds between two batches
_LINES_IN_A_BATCH = 200
_LINES_WAITING = 1_000  # as many as the server keeps
_LONGEST_LINE = 2_000
_FINAL_FLUSH_SECONDS = 10.0  # seconds for what is still unsaid when the job ends


class JobReporter:
    """One job's words, on their way to the server."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: dict[str, Any], send: Send) -> None:
        self._loop = loop
        self._name = name  # job and attempt
        self._send = send
        self._lock = threading.Lock()
        self._lines: deque[str] = deque()
        self._left_out = 0
        self._progress: dict[str, Any] | None = None
        self._speaking: asyncio.Task[None] | None = None
        self._woken = False
        self._ending = asyncio.Event()
        self.when_lost: Callable[[], None] = _nothing

    def progress(self, fraction: float | None, message: str = "") -> None:
        """From any thread. Only the latest word counts."""
        if fraction is not None:
            fraction = min(1.0, max(0.0, float(fraction)))
        with self._lock:
            self._progress = {"fraction": fraction, "message": str(message)[:1_000]}
        self._wake()

    def line(self, text: str) -> None:
        """From any thread. When too many wait, the oldest are left out."""
        with self._lock:
            self._lines.append(text[:_LONGEST_LINE])
            if len(self._lines) > _LINES_WAITING:
                self._lines.popleft()
                self._left_out += 1
        self._wake()

    async def finish(self) -> None:
        """Say what is still unsaid: after the outcome nobody listens."""
        try:
            async with asyncio.timeout(_FINAL_FLUSH_SECONDS):
                self._ending.set()
                if self._speaking is not None:
                    await asyncio.wait({self._speaking})
                while self._pending():
                    if not await self._say():
                        await asyncio.sleep(_PAUSE)
        except TimeoutError:
            pass  # the server has been away for too long: the outcome counts more than the last lines

    def _wake(self) -> None:
        if not self._woken:
            self._woken = True
            self._loop.call_soon_threadsafe(self._start_speaking)

    def _start_speaking(self) -> None:
        if not self._ending.is_set() and (self._speaking is None or self._speaking.done()):
            self._speaking = asyncio.create_task(self._send_loop(), name="voice")

    async def _send_loop(self) -> None:
        while True:
            self._woken = True
            await self._say()
            await self._pause()
            self._woken = False
            if self._ending.is_set() or not self._pending():
                return

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(_PAUSE):
                await self._ending.wait()
        except TimeoutError:
            pass

    def _pending(self) -> bool:
        return bool(self._lines) or self._progress is not None

    async def _say(self) -> bool:
        """Send one batch; whether that worked. What was not sent is kept for the next."""
        with self._lock:
            progress, self._progress = self._progress, None
            lines = [self._lines.popleft() for _ in range(min(len(self._lines), _LINES_IN_A_BATCH))]
            left_out, self._left_out = self._left_out, 0
        if left_out:
            lines.insert(0, f"… {left_out} lines left out: printed faster than can be sent …")
        try:
            if progress is not None:
                await self._send("job:progress", self._name | progress)
                progress = None
            if lines:
                await self._send("job:log", self._name | {"lines": lines})
        except AttemptLost:
            self.when_lost()
        except WorkroomError:
            with self._lock:
                self._progress = self._progress or progress
                self._lines.extendleft(reversed(lines))
            return False
        return True


def _nothing() -> None:
    pass
