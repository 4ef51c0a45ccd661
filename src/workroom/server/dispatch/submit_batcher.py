"""Jobs that people submit, written in batches.

What is submitted to an extension while a transaction for it is under way waits and goes together into the next one:
people do not queue for each other's locks, and one commit serves many. A lone submission is written at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from workroom.actions.engine import Engine
from workroom.actions.jobs.submit import JobRequest, submit_batch
from workroom.domain.errors import WorkroomError
from workroom.store.queue_tables.job_rows import Submitted

_MOST_AT_ONCE = 100


@dataclass(slots=True)
class _PendingSubmit:
    asked: JobRequest
    answer: asyncio.Future[Submitted]


class SubmitBatcher:
    """One queue for each extension that is being asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._slips: dict[int, deque[_PendingSubmit]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def submit(self, asked: JobRequest) -> Submitted:
        extension_id = asked.extension.id
        waiting = self._slips.get(extension_id)
        if waiting is not None:
            slip = _PendingSubmit(asked, asyncio.get_running_loop().create_future())
            waiting.append(slip)
            return await slip.answer
        waiting = self._slips[extension_id] = deque()
        try:
            (outcome,) = await submit_batch(self._engine, [asked])
        finally:
            if waiting:
                # Who came meanwhile goes together; nobody in particular has to wait for all of them.
                task = asyncio.create_task(self._drain(extension_id))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            else:
                del self._slips[extension_id]
        if isinstance(outcome, WorkroomError):
            raise outcome
        return outcome

    async def _drain(self, extension_id: int) -> None:
        waiting = self._slips[extension_id]
        while waiting:
            batch = [waiting.popleft() for _ in range(min(len(waiting), _MOST_AT_ONCE))]
            await self._write(batch)
        del self._slips[extension_id]

    async def _write(self, batch: list[_PendingSubmit]) -> None:
        try:
            outcomes = await submit_batch(self._engine, [slip.asked for slip in batch])
        except Exception as error:
            if len(batch) == 1 or isinstance(error, WorkroomError):
                for slip in batch:
                    _answer(slip, error)
                return
            # Something in one of them the database cannot take: each is tried by itself.
            for slip in batch:
                await self._write([slip])
        else:
            for slip, outcome in zip(batch, outcomes, strict=True):
                _answer(slip, outcome)


def _answer(slip: _PendingSubmit, outcome: Submitted | Exception) -> None:
    if slip.answer.done():
        return
    if isinstance(outcome, Exception):
        slip.answer.set_exception(outcome)
    else:
        slip.answer.set_result(outcome)
