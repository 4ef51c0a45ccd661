"""What workers report, taken in order and in batches.

Reports of one worker are written one transaction after the other, in the order in which they arrived, whichever way
they came. What arrives while a transaction is under way waits and goes together into the next one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.report import report
from workroom.domain.errors import Conflict, WorkroomError
from workroom.domain.outcomes import Report, Started

_MOST_AT_ONCE = 500


@dataclass(slots=True)
class _Letter:
    report: Report
    incarnation: int
    answer: asyncio.Future[Conflict | None]


class Inbox:
    """One queue for each worker that has something to say."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._letters: dict[UUID, deque[_Letter]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, worker_id: UUID, incarnation: int, said: Report) -> asyncio.Future[Conflict | None]:
        """Queue a report; its refusal, if any, once it is written. Keeps the order of the calls."""
        letter = _Letter(said, incarnation, asyncio.get_running_loop().create_future())
        waiting = self._letters.get(worker_id)
        if waiting is None:
            self._letters[worker_id] = deque([letter])
            task = asyncio.create_task(self._empty(worker_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            waiting.append(letter)
        return letter.answer

    async def _empty(self, worker_id: UUID) -> None:
        waiting = self._letters[worker_id]
        while waiting:
            await self._write(worker_id, _next_batch(waiting))
        del self._letters[worker_id]

    async def _write(self, worker_id: UUID, batch: list[_Letter]) -> None:
        try:
            refused = await report(
                self._engine, worker_id, [letter.report for letter in batch], incarnation=batch[0].incarnation
            )
        except WorkroomError as error:
            await self._one_by_one(worker_id, batch, error)
        except Exception as error:
            for letter in batch:
                _settle(letter, error)
        else:
            for letter in batch:
                _settle(letter, refused.get(letter.report.job_id))

    async def _one_by_one(self, worker_id: UUID, batch: list[_Letter], error: WorkroomError) -> None:
        """One bad report must not spoil the others: each is written, and refused, by itself."""
        if len(batch) == 1:
            _settle(batch[0], error)
            return
        for letter in batch:
            await self._write(worker_id, [letter])


def _settle(letter: _Letter, outcome: BaseException | None) -> None:
    if letter.answer.done():
        return
    if outcome is None or isinstance(outcome, Conflict):
        letter.answer.set_result(outcome)
    else:
        letter.answer.set_exception(outcome)


def _next_batch(waiting: deque[_Letter]) -> list[_Letter]:
    """As many letters as can be written at once: of one incarnation, and no two that could contradict each other."""
    batch: list[_Letter] = []
    ended: set[UUID] = set()
    started: set[UUID] = set()
    while waiting and len(batch) < _MOST_AT_ONCE:
        letter = waiting[0]
        job_id = letter.report.job_id
        starts = isinstance(letter.report.outcome, Started)
        if job_id in ended or (starts and job_id in started) or (batch and letter.incarnation != batch[0].incarnation):
            break
        (started if starts else ended).add(job_id)
        batch.append(waiting.popleft())
    return batch
