"""What workers report, taken in order and in batches.

Reports of one worker are written one transaction after the other, in the order in which they arrived, whichever way
they came. What arrives while a transaction is under way waits and goes together into the next one.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.jobs.report import report
from workroom.domain.errors import Conflict, WorkroomError
from workroom.domain.jobs.outcomes import Failed, Report, Started, Succeeded

_MOST_AT_ONCE = 500
_COALESCE_SECONDS = 0.002  # seconds; event loops count whole milliseconds, and less than one would be none


@dataclass(slots=True)
class _PendingReport:
    report: Report
    incarnation: int
    urgent: bool
    answer: asyncio.Future[Conflict | None]
    came: float


class ReportBatcher:
    """One queue for each worker that has something to say."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._letters: dict[UUID, deque[_PendingReport]] = {}
        self._lingering: dict[UUID, asyncio.TimerHandle] = {}
        self._writing: dict[UUID, asyncio.Task[None]] = {}

    def put(self, worker_id: UUID, incarnation: int, said: Report, *, urgent: bool) -> asyncio.Future[Conflict | None]:
        """Queue a report; its refusal, if any, once it is written. Keeps the order of the calls.

        `urgent` for a worker that waits for the answer: what it says next cannot be on its way.
        """
        letter = _PendingReport(
            said, incarnation, urgent, asyncio.get_running_loop().create_future(), time.perf_counter()
        )
        self._letters.setdefault(worker_id, deque()).append(letter)
        if worker_id not in self._writing:
            if urgent or not isinstance(said.outcome, Started):
                self._write_now(worker_id)
            elif worker_id not in self._lingering:
                self._delay_flush(worker_id)
        return letter.answer

    def _delay_flush(self, worker_id: UUID) -> None:
        """A start is no hurry, and the end of a short job is on its way: they go together."""
        loop = asyncio.get_running_loop()
        self._lingering[worker_id] = loop.call_later(_COALESCE_SECONDS, self._write_now, worker_id)

    def _write_now(self, worker_id: UUID) -> None:
        if worker_id in self._lingering:
            self._lingering.pop(worker_id).cancel()
        self._writing[worker_id] = asyncio.create_task(self._drain(worker_id))

    async def _drain(self, worker_id: UUID) -> None:
        waiting = self._letters[worker_id]
        while True:
            await self._write(worker_id, _next_batch(waiting))
            if not waiting:
                del self._writing[worker_id], self._letters[worker_id]
                return
            if not any(letter.urgent or not isinstance(letter.report.outcome, Started) for letter in waiting):
                del self._writing[worker_id]
                self._delay_flush(worker_id)
                return

    async def _write(self, worker_id: UUID, batch: list[_PendingReport]) -> None:
        try:
            refused = await report(self._engine, worker_id, _merged(batch), incarnation=batch[0].incarnation)
        except WorkroomError as error:
            await self._one_by_one(worker_id, batch, error)
        except Exception as error:
            for letter in batch:
                _settle(letter, error)
        else:
            for letter in batch:
                _settle(letter, refused.get(letter.report.job_id))

    async def _one_by_one(self, worker_id: UUID, batch: list[_PendingReport], error: WorkroomError) -> None:
        """One bad report must not spoil the others: each is written, and refused, by itself."""
        if len(batch) == 1:
            _settle(batch[0], error)
            return
        for letter in batch:
            await self._write(worker_id, [letter])


def _settle(letter: _PendingReport, outcome: BaseException | None) -> None:
    if letter.answer.done():
        return
    if outcome is None or isinstance(outcome, Conflict):
        letter.answer.set_result(outcome)
    else:
        letter.answer.set_exception(outcome)


def _next_batch(waiting: deque[_PendingReport]) -> list[_PendingReport]:
    """As many letters as can be written at once: of one incarnation, and no two that could contradict each other."""
    batch: list[_PendingReport] = []
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


def _merged(batch: list[_PendingReport]) -> list[Report]:
    """The reports, each start that came with its end folded into it."""
    started = {letter.report.job_id: letter for letter in batch if isinstance(letter.report.outcome, Started)}
    ended = {letter.report.job_id for letter in batch if isinstance(letter.report.outcome, Succeeded | Failed)}
    merged: list[Report] = []
    for letter in batch:
        said = letter.report
        if said.job_id in ended and isinstance(said.outcome, Started):
            continue
        if said.job_id in ended and said.job_id in started:
            said = said._replace(ran_ms=(letter.came - started[said.job_id].came) * 1000)
        merged.append(said)
    return merged
