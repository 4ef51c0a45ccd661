"""Groups items by key and writes each group in batches, one batch at a time.

Items that arrive while a batch of the same key is being written go together into the next batch. So writers of one key
do not wait for each other's row locks, and one commit serves many items. An item that arrives alone is written at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")
Result = TypeVar("Result")


class _Pending(NamedTuple, Generic[Item, Result]):
    item: Item
    result: asyncio.Future[Result]


class Batcher(Generic[Key, Item, Result]):
    """One queue for each key that has items to write.

    `write` writes one batch and returns one result for each item. `split` gets the next items and returns how many of
    them may be written together; without it only `limit` bounds a batch. An item that is not `urgent` waits for `delay`
    seconds, so that an item that follows soon joins its batch. After an error that `retry_alone` accepts, each item of
    the batch is written by itself, because one bad item must not fail the others.
    """

    def __init__(
        self,
        write: Callable[[Key, Sequence[Item]], Awaitable[Sequence[Result]]],
        *,
        limit: int,
        retry_alone: Callable[[Exception], bool],
        split: Callable[[Sequence[Item]], int] = len,
        urgent: Callable[[Item], bool] | None = None,
        delay: float = 0.0,
    ) -> None:
        self._write = write
        self._limit = limit
        self._retry_alone = retry_alone
        self._split = split
        self._urgent = urgent
        self._delay = delay
        self._queues: dict[Key, deque[_Pending[Item, Result]]] = {}
        self._writers: dict[Key, asyncio.Task[None]] = {}
        self._timers: dict[Key, asyncio.TimerHandle] = {}

    def put(self, key: Key, item: Item) -> asyncio.Future[Result]:
        """Queue an item. The future has its result once its batch is written; results keep the order of the calls."""
        pending: _Pending[Item, Result] = _Pending(item, asyncio.get_running_loop().create_future())
        self._queues.setdefault(key, deque()).append(pending)
        self._schedule(key, [pending])
        return pending.result

    def _schedule(self, key: Key, added: Iterable[_Pending[Item, Result]]) -> None:
        if key in self._writers:
            return
        if self._urgent is None or any(self._urgent(pending.item) for pending in added):
            self._start_writer(key)
        elif key not in self._timers:
            self._timers[key] = asyncio.get_running_loop().call_later(self._delay, self._start_writer, key)

    def _start_writer(self, key: Key) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        self._writers[key] = asyncio.create_task(self._write_queue(key), name="batch writer")

    async def _write_queue(self, key: Key) -> None:
        queue = self._queues[key]
        while True:
            await self._write_batch(key, self._next_batch(queue))
            if not queue or (self._urgent and not any(self._urgent(pending.item) for pending in queue)):
                break
        del self._writers[key]
        if queue:
            self._schedule(key, queue)
        else:
            del self._queues[key]

    def _next_batch(self, queue: deque[_Pending[Item, Result]]) -> list[_Pending[Item, Result]]:
        size = self._split([pending.item for pending in islice(queue, self._limit)])
        return [queue.popleft() for _ in range(size)]

    async def _write_batch(self, key: Key, batch: Sequence[_Pending[Item, Result]]) -> None:
        try:
            results = await self._write(key, [pending.item for pending in batch])
        except Exception as error:
            if len(batch) > 1 and self._retry_alone(error):
                for pending in batch:
                    await self._write_batch(key, [pending])
                return
            for pending in batch:
                if not pending.result.done():
                    pending.result.set_exception(error)
        else:
            for pending, result in zip(batch, results, strict=True):
                if not pending.result.done():
                    pending.result.set_result(result)
