"""Outcomes of the calls of a posting: counters, results and failures, as a caller gets them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from workroom.domain import ids
from workroom.domain.errors import BadInput, JobCancelled, JobFailed, WorkroomError
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.values.codec import unpack, unpack_call
from workroom.worker.postings.backend import FailedJob, JobOutcome

R = TypeVar("R")
_NEAR = 20  # positions; reading so many calls again is cheaper than another query


@dataclass(frozen=True, slots=True)
class Counts:
    """How many jobs of a posting are in which state."""

    total: int
    completed: int
    failed: int
    cancelled: int

    @property
    def ended(self) -> int:
        return self.completed + self.failed + self.cancelled

    @property
    def remaining(self) -> int:
        return self.total - self.ended


@dataclass(frozen=True, slots=True)
class Failure:
    """A job of a posting that failed and is not tried again."""

    job_id: UUID
    position: int
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    type: str
    message: str
    traceback: str
    reason: str  # failed, timeout, process_died, value_refused, worker_lost, dependency_failed
    attempts: int


@dataclass(frozen=True, slots=True)
class CallOutcome(Generic[R]):
    """How one call of a posting ended."""

    job_id: UUID
    position: int  # of the call in the posting, from 0
    value: R | WorkroomError  # what it returned, or its JobFailed or JobCancelled

    def result(self) -> R:
        """What the call returned; raises JobFailed or JobCancelled."""
        if isinstance(self.value, WorkroomError):
            raise self.value
        return self.value


class ReturnedCalls:
    """The calls of a posting whose outcomes were returned. Each is read about once, however long others run."""

    def __init__(self) -> None:
        self.count = 0
        self.front = 0  # no call from this position on was looked at
        self._open: set[int] = set()  # calls before it that had not ended

    def open_ranges(self) -> list[tuple[int, int]]:
        """Positions that hold all calls which had not ended, from first to behind the last. Near ones are in one."""
        ranges: list[tuple[int, int]] = []
        for position in sorted(self._open):
            if ranges and position - ranges[-1][1] < _NEAR:
                ranges[-1] = (ranges[-1][0], position + 1)
            else:
                ranges.append((position, position + 1))
        return ranges

    def take(self, outcomes: Sequence[JobOutcome], start: int, following: int | None) -> list[CallOutcome[Any]]:
        """The new ones of a page of outcomes. It holds all calls from `start` to the one where the next page begins."""
        placed = {ids.position(outcome.job_id): outcome for outcome in outcomes}
        stop = following if following is not None else max(placed, default=start - 1) + 1
        returned = {place for place in placed if place < self.front and place not in self._open}
        ended = {place for place, outcome in placed.items() if outcome.state in FINAL}
        self._open.difference_update(range(start, stop))
        self._open.update(placed.keys() - returned - ended)
        self.front = max(self.front, stop)
        new = sorted(ended - returned)
        self.count += len(new)
        return [CallOutcome(placed[place].job_id, place, value_of(placed[place])) for place in new]


def value_of(outcome: JobOutcome) -> Any:
    """What the call returned, or its JobFailed or JobCancelled."""
    if outcome.state == State.COMPLETED:
        return unpack(outcome.result)
    position = ids.position(outcome.job_id)
    call = {"jobId": str(outcome.job_id), "position": position}
    if outcome.state == State.CANCELLED:
        return JobCancelled(**call)
    error = outcome.error or {}
    return JobFailed(f"Call {position}: {error.get('type')}: {error.get('message')}", **call, **error)


def failure_of(job: FailedJob) -> Failure:
    """The failed job with its arguments."""
    try:
        args, kwargs = unpack_call(job.arguments)
    except BadInput:  # of a class that is not loaded here: as they are stored
        stored: dict[str, Any] = job.arguments
        args, kwargs = tuple(stored["args"]), stored.get("kwargs", {})
    return Failure(
        job_id=job.job_id,
        position=ids.position(job.job_id),
        args=args,
        kwargs=kwargs,
        type=str(job.error.get("type", "")),
        message=str(job.error.get("message", "")),
        traceback=str(job.error.get("traceback", "")),
        reason=str(job.error.get("reason") or "failed"),
        attempts=job.attempts,
    )
