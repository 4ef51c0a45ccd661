"""Outcomes that a worker reports for an attempt, as values.

A report may carry how long the job waited at the worker and how long it ran. A report with a run time includes the
start: a short job is reported once, not twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID


@dataclass(slots=True)
class Started:
    """The worker started the job."""


@dataclass(slots=True)
class Succeeded:
    """The job completed with a result."""

    result: Any = None


@dataclass(slots=True)
class Failed:
    """The job failed with an error {type, message, traceback}. It is retried if tries are left."""

    error: dict[str, Any]


@dataclass(slots=True)
class Cancelled:
    """The job was cancelled and has stopped."""


Outcome = Started | Succeeded | Failed | Cancelled


class Report(NamedTuple):
    """A worker's report on one attempt of a job."""

    job_id: UUID
    attempt: int
    outcome: Outcome
    waited_ms: float | None = None  # milliseconds from assignment to start
    ran_ms: float | None = None  # milliseconds from start to end
