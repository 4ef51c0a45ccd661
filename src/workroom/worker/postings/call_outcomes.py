"""What the calls of a posting came to: counters, outcomes and failures, as a caller gets them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from workroom.domain import ids
from workroom.domain.errors import BadInput, JobCancelled, JobFailed, WorkroomError
from workroom.domain.jobs.states import State
from workroom.domain.values.codec import unpack, unpack_call
from workroom.worker.postings.backend import FailedJob, JobOutcome

R = TypeVar("R")


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
    """The calls of a posting whose outcomes were returned."""

    def __init__(self) -> None:
        self.count = 0
        self.first = 0  # all calls before this position were returned
        self._later: set[int] = set()

    def is_new(self, position: int) -> bool:
        return position >= self.first and position not in self._later

    def add(self, position: int) -> None:
        self.count += 1
        self._later.add(position)

    def settle(self, gaps: bool, scanned: Sequence[int]) -> None:
        """Move the first position past all calls that were returned; `scanned` are positions in order."""
        if gaps:
            return
        for position in scanned:
            if position not in self._later:
                return
            self._later.discard(position)
            self.first = position + 1


def value_of(outcome: JobOutcome) -> Any:
    """What the call returned, or its JobFailed or JobCancelled."""
    if outcome.state == State.COMPLETED:
        return unpack(outcome.result)
    call = {"jobId": str(outcome.job_id), "position": ids.position(outcome.job_id)}
    if outcome.state == State.CANCELLED:
        return JobCancelled(**call)
    error = outcome.error or {}
    return JobFailed(f"{error.get('type')}: {error.get('message')}", **call, **error)


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
