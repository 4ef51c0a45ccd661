"""The way for threads into an event loop."""

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
_FAREWELL_SECONDS = 5.0
_SIGNAL_SECONDS = 1.0  # a Ctrl-C in the very moment before a wait is noticed only after it: no wait is longer than this


class Closable(Protocol):
    async def close(self) -> None: ...


def new_loop() -> asyncio.AbstractEventLoop:
    """The quickest event loop there is: uvloop, where it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class _Call(Generic[T]):
    """A coroutine that another thread waits for: what `run_coroutine_threadsafe` does, in half the time, which
    whoever posts a single call to an idle pool notices.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self._answer: SimpleQueue[tuple[T, None] | tuple[None, BaseException]] = SimpleQueue()

    def begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    def cancel(self) -> None:
        self._task.cancel()

    def answer(self) -> T:
        value, error = self._come()
        if error is None:
            return cast(T, value)
        try:
            raise error
        finally:
            del error  # it knows this frame: neither should keep the other

    def _come(self) -> tuple[T, None] | tuple[None, BaseException]:
        while True:
            try:
                return self._answer.get(timeout=_SIGNAL_SECONDS)
            except Empty:
                pass

    async def _run(self) -> None:
        try:
            self._answer.put((await self._coroutine, None))
        except asyncio.CancelledError:
            self._answer.put((None, CancelledError()))
            raise
        except BaseException as error:
            self._answer.put((None, error))


class Portal:
    """Runs coroutines on a loop that some other thread turns."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The coroutine's result. Interrupting the caller (Ctrl-C) cancels the coroutine."""
        if _running_loop() is self._loop:
            coroutine.close()
            raise RuntimeError("A blocking call inside the event loop would wait for itself: use AsyncRoom there.")
        call = _Call(coroutine)
        try:
            self._loop.call_soon_threadsafe(call.begin)
        except RuntimeError:
            coroutine.close()  # the loop has ended
            raise
        try:
            return call.answer()
        except BaseException:
            self.soon(call.cancel)
            raise

    def start(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Run the coroutine without waiting for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def soon(self, call: Callable[[], object]) -> None:
        """Have something done on the loop, some time; nothing happens once the loop has ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)


class _Background(Portal):
    """An event loop in a thread of its own, shared by everything in the process that blocks."""

    def __init__(self) -> None:
        loop = new_loop()
        super().__init__(loop)
        self._open: set[Closable] = set()
        self._thread = threading.Thread(target=loop.run_forever, name="workroom", daemon=True)
        self._thread.start()

    def hold(self, closable: Closable) -> None:
        """Close this at the latest when the program ends."""
        self._open.add(closable)

    def release(self, closable: Closable) -> None:
        self._open.discard(closable)

    def end(self) -> None:
        if not self._thread.is_alive():
            return
        with suppress(Exception):
            self.start(self._close_all()).result(_FAREWELL_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_FAREWELL_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    async def _close_all(self) -> None:
        await asyncio.gather(*(one.close() for one in self._open), return_exceptions=True)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


_lock = threading.Lock()
_shared: _Background | None = None


def background() -> _Background:
    """The one loop of this process, started when first needed."""
    global _shared  # noqa: PLW0603 - one for each process is the point
    with _lock:
        if _shared is None:
            _shared = _Background()
            atexit.register(_shared.end)
        return _shared


def _forget() -> None:
    """A forked child has none of its parent's threads."""
    global _shared, _lock
    _shared, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
