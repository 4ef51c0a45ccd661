"""Threads that run jobs. They are reused, and do not keep the program alive."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class DaemonThreadPool:
    """One thread for each job at a time. They are daemons: a stuck job cannot keep the process alive."""

    def __init__(self) -> None:
        self._idle: list[queue.SimpleQueue[Callable[[], None] | None]] = []

    async def run(self, work: Callable[[], T]) -> T:
        """Run the work in an idle thread and return its result. Cancelling the wait does not stop the work."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        tasks = self._idle.pop() if self._idle else self._start_thread()

        def settle(result: T | None, error: BaseException | None) -> None:
            self._idle.append(tasks)
            if done.cancelled():
                return
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result)  # pyright: ignore[reportArgumentType]

        def run_and_settle() -> None:
            try:
                result, error = work(), None
            except BaseException as raised:
                result, error = None, raised
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, result, error)

        tasks.put(run_and_settle)
        return await done

    def shutdown(self) -> None:
        """Let the idle threads end."""
        for tasks in self._idle:
            tasks.put(None)
        self._idle.clear()

    def _start_thread(self) -> queue.SimpleQueue[Callable[[], None] | None]:
        tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

        def serve() -> None:
            while (task := tasks.get()) is not None:
                task()

        threading.Thread(target=serve, name="workroom job", daemon=True).start()
        return tasks
