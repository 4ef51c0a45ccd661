"""One attempt at one job, while this worker runs it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from enum import StrEnum

from workroom.domain.errors import AttemptLost, JobCancelled
from workroom.domain.jobs.outcomes import Outcome
from workroom.worker.execution.reporter import JobReporter
from workroom.worker.remote.assignment_message import Assignment


class Stop(StrEnum):
    """Why an attempt must end early."""

    CANCEL = "cancel"  # the job was cancelled
    TIMEOUT = "timeout"  # it ran longer than its timeout
    LOST = "lost"  # the job was taken from this worker


class Execution:
    """The state that a job's thread and the event loop share."""

    def __init__(self, assignment: Assignment, reporter: JobReporter) -> None:
        self.assignment = assignment
        self.reporter = reporter
        self.stop: Stop | None = None
        self.stop_seen = False  # whether the job's code has seen the request to stop
        self.is_performing = False
        self.outcome: Outcome | None = None  # set when it is reported
        self.url = ""  # of the server; postings made by the job go there
        self._lock = threading.Lock()
        self._stop_callbacks: list[Callable[[], None]] = []

    def request_stop(self, why: Stop) -> None:
        """Ask the job to stop, which it sees at its next room call. LOST replaces an earlier reason."""
        with self._lock:
            if self.stop is Stop.LOST or (self.stop is not None and why is not Stop.LOST):
                return
            first = self.stop is None
            self.stop = why
            callbacks = list(self._stop_callbacks) if first else []
        for callback in callbacks:
            callback()

    def on_stop(self, callback: Callable[[], None]) -> None:
        with self._lock:
            self._stop_callbacks.append(callback)
            late = self.stop is not None
        if late:
            callback()

    @property
    def cancelled(self) -> bool:
        """Whether the job must stop. Reading it counts as having seen it."""
        if self.stop is not None:
            self.stop_seen = True
        return self.stop is not None

    def check(self) -> None:
        """Raise AttemptLost or JobCancelled if the job must stop."""
        if not self.cancelled:
            return
        facts = {"jobId": str(self.assignment.job_id), "attempt": self.assignment.attempt}
        if self.stop is Stop.LOST:
            raise AttemptLost(**facts)
        raise JobCancelled(**facts)

    def progress(self, fraction: float | None, message: str = "") -> None:
        self.check()
        self.reporter.progress(fraction, message)


# The attempt whose code runs in this context, if any.
CURRENT: ContextVar[Execution | None] = ContextVar("workroom_execution", default=None)
