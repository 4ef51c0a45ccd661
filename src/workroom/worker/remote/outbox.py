"""What a worker has to report, kept until the server has taken it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from workroom.domain.errors import Unavailable, WorkerLost, WorkroomError
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.domain.jobs.outcomes import Cancelled, Failed, Report, Started, Succeeded

log = logging.getLogger("workroom.worker")

_MOST_AT_ONCE = 200
# A socket message may take 1 MB; what comes near it goes alone, by REST.
SOCKET_BYTES = 500_000
# Errors of the server's own making are given this many chances before the report is dropped.
_CHANCES = 5


@dataclass(slots=True)
class PendingReport:
    """One report on its way."""

    report: Report
    body: dict[str, Any]
    size: int
    answer: asyncio.Future[None]
    failures: int = 0


# Delivers letters, and tells for each why it was refused, if it was. Raises when none could be delivered.
Deliver = Callable[[Sequence[PendingReport]], Awaitable[list[WorkroomError | None]]]


class Outbox:
    """Reports leave in the order in which they came; several at once when they have gathered."""

    def __init__(self, deliver: Deliver, reachable: Callable[[], Awaitable[None]]) -> None:
        self._deliver = deliver
        self._reachable = reachable
        self._letters: deque[PendingReport] = deque()
        self._task: asyncio.Task[None] | None = None

    def put(self, report: Report) -> asyncio.Future[None]:
        """Queue a report. The answer comes when the server has taken it, or is the error with which it refused."""
        body = as_message(report)
        letter = PendingReport(report, body, len(orjson.dumps(body)), asyncio.get_running_loop().create_future())
        self._letters.append(letter)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._empty(), name="outbox")
        return letter.answer

    @property
    def is_empty(self) -> bool:
        return not self._letters

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for letter in self._letters:
            letter.answer.cancel()

    async def _empty(self) -> None:
        failures = 0
        while self._letters:
            batch = self._next_batch()
            try:
                answers = await self._deliver(batch)
            except (WorkroomError, OSError) as error:
                log.debug("reports wait for the server: %s", error)
                answers = None
            if answers is not None and self._settle(batch, answers):
                failures = 0
                continue
            failures += 1
            await self._pause(failures)

    def _settle(self, batch: Sequence[PendingReport], answers: Sequence[WorkroomError | None]) -> bool:
        """Take out what has been dealt with; whether all of it has."""
        kept: list[PendingReport] = []
        for letter, refusal in zip(batch, answers, strict=True):
            if refusal is not None and _may_pass(letter, refusal):
                kept.append(letter)
            elif not letter.answer.done():
                letter.answer.set_result(None) if refusal is None else letter.answer.set_exception(refusal)
        for _ in batch:
            self._letters.popleft()
        self._letters.extendleft(reversed(kept))
        return not kept

    async def _pause(self, failures: int) -> None:
        """Wait a little: less, if the connection comes back meanwhile."""
        seconds = backoff_seconds(failures, 0.05, 2.0, random.random())  # noqa: S311 - spreads workers, guards nothing
        await asyncio.sleep(min(seconds, 0.05))
        try:
            async with asyncio.timeout(seconds):
                await self._reachable()
        except TimeoutError:
            pass

    def _next_batch(self) -> list[PendingReport]:
        batch: list[PendingReport] = []
        size = 0
        for letter in self._letters:
            size += letter.size
            if batch and (size > SOCKET_BYTES or len(batch) >= _MOST_AT_ONCE):
                break
            batch.append(letter)
        return batch


def _may_pass(letter: PendingReport, refusal: WorkroomError) -> bool:
    """Whether it is worth saying again: the worker registers anew, or the server recovers."""
    if isinstance(refusal, WorkerLost | Unavailable):
        return True
    if type(refusal) is WorkroomError:
        letter.failures += 1
        return letter.failures < _CHANCES
    return False


def as_message(report: Report) -> dict[str, Any]:
    body: dict[str, Any] = {"jobId": str(report.job_id), "attempt": report.attempt}
    match report.outcome:
        case Started():
            return body | {"status": "running", "confirm": True}
        case Succeeded(result):
            return body | {"status": "completed", "result": result}
        case Failed(error):
            return body | {"status": "failed", "error": error}
        case Cancelled():
            return body | {"status": "cancelled"}
