"""Sends the progress and the log lines of a running job to the server, in batches and bounded."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from workroom.domain.errors import AttemptLost, WorkroomError

Send = Callable[[str, dict[str, Any]], Awaitable[None]]

_BATCH_SECONDS = 0.1  # between two batches
_LINES_IN_A_BATCH = 200
_LINES_WAITING = 1_000  # as many as the server keeps
_LONGEST_LINE = 2_000
_FINAL_FLUSH_SECONDS = 10.0  # for what is still pending when the job ends


class JobReporter:
    """The reporter of one attempt."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: dict[str, Any], send: Send) -> None:
        self._loop = loop
        self._job_fields = name  # jobId and attempt
        self._send = send
        self._lock = threading.Lock()
        self._lines: deque[str] = deque()
        self._dropped = 0
        self._progress: dict[str, Any] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._is_scheduled = False
        self._finishing = asyncio.Event()
        self.on_lost: Callable[[], None] = _do_nothing

    def progress(self, fraction: float | None, message: str = "") -> None:
        """Report progress, from any thread. Only the latest is sent."""
        if fraction is not None:
            fraction = min(1.0, max(0.0, float(fraction)))
        with self._lock:
            self._progress = {"fraction": fraction, "message": str(message)[:1_000]}
        self._schedule()

    def line(self, text: str) -> None:
        """Report a log line, from any thread. When too many are pending, the oldest are dropped."""
        with self._lock:
            self._lines.append(text[:_LONGEST_LINE])
            if len(self._lines) > _LINES_WAITING:
                self._lines.popleft()
                self._dropped += 1
        self._schedule()

    async def finish(self) -> None:
        """Send what is pending. After the outcome the server accepts no more."""
        try:
            async with asyncio.timeout(_FINAL_FLUSH_SECONDS):
                self._finishing.set()
                if self._sender is not None:
                    await asyncio.wait({self._sender})
                while self._pending():
                    if not await self._send_batch():
                        await asyncio.sleep(_BATCH_SECONDS)
        except TimeoutError:
            pass  # the server is unavailable: the outcome must not wait for the last lines

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon_threadsafe(self._start_sender)

    def _start_sender(self) -> None:
        if not self._finishing.is_set() and (self._sender is None or self._sender.done()):
            self._sender = asyncio.create_task(self._send_loop(), name="job reporter")

    async def _send_loop(self) -> None:
        while True:
            self._is_scheduled = True
            await self._send_batch()
            await self._pause()
            self._is_scheduled = False
            if self._finishing.is_set() or not self._pending():
                return

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(_BATCH_SECONDS):
                await self._finishing.wait()
        except TimeoutError:
            pass

    def _pending(self) -> bool:
        return bool(self._lines) or self._progress is not None

    async def _send_batch(self) -> bool:
        """Send one batch; False if that failed. What was not sent stays pending."""
        with self._lock:
            progress, self._progress = self._progress, None
            lines = [self._lines.popleft() for _ in range(min(len(self._lines), _LINES_IN_A_BATCH))]
            dropped, self._dropped = self._dropped, 0
        if dropped:
            lines.insert(0, f"… {dropped} lines dropped: printed faster than they can be sent …")
        try:
            if progress is not None:
                await self._send("job:progress", self._job_fields | progress)
                progress = None
            if lines:
                await self._send("job:log", self._job_fields | {"lines": lines})
        except AttemptLost:
            self.on_lost()
        except WorkroomError:
            with self._lock:
                self._progress = self._progress or progress
                self._lines.extendleft(reversed(lines))
            return False
        return True


def _do_nothing() -> None:
    pass
