"""A queue for password hashes: few threads, bounded waiting, and fairness between addresses.

The queue serves addresses in turn. Of one address it alternates between the newest and the oldest attempt, and a full
queue drops a random one: many attempts at once then neither delay a later one for long nor shut it out for certain.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from workroom.domain.errors import TooManyRequests

T = TypeVar("T")

_WAITING_OF_ADDRESS = 128
_WAITING = 1_024


@dataclass(slots=True)
class _Entry:
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class HashQueue:
    """Runs work in `threads` threads, which start with the first work."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._started = False
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, list[_Entry]] = OrderedDict()  # by address, the next one to serve first
        self._newest_next = True

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """The result of `work`. TooManyRequests if the queue is full and drops this entry."""
        loop = asyncio.get_running_loop()
        entry = _Entry(work, loop, loop.create_future())
        with self._changed:
            self._start()
            entries = self._waiting.setdefault(address, [])
            entries.append(entry)
            dropped = self._overflow(entries)
            self._changed.notify()
        if dropped is not None:
            _settle(dropped, TooManyRequests("Too many sign-ins at once: try again in 1 s.", retryAfter=1))
        return cast(T, await entry.future)

    def _overflow(self, entries: list[_Entry]) -> _Entry | None:
        if len(entries) <= _WAITING_OF_ADDRESS:
            if sum(map(len, self._waiting.values())) <= _WAITING:
                return None
            entries = max(self._waiting.values(), key=len)
        return entries.pop(random.randrange(len(entries)))  # noqa: S311 - which one is no secret

    def _start(self) -> None:
        if self._started:
            return
        self._started = True
        for number in range(self._threads):
            threading.Thread(target=self._serve, name=f"password hash {number}", daemon=True).start()

    def _serve(self) -> None:
        while True:
            entry = self._take()
            if entry.future.cancelled():
                continue
            try:
                result = entry.work()
            except Exception as error:
                _settle(entry, error)
            else:
                _settle(entry, None, result)

    def _take(self) -> _Entry:
        with self._changed:
            while True:
                while self._waiting:
                    address, entries = self._waiting.popitem(last=False)
                    if not entries:
                        continue
                    entry = entries.pop(-1 if self._newest_next else 0)
                    self._newest_next = not self._newest_next
                    if entries:
                        self._waiting[address] = entries  # at the end: the other addresses come first
                    return entry
                self._changed.wait()


def _settle(entry: _Entry, error: BaseException | None, result: Any = None) -> None:
    """Complete the future in its own event loop. A loop that was closed meanwhile needs no result."""

    def complete() -> None:
        if entry.future.done():
            return
        if error is not None:
            entry.future.set_exception(error)
        else:
            entry.future.set_result(result)

    with suppress(RuntimeError):
        entry.loop.call_soon_threadsafe(complete)
