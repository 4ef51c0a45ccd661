"""One attempt at one job, while it is here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from enum import StrEnum

from workroom.domain.errors import AttemptLost, JobCancelled
from workroom.worker.execution.reporter import JobReporter
from workroom.worker.remote.assignment import Assignment


class Stop(StrEnum):
    """Why an attempt is to end early."""

    CANCEL = "cancel"  # somebody called the job off
    TIMEOUT = "timeout"  # it took too long
    LOST = "lost"  # the job is no longer ours


class Execution:
    """The state that a job's thread and the event loop share."""

    def __init__(self, assignment: Assignment, voice: JobReporter) -> None:
        self.assignment = assignment
        self.voice = voice
        self.stop: Stop | None = None
        self.noticed = False  # whether the job has seen that it is to stop
        self.is_performing = False
        self.url = ""  # the server's, set when it begins: what the job posts goes there
        self._lock = threading.Lock()
        self._when_stopped: list[Callable[[], None]] = []

    def ask_to_stop(self, why: Stop) -> None:
        """The job sees it at its next call; a process is killed a little later. A lost attempt stays lost."""
        with self._lock:
            if self.stop is Stop.LOST or (self.stop is not None and why is not Stop.LOST):
                return
            first = self.stop is None
            self.stop = why
            callbacks = list(self._when_stopped) if first else []
        for callback in callbacks:
            callback()

    def when_stopped(self, callback: Callable[[], None]) -> None:
        with self._lock:
            self._when_stopped.append(callback)
            late = self.stop is not None
        if late:
            callback()

    @property
    def cancelled(self) -> bool:
        """What the job sees of it."""
        if self.stop is not None:
            self.noticed = True
        return self.stop is not None

    def check(self) -> None:
        """Raise what a job that is to stop must not go on from."""
        if not self.cancelled:
            return
        facts = {"jobId": str(self.assignment.job_id), "attempt": self.assignment.attempt}
        if self.stop is Stop.LOST:
            raise AttemptLost(**facts)
        raise JobCancelled(**facts)

    def progress(self, fraction: float | None, message: str = "") -> None:
        self.check()
        self.voice.progress(fraction, message)


# The attempt whose code is running in this thread, if any.
CURRENT: ContextVar[Execution | None] = ContextVar("workroom_execution", default=None)
