"""Blocking calls from threads into an event loop, and the one background loop of a process."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar, cast

T = TypeVar("T")
_SHUTDOWN_SECONDS = 5.0
_SIGNAL_SECONDS = 1.0  # longest single wait: a Ctrl-C just before a wait is handled only after that wait


class Closable(Protocol):
    async def close(self) -> None: ...


def new_loop() -> asyncio.AbstractEventLoop:
    """A uvloop event loop if uvloop is installed, else asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class _Call(Generic[T]):
    """A coroutine that another thread waits for.

    It replaces `run_coroutine_threadsafe`, which takes twice the time: noticeable in the latency of a single call.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self._outcome: SimpleQueue[tuple[T, None] | tuple[None, BaseException]] = SimpleQueue()

    def begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    def cancel(self) -> None:
        self._task.cancel()

    def result(self) -> T:
        value, error = self._wait()
        if error is None:
            return cast(T, value)
        try:
            raise error
        finally:
            del error  # breaks the reference cycle between the error and this frame

    def _wait(self) -> tuple[T, None] | tuple[None, BaseException]:
        while True:
            try:
                return self._outcome.get(timeout=_SIGNAL_SECONDS)
            except Empty:
                pass

    async def _run(self) -> None:
        try:
            self._outcome.put((await self._coroutine, None))
        except asyncio.CancelledError:
            self._outcome.put((None, CancelledError()))
            raise
        except BaseException as error:
            self._outcome.put((None, error))


class Portal:
    """Runs coroutines on an event loop of another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and return its result. Interrupting the caller (Ctrl-C) cancels the coroutine."""
        if _running_loop() is self._loop:
            coroutine.close()
            raise RuntimeError("A blocking call inside the event loop would deadlock: use AsyncRoom there.")
        call = _Call(coroutine)
        try:
            self._loop.call_soon_threadsafe(call.begin)
        except RuntimeError:
            coroutine.close()  # the loop has ended
            raise
        try:
            return call.result()
        except BaseException:
            self.soon(call.cancel)
            raise

    def start(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine without waiting for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def soon(self, call: Callable[[], object]) -> None:
        """Schedule a function on the loop; without effect once the loop has ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)


class _BackgroundLoop(Portal):
    """An event loop in its own thread, shared by all blocking objects of the process."""

    def __init__(self) -> None:
        loop = new_loop()
        super().__init__(loop)
        self._open: set[Closable] = set()
        self._thread = threading.Thread(target=loop.run_forever, name="workroom", daemon=True)
        self._thread.start()

    def close_at_exit(self, closable: Closable) -> None:
        """Close this object when the program ends, unless it is released before."""
        self._open.add(closable)

    def release(self, closable: Closable) -> None:
        self._open.discard(closable)

    def shutdown(self) -> None:
        if not self._thread.is_alive():
            return
        with suppress(Exception):
            self.start(self._close_all()).result(_SHUTDOWN_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_SHUTDOWN_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    async def _close_all(self) -> None:
        await asyncio.gather(*(closable.close() for closable in self._open), return_exceptions=True)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


_lock = threading.Lock()
_shared: _BackgroundLoop | None = None


def background() -> _BackgroundLoop:
    """The background loop of this process, started at the first call."""
    global _shared  # noqa: PLW0603 - there is one loop per process
    with _lock:
        if _shared is None:
            _shared = _BackgroundLoop()
            atexit.register(_shared.shutdown)
        return _shared


def _reset_after_fork() -> None:
    """A forked child does not have its parent's threads, so it needs a loop of its own."""
    global _shared, _lock
    _shared, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_reset_after_fork)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
