"""The reports of a remote worker, kept until the server has acknowledged them."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from workroom.domain.errors import Unavailable, WorkerLost, WorkroomError
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.domain.jobs.outcomes import Cancelled, Failed, Report, Started, Succeeded
from workroom.logs import get_logger

log = get_logger(__name__)

_BATCH_REPORTS = 200
# A socket message may take 1 MB; a larger report is sent alone, by REST.
SOCKET_BYTES = 500_000
# How long an answer may take at the first try, and at most. A slow server must not get every report many times.
_ANSWER_SECONDS = 0.5
_LONGEST_ANSWER = 10.0
# A report that causes an internal server error is dropped after so many tries.
_SERVER_ERROR_TRIES = 5


@dataclass(slots=True)
class PendingReport:
    """One report that is not acknowledged yet."""

    report: Report
    body: dict[str, Any]
    size: int
    answer: asyncio.Future[None]
    failures: int = 0


# Sends reports and waits so many seconds for the answer: for each the error with which it was refused, or None. Raises
# when it could not send, or when no answer came.
Deliver = Callable[[Sequence[PendingReport], float], Awaitable[list[WorkroomError | None]]]


class Outbox:
    """Sends reports in order, in batches when several are pending.

    An answer may be lost although the connection stands. Reports without an answer are soon sent again, together with
    those behind them: the server accepts a report twice, and must not wait longer for a start than its confirm time.
    """

    def __init__(self, deliver: Deliver, reachable: Callable[[], Awaitable[None]]) -> None:
        self._deliver = deliver
        self._reachable = reachable
        self._pending: deque[PendingReport] = deque()
        self._task: asyncio.Task[None] | None = None

    def put(self, report: Report) -> asyncio.Future[None]:
        """Queue a report. The future resolves when the server has accepted it, or raises the error of a refusal."""
        body = as_message(report)
        pending = PendingReport(report, body, len(orjson.dumps(body)), asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain(), name="outbox")
        return pending.answer

    @property
    def is_empty(self) -> bool:
        return not self._pending

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for pending in self._pending:
            pending.answer.cancel()

    async def _drain(self) -> None:
        failures = 0
        while self._pending:
            batch = self._next_batch()
            try:
                answers = await self._deliver(batch, min(_ANSWER_SECONDS * 2**failures, _LONGEST_ANSWER))
            except (WorkroomError, OSError) as error:
                log.debug("reports not sent, retrying: %s", error)
                answers = None
            if answers is not None and self._settle(batch, answers):
                failures = 0
                continue
            failures += 1
            await self._pause(failures)

    def _settle(self, batch: Sequence[PendingReport], answers: Sequence[WorkroomError | None]) -> bool:
        """Remove the reports that are accepted or finally refused; whether that is all of the batch."""
        kept: list[PendingReport] = []
        for pending, refusal in zip(batch, answers, strict=True):
            if refusal is not None and _is_worth_repeating(pending, refusal):
                kept.append(pending)
            elif not pending.answer.done():
                pending.answer.set_result(None) if refusal is None else pending.answer.set_exception(refusal)
        for _ in batch:
            self._pending.popleft()
        self._pending.extendleft(reversed(kept))
        return not kept

    async def _pause(self, failures: int) -> None:
        """Back off; less if the connection is restored meanwhile."""
        seconds = backoff_seconds(failures, 0.05, 2.0, random.random())  # noqa: S311 - jitter
        await asyncio.sleep(min(seconds, 0.05))
        try:
            async with asyncio.timeout(seconds):
                await self._reachable()
        except TimeoutError:
            pass

    def _next_batch(self) -> list[PendingReport]:
        batch: list[PendingReport] = []
        size = 0
        for pending in self._pending:
            size += pending.size
            if batch and (size > SOCKET_BYTES or len(batch) >= _BATCH_REPORTS):
                break
            batch.append(pending)
        return batch


def _is_worth_repeating(pending: PendingReport, refusal: WorkroomError) -> bool:
    """Whether to send it again: the worker re-registers, or the server recovers."""
    if isinstance(refusal, WorkerLost | Unavailable):
        return True
    if type(refusal) is WorkroomError:
        pending.failures += 1
        return pending.failures < _SERVER_ERROR_TRIES
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
